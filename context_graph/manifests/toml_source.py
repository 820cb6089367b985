"""TOML into value trees with lines: `tomllib` gives the values, one scan of the text gives the places."""

import re
import tomllib
from typing import cast

from context_graph.manifests.node import Node, Scalar
from gonogo.pattern import pattern
from gonogo.word import Json

MAX_BYTES = 1_000_000
MAX_NESTING = 60
_KEY = r"""(?:"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|[A-Za-z0-9_-]+)"""
_DOTTED = rf"{_KEY}(?:\s*\.\s*{_KEY})*+"
_TOKEN = pattern(
    rf"""(?P<space>[ \t\r]+)|(?P<comment>\#[^\n]*)|(?P<end>\n)
    |(?P<long>\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''.*?''')|(?P<assign>{_DOTTED}[ \t]*=)
    |(?P<string>"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')|(?P<sign>[\[\]{{}},])|(?P<word>[^\s\[\]{{}},\#"']+)|(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_HEADER = pattern(rf"[ \t]*(\[\[?)[ \t]*({_DOTTED})[ \t]*\]\]?", re.DOTALL)
_PART = pattern(_KEY)
_NESTED = pattern(rf"(?:[\[{{]\s*+){{{MAX_NESTING}}}")
MAX_DOTS = 2_000
"""Dots on one line: the parser takes time with the square of the parts of a key."""
Path = tuple[str | int, ...]


class TomlError(Exception):
    """A text that is not TOML; carries the line and the reason."""

    def __init__(self, line: int | None, why: str) -> None:
        self.line, self.why = line, why
        super().__init__(why)


def read_toml(text: str) -> Node:
    """The document as a mapping. Raises TomlError."""
    if len(text) > MAX_BYTES:
        raise TomlError(None, f"larger than {MAX_BYTES} bytes")
    if _NESTED.search(text) or any(line.count(".") > MAX_DOTS for line in text.split("\n")):
        raise TomlError(None, "nested too deep")
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        place = re.search(r"line (\d+)", str(error))
        raise TomlError(int(place.group(1)) if place else None, str(error)) from error
    return _node(values, (), _places(text), line=1, depth=0)


def _places(text: str) -> dict[Path, int]:
    """Path → line of every header, key and array element."""
    scan = _Scan()
    position, line, at_start = 0, 1, True
    while position < len(text):
        header = _HEADER.match(text, position) if at_start and not scan.inside else None
        match = header or _TOKEN.match(text, position)
        if match is None:
            break
        if header is not None:
            scan.header(_parts(header.group(2)), is_array=header.group(1) == "[[", line=line)
        else:
            scan.take(str(match.lastgroup), match.group(), line)
        at_start = match.lastgroup == "end" or (at_start and match.lastgroup in ("space", "comment"))
        line += match.group().count("\n")
        position = match.end()
    return scan.places


class _Scan:
    """Where we are in the text: the open table, and the open arrays and inline tables of the value being read."""

    def __init__(self) -> None:
        self.places: dict[Path, int] = {}
        self.inside: list[tuple[str, Path, int]] = []
        self._table: Path = ()
        self._key: Path = ()
        self._counts: dict[Path, int] = {}

    def header(self, parts: list[str], *, is_array: bool, line: int) -> None:
        path: Path = ()
        for number, part in enumerate(parts):
            path = (*path, part)
            if is_array and number == len(parts) - 1:
                self._counts[path] = self._counts.get(path, -1) + 1
                self.places.setdefault(path, line)
            if path in self._counts:
                path = (*path, self._counts[path])
        self.places.setdefault(path, line)
        self._table = self._key = path

    def take(self, group: str, sign: str, line: int) -> None:
        if group in ("space", "comment", "end"):
            return
        if group == "assign":
            base = self.inside[-1][1] if self.inside else self._table
            self._key = (*base, *_parts(sign[:-1]))
            self.places.setdefault(self._key, line)
            return
        if sign in ("[", "{"):
            self._value(line)
            self.inside.append((sign, self._key, 0))
        elif sign in ("]", "}"):
            if self.inside:
                self.inside.pop()
        elif sign == ",":
            if self.inside and self.inside[-1][0] == "[":
                opened, path, count = self.inside[-1]
                self.inside[-1] = (opened, path, count + 1)
        else:
            self._value(line)

    def _value(self, line: int) -> None:
        if self.inside and self.inside[-1][0] == "[":
            _, path, count = self.inside[-1]
            self._key = (*path, count)
            self.places.setdefault(self._key, line)


def _parts(dotted: str) -> list[str]:
    return [part[1:-1] if part[0] in "\"'" else part for part in _PART.findall(dotted)]


def _node(value: Json, path: Path, places: dict[Path, int], *, line: int, depth: int) -> Node:
    here = places.get(path, line)
    if depth > MAX_NESTING:
        return Node(None, here, is_known=False, text="(nested too deep)")
    if isinstance(value, dict):
        entries = cast("dict[str, Json]", value)
        below = {key: _node(v, (*path, key), places, line=here, depth=depth + 1) for key, v in entries.items()}
        return Node(below, here, end_line=max([here, *(n.end_line for n in below.values())]))
    if isinstance(value, list):
        items = cast("list[Json]", value)
        nodes = [_node(v, (*path, i), places, line=here, depth=depth + 1) for i, v in enumerate(items)]
        return Node(nodes, here, end_line=max([here, *(n.end_line for n in nodes)]))
    plain: Scalar = value if isinstance(value, str | int | float | bool) else str(value)
    return Node(plain, here, text=str(plain)[:400], end_line=here)
