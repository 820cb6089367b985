"""What a setting of a proxy is for: the paths and the services of the block that it stands in, whatever the proxy's language."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record

_PATH = pattern(
    r"(?:location|handle|handle_path|route|path_beg|path|prefix|exact|pathPrefix|PathPrefix|value|uri|paths|regex|Path|reverse_proxy|source_?path)"
    r"[\"']?\s*[:=(\[~^*{\s]*\s*[\"'`]?(?P<path>/[\w./{}:$-]*)"
)
_NAME = pattern(
    r"(?<![\w.])(?:proxy_pass|grpc_pass|fastcgi_pass|uwsgi_pass|scgi_pass|reverse_proxy|cluster(?:_?name)?|host|service|services|backend(?:_?refs?)?|use_backend|default_backend"
    r"|url|uri|upstream(?:_?url)?|server|domain_name|origin_id|address|name)(?!\w)[\"']?\s*[:=]?\s*[\[{(\s]*(?:name[\"']?\s*[:=]\s*)?[\"']?"
    r"(?:/[\w./*{}-]*\s+)?(?:[a-z]+://)?(?P<name>[A-Za-z_][\w.-]{1,120})"
)
_SERVER = pattern(r"(?m)^\s*server\s+(?:[\w-]+\s+)?(?P<host>[A-Za-z][\w.-]{1,120})(?::\d+)")
_NO_NAMES = frozenset(
    ("http", "https", "name", "host", "url", "uri", "port", "number", "service", "server", "cluster", "route", "true", "false", "prefix", "path", "matches", "backend", "listener", "transport", "any", "all", "check", "http_proxy", "kubernetes", "api", "localhost")
)  # fmt: skip
_SECTION = pattern(r"^(?:backend|frontend|listen|defaults|global)\b[ \t]*(?P<name>[\w.-]*)")


class Scope(Record):
    """`paths` and `names` (of services, hosts and upstreams, first labels only); both empty for everything behind the proxy."""

    paths: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    @property
    def is_everything(self) -> bool:
        """Whether nothing narrows it."""
        return not self.paths and not self.names

    def has_path(self, written: str) -> bool:
        """Whether a path, or a label with one (`GET /reports/{id}`), lies under a path of the scope."""
        found = re.search(r"/[\w./{}:$*-]*", written)
        if found is None:
            return False
        return any(found[0].rstrip("/*") == p.rstrip("/*") or found[0].startswith(p.rstrip("/*") + "/") for p in self.paths)


def scope_of(tree: SourceTree, file: str, line: int) -> Scope:
    """The smallest block around the line that names a path or a service."""
    text = tree.text(file) or ""
    lines = text.split("\n")
    if not 0 < line <= len(lines):
        return Scope()
    if file.endswith((".cfg", ".haproxy")) or _is_sections(text):
        return _of_section(lines, line)
    for block in _blocks(file, lines, line):
        written = "\n".join(part.split("#", 1)[0] for part in block)
        paths = {_balanced(m["path"]) for m in _PATH.finditer(written)}
        names = {_first(m["name"]) for m in _NAME.finditer(written)} - _NO_NAMES
        paths -= {"/"} if names else set()
        if paths or names:
            return Scope(frozenset(paths), frozenset(names | _behind(tree, file, names)))
    return Scope()


def _is_sections(text: str) -> bool:
    return re.search(r"(?m)^(?:backend|frontend|listen)\s+[\w.-]+\s*$", text) is not None


def _of_section(lines: list[str], line: int) -> Scope:
    start = next((n for n in range(line - 1, -1, -1) if _SECTION.match(lines[n])), None)
    if start is None:
        return Scope()
    head = _SECTION.match(lines[start])
    name = head["name"] if head is not None else ""
    if not name or lines[start].startswith(("defaults", "global", "frontend")):
        return Scope()
    end = next((n for n in range(start + 1, len(lines)) if _SECTION.match(lines[n])), len(lines))
    hosts = {_first(m["host"]) for m in _SERVER.finditer("\n".join(lines[start:end]))}
    return Scope(names=frozenset({_first(name), *hosts} - _NO_NAMES))


def _blocks(file: str, lines: list[str], line: int) -> Iterator[list[str]]:
    """From the innermost block outwards, at most six."""
    is_indented = file.endswith((".yaml", ".yml"))
    found = _indented(lines, line) if is_indented else _braced(lines, line)
    for number, block in enumerate(found):
        if number == 6:
            return
        yield block


def _braced(lines: list[str], line: int) -> Iterator[list[str]]:
    depth = 0
    for number in range(line - 2, -1, -1):
        written = lines[number].split("#", 1)[0]
        depth += written.count("{") - written.count("}")
        if depth > 0:
            end = _closing(lines, number)
            if re.match(r"\s*(?:http|server|stream|events|static_resources)\b[^/\w]*\{?\s*$", written):
                return  # what stands here is for all routes
            yield lines[number : end + 1]
            depth = 0


def _closing(lines: list[str], start: int) -> int:
    depth = 0
    for number in range(start, min(len(lines), start + 400)):
        written = lines[number].split("#", 1)[0]
        depth += written.count("{") - written.count("}")
        if depth <= 0 and number > start:
            return number
    return min(len(lines), start + 400) - 1


def _indented(lines: list[str], line: int) -> Iterator[list[str]]:
    """Items of lists that the line is in, then the keys around it; a block ends where the indentation does."""
    width = _indent(lines[line - 1])
    for number in range(line - 1, -1, -1):
        written = lines[number]
        here = _indent(written)
        is_item = written.lstrip().startswith("- ")
        if written.strip() and (here < width or (is_item and here <= width)):
            end = number + 1
            while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) > here):
                end += 1
            if re.match(r"\s*(?:metadata|annotations)\s*:", written) is None:
                yield lines[number:end]
            width = here if not is_item else here - 1 if here else 0
            if here == 0:
                if re.match(r"metadata\s*:", written):
                    yield _document(lines, number, end)
                return


def _document(lines: list[str], start: int, end: int) -> list[str]:
    """What an object says beside its metadata."""
    first = next((n + 1 for n in range(start, -1, -1) if lines[n].startswith("---")), 0)
    last = next((n for n in range(end, len(lines)) if lines[n].startswith("---")), len(lines))
    return lines[first:start] + lines[end:last]


def _indent(written: str) -> int:
    return len(written) - len(written.lstrip())


def _behind(tree: SourceTree, file: str, names: set[str]) -> set[str]:
    """Hosts of the upstreams, clusters and services that the names stand for, as files of the same kind define them."""
    found: set[str] = set()
    folder = file.rpartition("/")[0]
    for place in _same(tree, folder):
        text = tree.text(place) or ""
        for block in re.finditer(r"(?s)\bupstream\s+([\w.-]+)\s*\{(.{0,2000}?)\}", text):
            if block[1] in names:
                found |= {_first(m["host"]) for m in _SERVER.finditer(block[2])}
    return found - _NO_NAMES


def _same(tree: SourceTree, folder: str) -> Iterator[str]:
    given = 0
    for path in tree.paths():
        if path.endswith(".conf") and given < 60 and (path.startswith(folder) or folder.startswith(path.rpartition("/")[0])):
            given += 1
            yield path


def _balanced(path: str) -> str:
    """Without the braces of the mapping that the path stands in."""
    while path.count("}") > path.count("{"):
        path = path[:-1] if path.endswith("}") else path.partition("}")[0]
    return path


def _first(name: str) -> str:
    return name.partition(".")[0].lower().strip("-_")
