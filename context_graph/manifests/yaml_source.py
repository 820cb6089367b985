"""YAML into value trees with lines, within limits: aliases, depth and size are bounded and nothing is constructed."""

import re
from collections.abc import Iterable
from typing import Any, cast

import yaml

from context_graph.manifests.node import MAX_DEPTH, Node, Scalar
from gonogo.pattern import pattern

MAX_BYTES = 4_000_000
MAX_NODES = 400_000
MAX_REPEATS = 20_000
"""Values that aliases may repeat."""
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_COMPOSE_ALL: Any = getattr(yaml, "compose_all")  # noqa: B009 - the stubs leave the stream untyped
_INT = pattern(r"[-+]?(?:0|[1-9][0-9_]{0,17})")
_FLOAT = pattern(r"[-+]?(?:[0-9][0-9_]{0,17})?\.[0-9]{1,17}(?:[eE][-+]?[0-9]{1,3})?|[-+]?[0-9]{1,17}\.")
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_YAML11 = {"yes": True, "Yes": True, "on": True, "On": True, "no": False, "No": False, "off": False, "Off": False}
_NULLS = {"", "~", "null", "Null", "NULL"}


class YamlError(Exception):
    """A document that cannot be read; carries the line and the reason."""

    def __init__(self, line: int | None, why: str) -> None:
        self.line, self.why = line, why
        super().__init__(why)


def read_yaml(text: str) -> list[Node]:
    """Every document of the text. A local tag `!Ref x` becomes `{"!Ref": x}`. Raises YamlError."""
    if len(text) > MAX_BYTES:
        raise YamlError(None, f"larger than {MAX_BYTES} bytes")
    _refuse_deep_nesting(text)
    try:
        documents = cast("list[yaml.Node | None]", list(_COMPOSE_ALL(text, Loader=_LOADER)))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlError(mark.line + 1 if mark else None, error.problem or "not YAML") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise YamlError(None, str(error).split("\n", maxsplit=1)[0] or "not YAML") from error
    reader = _Reader()
    return [reader.node(document, depth=0) for document in documents if document is not None]


class _Reader:
    """Turns the composed tree into ours; counts nodes so that aliases cannot blow it up."""

    def __init__(self) -> None:
        self._left = MAX_NODES
        self._repeats_left = MAX_REPEATS
        self._seen: set[int] = set()

    def node(self, found: yaml.Node, *, depth: int, line: int | None = None) -> Node:
        self._left -= 1
        here = found.start_mark.line + 1
        if id(found) in self._seen:
            self._repeats_left -= 1
        self._seen.add(id(found))
        end = max(here, found.end_mark.line + (1 if found.end_mark.column else 0))
        if self._left < 0 or self._repeats_left < 0:
            raise YamlError(here, f"expands to more than {MAX_NODES if self._left < 0 else MAX_REPEATS} values")
        if depth > MAX_DEPTH:
            return Node(None, here, text="(nested too deep)", is_known=False)
        inner = self._plain(found, depth=depth, line=line or here, end=end)
        tag = found.tag
        if tag.startswith("!") and len(tag) > 1:
            return Node({tag: inner}, here, end_line=end, text=f"{tag} {inner.text}".strip())
        return inner

    def _plain(self, found: yaml.Node, *, depth: int, line: int, end: int) -> Node:
        if isinstance(found, yaml.MappingNode):
            entries = self._entries(found, depth=depth)
            return Node(entries, line, end_line=_end(found, end, entries.values()))
        if isinstance(found, yaml.SequenceNode):
            items = [self.node(item, depth=depth + 1) for item in cast("list[yaml.Node]", found.value)]
            return Node(items, line, end_line=_end(found, end, items), text=_flow_text(items))
        written = cast("str", found.value)
        here = found.start_mark.line + 1
        style = cast("Any", found).style
        quoted = style in ("'", '"', "|", ">") or found.tag == "tag:yaml.org,2002:str"
        return Node(written if quoted else scalar(written), here, text=written[:400], end_line=end)

    def _entries(self, found: yaml.MappingNode, *, depth: int) -> dict[str, Node]:
        entries: dict[str, Node] = {}
        merged: dict[str, Node] = {}
        for key, value in cast("list[tuple[yaml.Node, yaml.Node]]", found.value):
            name = str(cast("str", key.value)) if isinstance(key, yaml.ScalarNode) else "?"
            block = isinstance(value, yaml.CollectionNode) and not cast("Any", value).flow_style
            node = self.node(value, depth=depth + 1, line=key.start_mark.line + 1 if block else None)
            if name == "<<":
                for part in node.items():
                    merged = part.entries() | merged
            else:
                entries[name] = node
        return merged | entries if merged else entries


def scalar(written: str) -> Scalar:
    """A plain YAML scalar. `yes` and `on` stay text: manifests mean the words more often than the truth values."""
    if written in _NULLS:
        return None
    if written in _BOOLEANS:
        return _BOOLEANS[written]
    if _INT.fullmatch(written):
        return int(written.replace("_", ""))
    if _FLOAT.fullmatch(written):
        return float(written.replace("_", ""))
    return written


def truth(node: Node | None) -> bool | None:
    """A YAML 1.1 truth value, `yes` and `on` included; None when it is none."""
    if node is None or not node.is_known:
        return None
    if isinstance(node.value, bool):
        return node.value
    return _YAML11.get(node.value) if isinstance(node.value, str) else None


def _end(found: yaml.CollectionNode, end: int, below: Iterable[Node]) -> int:
    """A block collection ends where its last value does; the parser's mark is that of the next token."""
    if cast("Any", found).flow_style:
        return end
    return max((node.end_line for node in below), default=found.start_mark.line + 1)


def _flow_text(items: list[Node]) -> str:
    if all(not isinstance(item.value, dict | list) for item in items):
        return ("[" + ", ".join(item.text for item in items) + "]")[:400]
    return ""


def _refuse_deep_nesting(text: str) -> None:
    """The C composer recurses: refuse what would exhaust its stack before it is called."""
    depth = deepest = 0
    for sign in re.finditer(r"[\[\]{}]", text):
        depth = depth + 1 if sign.group() in "[{" else max(0, depth - 1)
        if depth > deepest:
            deepest = depth
            if deepest > 400:
                raise YamlError(text.count("\n", 0, sign.start()) + 1, "nested too deep")
    longest = max((len(m.group()) for m in re.finditer(r"^[ \t]*(?:- ?)*", text, re.MULTILINE)), default=0)
    if longest > 2000:
        raise YamlError(None, "nested too deep")
