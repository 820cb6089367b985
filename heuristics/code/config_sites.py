"""The values of configuration files, each with its dotted key and its line."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.code.constants import SECONDS, Constant, Value, duration_text, number
from heuristics.code.syntax import Node, parse
from heuristics.code.units import unit_of
from heuristics.code.value_sites import ValueSite
from heuristics.code.views import key_text, string_of
from heuristics.code.yaml_events import YamlUnreadable, yaml_events

_TEXT_LIMIT = 600_000


def sites_in_configuration(text: str, language: str) -> tuple[ValueSite, ...] | None:
    """The settings of a configuration file with their values; None when it can't be read."""
    found = settings_in(text, language)
    return None if found is None else tuple(_site(".".join(path), raw, line, language) for path, raw, line in found)


Setting = tuple[tuple[str, ...], str, int]
"""The keys from the outermost in, the value as it is written, its line. Places in lists are keys too (`0`, `1` ...)."""


def settings_in(text: str, language: str) -> tuple[Setting, ...] | None:
    """Every setting of a configuration file as it is written; None when it can't be read."""
    reader = _READERS.get(language)
    if reader is None or len(text) > _TEXT_LIMIT:
        return None
    try:
        return tuple(reader(text))
    except (YamlUnreadable, RecursionError):
        return None


def _site(path: str, raw: str, line: int, language: str) -> ValueSite:
    constant = _plain(raw)
    name = re.split(r"\.(?=[^.]*$)", path)[-1]
    unit, seconds, value = constant.unit, constant.seconds, constant.value
    if seconds is None and isinstance(value, int | float) and not isinstance(value, bool):
        unit = unit_of(language, name, "")
        seconds = value * SECONDS[unit] if unit else None
    return ValueSite(name, path, "", "", 0, value, raw, line, unit, seconds)


def _plain(raw: str) -> Constant:
    text = raw.strip()
    default = re.fullmatch(r"""['"]<.*(?:\{|,|\|\|)\s*["']?(\d[\w.]*)["']?\s*[)}]?(?:\.to_i)?>['"]""", text)
    if default and (held := number(default[1])) is not None:
        return Constant(held)
    if len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]:
        inner = text[1:-1]
        return Constant(inner, *duration_text(inner))
    if text.lower() in ("true", "false", "on", "off", "yes", "no"):
        return Constant(text.lower() in ("true", "on", "yes"))
    value: Value | None = number(text.removeprefix("-")) if re.match(r"-?[\d.]", text) else None
    if isinstance(value, int | float):
        return Constant(-value if text.startswith("-") else value)
    default = re.fullmatch(r"\$\{[\w.]+:-?(.*)\}", text)
    if default and (inner_value := number(default[1])) is not None:
        return Constant(inner_value)
    return Constant(text or None, *duration_text(text))


class _Level(Record, frozen=False):
    is_list: bool
    key: str | None = None
    place: int = 0

    def step(self) -> None:
        self.key, self.place = None, self.place + 1


def _yaml(text: str) -> Iterator[Setting]:
    """Every scalar under its keys; the keys of a second and later document start with `document 2`."""
    stack: list[_Level] = []
    documents = 0
    for event in yaml_events(_without_templates(text)):
        match event.kind:
            case "document":
                documents += 1
            case "mapping" | "sequence":
                stack.append(_Level(event.kind == "sequence"))
            case "MappingEnd" | "SequenceEnd":
                stack.pop()
                if stack:
                    stack[-1].step()
            case "scalar" if stack and not stack[-1].is_list and stack[-1].key is None:
                stack[-1].key = event.value
            case "scalar" | "alias":
                if event.kind == "scalar":
                    first = (f"document {documents}",) if documents > 1 else ()
                    keys = tuple(str(level.place) if level.is_list else level.key or "" for level in stack)
                    yield (*first, *keys), f'"{event.value}"' if event.is_quoted else event.value, event.line
                if stack:
                    stack[-1].step()
            case _:
                pass


def _without_templates(text: str) -> str:
    """ERB and Go or Jinja templates replaced, so that the YAML around them can be read."""
    text = re.sub(r"<%=?-?\s*([^\n%]{0,300}?)\s*-?%>", lambda m: "'<" + m[1].replace("'", '"') + ">'", text)
    return re.sub(r"(?m)^(\s*)\{\{[^\n]*\}\}\s*$", r"\1# template", text)


def _json(text: str) -> Iterator[Setting]:
    root = parse(text, "json")
    if root is None:
        return
    for node in root.find("number", "string", "true", "false", "null"):
        parent = node.parent
        if parent is None or (parent.kind == "pair" and parent.named and parent.named[0] is node):
            continue
        yield _json_path(node), node.text, node.line


def _json_path(node: Node) -> tuple[str, ...]:
    path: list[str] = []
    for parent in node.ancestors():
        if parent.kind == "pair":
            path.append(key_text(parent.named[0]))
        elif parent.kind == "array":
            path.append(str(_place_in(parent, node)))
    return tuple(reversed(path))


def _place_in(outer: Node, inner: Node) -> int:
    """The place of an element, or of what is in it, in a list."""
    return max(0, bisect_right(outer.named, inner.start, key=lambda node: node.start) - 1)


