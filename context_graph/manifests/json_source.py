"""JSON and JSONC (comments, trailing commas) into value trees with lines, without recursion."""

import json
from typing import cast

from context_graph.manifests.node import Node, Scalar
from gonogo.pattern import pattern

MAX_BYTES = 8_000_000
MAX_NESTING = 200
_TOKEN = pattern(
    r"""(?P<space>\s+)|(?P<comment>//[^\n]*|/\*(?:[^*]|\*(?!/))*+\*/)|(?P<string>"(?:[^"\\\n]|\\.)*+")"""
    r"""|(?P<sign>[{}\[\]:,])|(?P<word>[^\s{}\[\]:,"]+)"""
)


class JsonError(Exception):
    """A text that is not JSON; carries the line and the reason."""

    def __init__(self, line: int, why: str) -> None:
        self.line, self.why = line, why
        super().__init__(why)


def read_json(text: str, *, first_line: int = 1) -> Node:
    """The one value of the text; comments and trailing commas are accepted. Raises JsonError.

    `first_line` is the line of the file on which the text begins, for JSON inside another format.
    """
    if len(text) > MAX_BYTES:
        raise JsonError(first_line, f"larger than {MAX_BYTES} bytes")
    builder = _Builder()
    position, line = 0, first_line
    for match in _TOKEN.finditer(text):
        if match.start() != position:
            break
        position = match.end()
        group, written = match.lastgroup, match.group()
        if group == "space" or group == "comment":  # noqa: PLR1714 - the inner loop
            line += written.count("\n")
        else:
            builder.take(written, line)
    if position != len(text):
        raise JsonError(line, f"unexpected {text[position : position + 10]!r}")
    return builder.finished(line)


class _Builder:
    """Open containers on a stack; a key waits until its value is there."""

    def __init__(self) -> None:
        self._open: list[tuple[Node, str | None]] = []
        self._keys: list[str | None] = []
        self._root: Node | None = None
        self._awaits_value = True

    def take(self, sign: str, line: int) -> None:
        if sign in ("{", "["):
            self._begin(Node({} if sign == "{" else [], line), line)
        elif sign in ("}", "]"):
            self._end(sign, line)
        elif sign == ",":
            if not self._open:
                raise JsonError(line, "unexpected ','")
        elif sign == ":":
            if not self._keys or self._keys[-1] is None:
                raise JsonError(line, "unexpected ':'")
            self._awaits_value = True
        else:
            self._scalar(sign, line)

    def finished(self, line: int) -> Node:
        if self._root is None or self._open:
            raise JsonError(line, "the text ends too early")
        return self._root

    def _begin(self, node: Node, line: int) -> None:
        if len(self._open) >= MAX_NESTING:
            raise JsonError(line, "nested too deep")
        key = self._keys[-1] if self._keys else None
        self._attach(node, line)
        self._open.append((node, key))
        self._keys.append(None)

    def _end(self, sign: str, line: int) -> None:
        if not self._open or isinstance(self._open[-1][0].value, dict) != (sign == "}"):
            raise JsonError(line, f"unexpected {sign!r}")
        node, _ = self._open.pop()
        self._keys.pop()
        node.end_line = line

    def _scalar(self, sign: str, line: int) -> None:
        inside_object = bool(self._open) and isinstance(self._open[-1][0].value, dict)
        if inside_object and self._keys[-1] is None:
            if sign[0] != '"':
                raise JsonError(line, f"a key has to be quoted, not {sign[:20]!r}")
            self._keys[-1] = cast("str", _decoded(sign, line))
            self._awaits_value = False
            return
        self._attach(Node(_decoded(sign, line), line, text=sign[:400], end_line=line), line)

    def _attach(self, node: Node, line: int) -> None:
        if not self._open:
            if self._root is not None:
                raise JsonError(line, "more than one value")
            self._root = node
            return
        parent = self._open[-1][0].value
        if isinstance(parent, dict):
            key = self._keys[-1]
            if key is None or not self._awaits_value:
                raise JsonError(line, "a value without a key")
            parent[key] = node
            self._keys[-1] = None
        elif isinstance(parent, list):
            parent.append(node)


def _decoded(sign: str, line: int) -> Scalar:
    if sign[0] == '"' and "\\" not in sign:
        return sign[1:-1]
    if sign in _WORDS:
        return _WORDS[sign]
    try:
        value = cast("Scalar", json.loads(sign))
    except ValueError as error:
        raise JsonError(line, f"unexpected {sign[:20]!r}") from error
    return value


_WORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None}
