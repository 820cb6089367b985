"""Source code as a tree of plain nodes, read with tree-sitter grammars by way of ast-grep.

Offsets are characters, lines are 1-based. Everything here is iterative: a file nested fifty thousand deep is
a long list, not a deep recursion. What is too large is not read (None), never half read.
"""

import gc
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import field
from functools import lru_cache

from ast_grep_py import SgNode, SgRoot

from gonogo.record import Record
from heuristics.code.word_sets import words

PARSED = words(
    "python typescript tsx javascript go java kotlin ruby php rust csharp elixir bash scala swift c cpp lua css html yaml json hcl"
)
"""What the wheel can parse; any other name makes it panic."""

_CHARACTERS_LIMIT = 1_500_000
_NODES_LIMIT = 600_000
_ANCESTORS_LIMIT = 100


class Node(Record, frozen=False, eq=False):
    """One node of a syntax tree. Anonymous nodes (keywords, operators) have their text as `kind`."""

    kind: str
    is_named: bool
    start: int
    end: int
    line: int
    end_line: int
    source: str = field(repr=False)
    parent: "Node | None" = field(repr=False)
    children: "list[Node]" = field(repr=False)
    _grammar: SgNode = field(repr=False)
    _by_kind: "dict[str, list[Node]] | None" = field(default=None, repr=False)
    """At the root: every node of the tree under its kind, parents before children."""
    _named: "list[Node] | None" = field(default=None, repr=False)
    view: object = field(default=None, repr=False)
    """What another module made of this node, kept so that a node with ten thousand children is looked at once."""

    @property
    def text(self) -> str:
        """The node as it is written."""
        return self.source[self.start : self.end]

    @property
    def named(self) -> "list[Node]":
        """The children that are more than punctuation, without comments."""
        if self._named is None:
            self._named = [child for child in self.children if child.is_named and "comment" not in child.kind]
        return self._named

    def field(self, name: str) -> "Node | None":
        """The child that the grammar calls `name`."""
        found = self._grammar.field(name)
        if found is None:
            return None
        place = found.range()
        start, end = place.start.index, place.end.index
        return next((c for c in self.children if c.start == start and c.end == end), None)

    def child(self, *kinds: str) -> "Node | None":
        """The first child of one of these kinds."""
        return next((c for c in self.children if c.kind in kinds), None)

    def ancestors(self) -> "Iterator[Node]":
        """The nodes around this one, innermost first; a few hundred at most, so that deep nesting costs no square."""
        node = self.parent
        for _ in range(_ANCESTORS_LIMIT):
            if node is None:
                return
            yield node
            node = node.parent

    def walk(self) -> "Iterator[Node]":
        """The node and everything in it, in the order of the text."""
        pending: list[Node] = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))

    def find(self, *kinds: str) -> "Iterator[Node]":
        """Everything in it of one of these kinds, in the order of the text."""
        if self._by_kind is None:
            return (node for node in self.walk() if node.kind in kinds)
        found = [node for kind in kinds for node in self._by_kind.get(kind, ())]
        return iter(sorted(found, key=lambda node: (node.start, -node.end)))

    def inside(self, *kinds: str) -> "Node | None":
        """The innermost node around this one of one of these kinds."""
        return next((node for node in self.ancestors() if node.kind in kinds), None)


@lru_cache(maxsize=16)
def parse(text: str, language: str) -> Node | None:
    """The tree of a text; None when the language has no grammar here or the text is too large.

    A text with mistakes has a tree all the same, with `ERROR` nodes: see `has_errors`.
    """
    if language not in PARSED or len(text) > _CHARACTERS_LIMIT or is_machine_made(text):
        return None
    with _without_collections():
        return _tree(SgRoot(text, language).root(), text)


LONGEST_LINE = 60_000
"""Characters of a line beyond which nobody wrote it by hand: a bundle, or text made to keep a parser busy."""


def is_machine_made(text: str) -> bool:
    """Whether a line is too long to be read; the report says so."""
    return len(text) > LONGEST_LINE and max(map(len, text.split("\n"))) > LONGEST_LINE


@contextmanager
def _without_collections() -> Generator[None]:
    """A tree is a hundred thousand objects that all live: looking for garbage among them triples the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _tree(grammar: SgNode, text: str) -> Node | None:
    root = _node(grammar, None, text)
    by_kind: dict[str, list[Node]] = {}
    pending = [root]
    count = 0
    while pending:
        node = pending.pop()
        by_kind.setdefault(node.kind, []).append(node)
        node.children = [_node(child, node, text) for child in node._grammar.children()]  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - the builder
        count += len(node.children)
        if count > _NODES_LIMIT:
            return None
        pending.extend(node.children)
    root._by_kind = by_kind  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - the builder
    return root


def has_errors(root: Node) -> bool:
    """Whether the parser had to skip or invent something."""
    return any(
        node.kind == "ERROR" or (node.start == node.end and not node.is_named and node.kind not in _MAY_BE_EMPTY)
        for node in root.walk()
    )


_MAY_BE_EMPTY = frozenset(("\n", ";", "", "\r\n", "_newline"))


def _node(found: SgNode, parent: Node | None, text: str) -> Node:
    place = found.range()
    start, end = place.start, place.end
    return Node(found.kind(), found.is_named(), start.index, end.index, start.line + 1, end.line + 1, text, parent, [], found)