def _toml(text: str) -> Iterator[Setting]:
    section: tuple[str, ...] = ()
    tables: dict[str, int] = {}
    for line, raw in enumerate(text.split("\n"), start=1):
        header = re.match(r"\s*\[{1,2}\s*([^\]#]{1,200})\]", raw)
        if header:
            name = header[1].replace('"', "").strip()
            tables[name] = tables.get(name, -1) + 1
            section = tuple(name.split(".")) + ((str(tables[name]),) if raw.lstrip().startswith("[[") else ())
            continue
        found = re.match(r"""\s*([\w."'-]{1,200})\s*=\s*(.*)$""", raw)
        if found:
            key = tuple(found[1].replace('"', "").split("."))
            yield from _toml_value((*section, *key), _uncommented(found[2]), line)


def _toml_value(path: tuple[str, ...], raw: str, line: int) -> Iterator[Setting]:
    """A value, or the parts of an inline table or of an array of them."""
    tables = re.findall(r"\{([^{}]*)\}", raw) if raw.startswith(("{", "[")) else []
    if not tables:
        yield path, raw, line
    for place, table in enumerate(tables):
        for key, value in re.findall(r"""([\w."-]+)\s*=\s*("[^"]*"|'[^']*'|\[[^\]]*\]|[^,]+)""", table):
            yield (*path, *((str(place),) if raw.startswith("[") else ()), key.strip('"')), value.strip(), line


def _uncommented(value: str) -> str:
    quoted = re.match(r"""("[^"]*"|'[^']*'|\[.*\]|\{.*\})""", value)
    return quoted[1] if quoted else value.split(" #", maxsplit=1)[0].strip().rstrip(",")


def _properties(text: str) -> Iterator[Setting]:
    section: tuple[str, ...] = ()
    for line, raw in enumerate(text.split("\n"), start=1):
        header = re.match(r"\s*\[([^\]]{1,200})\]\s*$", raw)
        if header:
            section = (header[1],)
            continue
        found = re.match(r"\s*(?:export\s+)?([\w.\-\[\]/]{1,200})\s*[=:]\s*(.*)$", raw)
        if found and not raw.lstrip().startswith(("#", "!", ";")):
            yield (*section, found[1]), found[2].strip(), line


def _directives(text: str) -> Iterator[Setting]:
    """Nginx and its kin: `proxy_read_timeout 30s;` inside named blocks, `timeout 30` on a line of its own."""
    blocks: list[str] = []
    for line, raw in enumerate(text.split("\n"), start=1):
        for part in re.findall(r"[^;{}]+[;{]?|\}", raw.split("#")[0]):
            words = part.rstrip(";{").split()
            if part.strip() == "}":
                del blocks[-1:]
            elif part.endswith("{") and words:
                blocks.append(" ".join(words))
            elif len(words) > 1:
                name, values = words[0], words[1:]
                if len(values) > 1 and values[0] == "=":
                    values = values[1:]
                yield (*blocks, name), " ".join(values), line


def _hcl(text: str) -> Iterator[Setting]:
    """Attributes and the elements of objects, under their blocks and keys."""
    root = parse(text, "hcl")
    if root is None:
        return
    for node in root.find("attribute", "object_elem"):
        parts = node.named
        if len(parts) < 2 or any(found.kind == "object_elem" for found in parts[-1].walk()):
            continue
        yield _hcl_path(node), parts[-1].text, node.line


def _hcl_path(node: Node) -> tuple[str, ...]:
    path = [key_text(node.named[0])]
    for around in node.ancestors():
        if around.kind == "block":
            path.append(
                ".".join((string_of(p) or p.text.strip('"')) for p in around.named if p.kind in ("identifier", "string_lit"))
            )
        elif around.kind in ("attribute", "object_elem"):
            path.append(key_text(around.named[0]))
        elif around.kind == "tuple":
            path.append(str(_place_in(around, node)))
    return tuple(reversed(path))


def _commands(text: str) -> Iterator[Setting]:
    """Dockerfile and Procfile: ENV and ARG values, and the flags of the commands (`--workers 4`, `--timeout=30`)."""
    for line, raw in enumerate(text.split("\n"), start=1):
        if raw.lstrip().startswith("#"):
            continue
        word = (re.match(r"\s*([A-Za-z]+)", raw) or [""])[0].strip()
        if word.upper() in ("ENV", "ARG"):
            for name, value in re.findall(r"""([A-Za-z_]\w*)=("[^"]*"|'[^']*'|\S+)""", raw) or re.findall(
                r"(?i)env\s+(\w+)\s+(.+)$", raw
            ):
                yield (name,), value, line
            continue
        for name, value in re.findall(
            r"""(?<![\w-])--?([A-Za-z][\w-]*)(?:[=\s]|"\s*,\s*")+(\d[\w.]*|true|false)(?![\w-])""", raw
        ):
            yield (word, _spelled_out(name, raw)), value, line


_SHORT_FLAGS = (
    (pattern(r"\b(?:gunicorn|granian|hypercorn|puma|unicorn)\b"), {"w": "workers"}),
    (pattern(r"\b(?:celery|sidekiq|rqworker)\b"), {"c": "concurrency"}),
)
"""Programs whose flags of one letter are worth their name."""


def _spelled_out(flag: str, command: str) -> str:
    if len(flag) > 1:
        return flag
    return next((names[flag] for program, names in _SHORT_FLAGS if flag in names and program.search(command)), flag)


_READERS: dict[str, Callable[[str], Iterator[Setting]]] = {
    "yaml": _yaml,
    "json": _json,
    "toml": _toml,
    "properties": _properties,
    "env": _properties,
    "nginx": _directives,
    "conf": _directives,
    "hcl": _hcl,
    "dockerfile": _commands,
    "procfile": _commands,
}
