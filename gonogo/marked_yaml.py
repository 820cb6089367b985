"""Reads a small YAML file of strangers: plain values, and the line of each; every mistake with its line, no crash, no bomb.

The parser's events are walked with a list of our own, so depth costs no stack; an alias counts as much as what it stands for.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from gonogo.errors import Mistake

if TYPE_CHECKING:
    import yaml

Path = tuple[str | int, ...]
"""Keys and indexes from the top: `("benchmarks", 0, "gates")`."""

MAX_CHARACTERS = 200_000
MAX_VALUES = 20_000
MAX_DEPTH = 40
_MAX_NUMBER = 40
"""Characters of a number: a longer one is no setting, and costs quadratic time."""
_TAGS = "tag:yaml.org,2002:"
_PLAIN = frozenset(f"{_TAGS}{name}" for name in ("null", "bool", "int", "float", "timestamp", "str"))


@dataclass(frozen=True, slots=True)
class Marked:
    """A document: its value, the line on which each path begins, and what is wrong with it.

    `is_whole` False: it could not be read to its end, and there is no value.
    """

    value: object = None
    lines: Mapping[Path, int] = field(default_factory=dict[Path, int])
    mistakes: tuple[Mistake, ...] = ()
    is_whole: bool = True

    def line_of(self, path: Path) -> int | None:
        """The line of this path, or of the nearest one around it that stands in the file."""
        return next((self.lines[path[:n]] for n in range(len(path), -1, -1) if path[:n] in self.lines), None)


def read_marked(text: str) -> Marked:
    """The one document of the text; a value that is wrong by itself is None in it."""
    if len(text) > MAX_CHARACTERS:
        return _broken(None, f"it has {len(text):,} characters; {MAX_CHARACTERS:,} are read at the most")
    import yaml  # noqa: PLC0415  only when there is a file

    if found := yaml.reader.Reader.NON_PRINTABLE.search(text) or re.search(r"[\ud800-\udfff]", text):
        line = text.count("\n", 0, found.start()) + 1
        return _broken(line, f"not valid YAML: it holds the character U+{ord(found[0]):04X}")
    reading = _Reading()
    try:
        for event in cast("Any", yaml).parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            reading.take(event)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        return _broken(line, f"not valid YAML: {error.problem or error.context}", *reading.mistakes)
    except _TooMuch as error:
        return _broken(error.line, error.message, *reading.mistakes)
    return Marked(reading.value, _lines(reading.marks), tuple(reading.mistakes))


def _broken(line: int | None, message: str, *others: Mistake) -> Marked:
    return Marked(mistakes=(*others, Mistake(line, message)), is_whole=False)


class _TooMuch(Exception):
    def __init__(self, line: int, message: str) -> None:
        self.line, self.message = line, message
        super().__init__(message)


@dataclass(slots=True)
class _Open:
    """A list or mapping that is being read; `key` is the one whose value comes next."""

    value: dict[str, Any] | list[Any]
    line: int
    anchor: str | None
    lines: dict[str | int, int] = field(default_factory=dict[str | int, int])
    key: str | None = None
    size: int = 1
    height: int = 1


@dataclass(slots=True)
class _Mark:
    """Where a list or mapping and its members begin."""

    line: int
    members: Mapping[str | int, int]
    inside: dict[str | int, "_Mark"]


@dataclass(frozen=True, slots=True)
class _Node:
    """A value that is complete, how many values it holds, and how deep."""

    value: Any
    size: int = 1
    height: int = 0
    mark: _Mark | None = None


class _Reading:
    def __init__(self) -> None:
        import yaml  # noqa: PLC0415

        self.value: object = None
        self.marks: _Mark | None = None
        self.mistakes: list[Mistake] = []
        self._open: list[_Open] = []
        self._inside: list[dict[str | int, _Mark]] = []
        self._anchors: dict[str, _Node] = {}
        self._documents = 0
        self._plain_values: Any = yaml.SafeLoader("")

    def take(self, event: "yaml.Event") -> None:
        import yaml  # noqa: PLC0415

        line = event.start_mark.line + 1
        match event:
            case yaml.DocumentStartEvent():
                self._documents += 1
                if self._documents > 1:
                    raise _TooMuch(line, "a second document begins here; one is read")
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                if len(self._open) >= MAX_DEPTH:
                    raise _TooMuch(line, f"nested deeper than {MAX_DEPTH} levels")
                self._check_tag(event.tag, line)
                self._no_key(line)
                self._open.append(_Open({} if isinstance(event, yaml.MappingStartEvent) else [], line, event.anchor))
                self._inside.append({})
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                done, inside = self._open.pop(), self._inside.pop()
                node = _Node(done.value, done.size, done.height, _Mark(done.line, done.lines, inside))
                self._add(node, done.line, done.anchor)
            case yaml.ScalarEvent():
                self._scalar(event, line)
            case yaml.AliasEvent():
                node = self._anchors.get(event.anchor)
                if node is None:
                    raise _TooMuch(line, f"*{event.anchor} stands for nothing that is complete before this line")
                self._no_key(line)
                self._add(node, line, None)
            case _:
                pass

    def _no_key(self, line: int) -> None:
        if self._open and isinstance(self._open[-1].value, dict) and self._open[-1].key is None:
            raise _TooMuch(line, "a key has to be text")

    def _scalar(self, event: "yaml.ScalarEvent", line: int) -> None:
        inside = self._open[-1] if self._open else None
        if inside is None or not isinstance(inside.value, dict) or inside.key is not None:
            self._add(_Node(self._plain(event, line)), line, event.anchor)
            return
        if event.value in inside.lines:
            self.mistakes.append(Mistake(line, f"'{event.value}' is given twice, on line {inside.lines[event.value]} as well"))
        inside.key = event.value
        inside.lines.setdefault(event.value, line)

    def _plain(self, event: "yaml.ScalarEvent", line: int) -> Any:
        import yaml  # noqa: PLC0415

        if event.tag is None and not event.implicit[0]:
            return event.value  # in quotes, or a block
        tag = event.tag
        if tag is None or tag == "!":
            tag = str(self._plain_values.resolve(yaml.ScalarNode, event.value, event.implicit))
        if tag not in _PLAIN:
            self._check_tag(tag, line)
            return None
        if tag in (f"{_TAGS}int", f"{_TAGS}float") and len(event.value) > _MAX_NUMBER:
            self.mistakes.append(Mistake(line, f"a number of {len(event.value):,} characters is too long"))
            return None
        try:
            return self._plain_values.construct_object(yaml.ScalarNode(tag, event.value))
        except (ValueError, OverflowError, TypeError, LookupError, AttributeError):
            kind = tag.removeprefix(_TAGS)
            said = f"'{event.value[:40]}' cannot be read as {kind}; put it in quotes if it is text"
            self.mistakes.append(Mistake(line, said))
            return None

    def _check_tag(self, tag: str | None, line: int) -> None:
        if tag is not None and tag not in (*_PLAIN, "!", f"{_TAGS}map", f"{_TAGS}seq"):
            self.mistakes.append(Mistake(line, f"the tag {tag.replace(_TAGS, '!!')[:60]} is not read here"))

    def _add(self, node: _Node, line: int, anchor: str | None) -> None:
        if anchor is not None:
            self._anchors[anchor] = node
        if not self._open:
            self.value, self.marks = node.value, node.mark
            return
        if len(self._open) + node.height > MAX_DEPTH:
            raise _TooMuch(line, f"nested deeper than {MAX_DEPTH} levels")
        inside, marks = self._open[-1], self._inside[-1]
        inside.size += node.size
        inside.height = max(inside.height, node.height + 1)
        if inside.size > MAX_VALUES:
            raise _TooMuch(line, f"it holds more than {MAX_VALUES:,} values, what its aliases stand for included")
        at: str | int
        if isinstance(inside.value, list):
            at = len(inside.value)
            inside.value.append(node.value)
            inside.lines[at] = line
        else:
            at, inside.key = str(inside.key), None
            if at == "<<" and isinstance(node.value, dict):
                inside.value = {**cast("dict[str, Any]", node.value), **inside.value}
                return
            inside.value[at] = node.value
        if node.mark is not None:
            marks[at] = node.mark


def _lines(mark: _Mark | None) -> dict[Path, int]:
    return dict(_walked((), mark)) if mark is not None else {}


def _walked(path: Path, mark: _Mark) -> Iterator[tuple[Path, int]]:
    """Every path; what an alias stands for is walked each time, within the limit of values."""
    yield path, mark.line
    for name, line in mark.members.items():
        yield (*path, name), line
    for name, inside in mark.inside.items():
        for at, line in _walked((*path, name), inside):
            if at != (*path, name):
                yield at, line
