"""From a draft's property tree to settings in normal form, each with the line its value stands on."""

from collections.abc import Callable, Iterator, Mapping
from typing import cast

from context_graph.manifests.node import MAX_DEPTH, MAX_WALK, Draft, Node
from context_graph.manifests.secret_values import WITHHELD, is_secret, without_userinfo
from context_graph.normal_form import canonical, normal_key, normal_value, snake
from gonogo.pattern import pattern
from gonogo.resource import Declared, Setting
from gonogo.word import Json

MAX_SETTINGS = 1_500
"""Settings kept of one resource; `settings_cut` says when there were more."""
_LINKS = {
    "source",
    "queue",
    "topic",
    "function",
    "target",
    "redrive_target",
    "dead_letter_target",
    "failure_destination",
    "bucket",
}
_VARIABLE = pattern(r"(?:(?:init_)?container\.[^.]+\.)?(?:environment|data)\.")
"""Variables are text, however they are written."""
_IDENTITIES = ("name", "id", "sid", "key", "identifier", "indexname", "binding", "rule_name", "rule_number", "port")
Naming = Callable[[str], str]


def declare(draft: Draft, *, address: str, name_of: Naming | None) -> Declared:
    """The finished word. `name_of` gives the physical name, else the address, of what a reference points to.

    Without it the word has no settings.
    """
    return Declared(
        kind=draft.kind,
        address=address,
        name=draft.name,
        file=draft.file,
        line=draft.line,
        end_line=max(draft.line, draft.end_line),
        settings=settings_of(draft, name_of=name_of) if name_of is not None else {},
        is_conditional=draft.is_conditional,
        environment=draft.environment,
        part_of=draft.part_of or None,
    )


def settings_of(draft: Draft, *, name_of: Naming) -> dict[str, Setting]:
    """All settings of the draft: what its reader prepared, then everything else under its snake_case dotted path."""
    settings: dict[str, Setting] = {}
    for key, node in draft.extra.items():
        settings[key] = _setting(key, node, draft.file, name_of)
    rest = draft.node.without(*draft.ready) if draft.ready else draft.node
    for path, node in _leaves(rest):
        if len(settings) >= MAX_SETTINGS:
            settings["settings_cut"] = Setting(value=True, line=draft.line, text=f"more than {MAX_SETTINGS} settings")
            break
        key = normal_key(draft.kind, ".".join(p for p in path if not p.isdigit())) or ".".join(snake(part) for part in path)
        if key not in settings:
            settings[key] = _setting(key, node, draft.file, name_of)
    return settings


def _setting(key: str, node: Node, file: str, name_of: Naming) -> Setting:
    value: Json = None
    text = node.text
    if node.is_known:
        variable = _VARIABLE.match(key) is not None and node.string() is not None
        value = node.string() if variable else normal_value(key, node.json(), text=node.text)
        value, text = _without_secrets(key, value, text)
    elif key.rpartition(".")[2] in _LINKS and len({r.target for r in node.references}) == 1:
        value = name_of(node.references[0].target)
    elif is_secret(key.rpartition(".")[2], text) and not node.references:
        text = WITHHELD
    if not text and isinstance(value, str | int | float | bool):
        text = str(value)
    elsewhere = node.file if node.file != file else None
    return Setting(value=value, line=node.line, text=text[:400], file=elsewhere)


def _without_secrets(key: str, value: Json, text: str) -> tuple[Json, str]:
    if isinstance(value, str):
        if is_secret(key.rpartition(".")[2], value):
            return WITHHELD, WITHHELD
        return without_userinfo(value), without_userinfo(text)
    if isinstance(value, Mapping | list):
        return _swept(cast("Json", value), key, 0), text
    return value, text


def _swept(value: Json, key: str, depth: int) -> Json:
    if depth > MAX_DEPTH:
        return None
    if isinstance(value, Mapping):
        below = cast("Mapping[str, Json]", value)
        return {name: _swept(inner, name, depth + 1) for name, inner in below.items()}
    if isinstance(value, list):
        return [_swept(inner, key, depth + 1) for inner in cast("list[Json]", value)]
    if isinstance(value, str):
        return WITHHELD if is_secret(key, value) else without_userinfo(value)
    return value


def _leaves(root: Node) -> Iterator[tuple[tuple[str, ...], Node]]:
    """Scalars, unknowns and lists of scalars, with their paths; elements of other lists are told apart by identity."""
    stack: list[tuple[tuple[str, ...], Node]] = [((), root)]
    left = MAX_WALK
    while stack and left:
        path, node = stack.pop()
        left -= 1
        if len(path) > MAX_DEPTH:
            continue
        below = node.value
        if isinstance(below, dict) and node.is_known:
            stack += [((*path, key), inner) for key, inner in reversed(below.items())]
        elif isinstance(below, list) and node.is_known and any(isinstance(i.value, dict | list) for i in below):
            stack += reversed(_elements(path, below))
        elif path:
            yield path, node


def _elements(path: tuple[str, ...], items: list[Node]) -> list[tuple[tuple[str, ...], Node]]:
    pairs = [_pair(item) for item in items]
    named = [pair for pair in pairs if pair is not None]
    if len(named) == len(items) and len({name for name, _ in named}) == len(items):
        return [((*path, name), value) for name, value in named]
    names = [_identity(item) for item in items]
    if None in names or len(set(names)) < len(names):
        names = [str(number) for number in range(len(items))]
    return [((*path, str(name)), item) for name, item in zip(names, items, strict=True)]


def _pair(item: Node) -> tuple[str, Node] | None:
    """`{Key: a, Value: b}` and `{name: a, value: b}` are one entry of a mapping."""
    entries = {canonical(key): value for key, value in item.entries().items()}
    key = entries.get("key") or entries.get("name") or entries.get("parametername")
    value = entries.get("value") or entries.get("parametervalue")
    name = key.string() if key is not None else None
    extra = set(entries) - {"key", "name", "parametername", "value", "parametervalue", "applymethod", "propagateatlaunch"}
    return (name, value) if name is not None and value is not None and not extra else None


def _identity(item: Node) -> str | None:
    for key in _IDENTITIES:
        found = item.get(key)
        if found is not None and (name := found.string()) is not None and not isinstance(found.value, bool):
            return f"#{name}" if name.isdigit() else name
    return None
