"""The value tree that every manifest format is read into: values with the line they stand on, and what they refer to."""

from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from context_graph.normal_form import canonical
from gonogo.record import Record
from gonogo.word import Json

Scalar = str | int | float | bool | None
MAX_DEPTH = 60
"""Deeper trees are cut: what is below is unknown, not absent."""

MAX_WALK = 20_000
"""Nodes of one tree that are looked at."""


class Reference(Record):
    """A mention of another resource of the same tree, by address; `attribute` is what of it is used."""

    target: str
    attribute: str
    line: int


class Node(Record, frozen=False):
    """One value. `is_known` is False when it is an expression that the manifest alone does not settle.

    Treated as frozen once its reader has finished it; not declared so because that doubles the cost of making one.
    """

    value: "Scalar | list[Node] | dict[str, Node]"
    line: int
    text: str = ""
    is_known: bool = True
    references: tuple[Reference, ...] = ()
    file: str | None = None
    """Another file than the resource's, when the value comes from there."""
    end_line: int = 0
    tree: "Node | None" = None
    """Of a text that is JSON with interpolations: what it is, each interpolation in its place."""

    def get(self, *path: str) -> "Node | None":
        """The node below, keys compared without case and separators; lists of one mapping are seen through."""
        node: Node | None = self
        for key in path:
            if node is None:
                return None
            node = node.single().entries().get(canonical(key)) or _spelled_otherwise(node.single(), canonical(key))
        return node

    def single(self) -> "Node":
        """The only element of a list of one, else the node itself."""
        return self.value[0] if isinstance(self.value, list) and len(self.value) == 1 else self

    def entries(self) -> "dict[str, Node]":
        """The mapping's entries as they are spelled; none when this is not a mapping."""
        return self.value if isinstance(self.value, dict) else {}

    def items(self) -> "list[Node]":
        """The elements of a list; a mapping or scalar stands for a list of itself, nothing for an empty one."""
        if isinstance(self.value, list):
            return self.value
        return [] if self.value is None and self.is_known else [self]

    def string(self) -> str | None:
        """The known scalar as text, or None."""
        if not self.is_known or isinstance(self.value, list | dict) or self.value is None:
            return None
        if isinstance(self.value, bool):
            return "true" if self.value else "false"
        return str(self.value)

    def number(self) -> float | None:
        """The known scalar as a number, or None."""
        if not self.is_known or isinstance(self.value, bool | list | dict) or self.value is None:
            return None
        try:
            return float(self.value)
        except ValueError:
            return None

    def json(self) -> Json:
        """The plain value; unknown parts are their text, and what is past the limits of depth and size is None."""
        return _plain(self, 0, [MAX_WALK])

    def walk(self) -> "Iterator[tuple[tuple[str, ...], Node]]":
        """Every node of the tree with its path, in document order; list positions are not part of a path.

        Values are shared, so a short text can make a tree that is endless to walk: it ends after `MAX_WALK` nodes.
        """
        stack: list[tuple[tuple[str, ...], Node]] = [((), self)]
        left = MAX_WALK
        while stack and left:
            path, node = stack.pop()
            left -= 1
            yield path, node
            if isinstance(node.value, dict):
                stack += [((*path, key), below) for key, below in reversed(node.value.items())]
            elif isinstance(node.value, list):
                stack += [(path, below) for below in reversed(node.value)]

    def mentions(self) -> "list[tuple[tuple[str, ...], Node]]":
        """The nodes of the tree that refer to something, with their paths, in document order; cut like `walk`."""
        if not isinstance(self.value, dict | list):
            return [((), self)] if self.references else []
        found: list[tuple[tuple[str, ...], Node]] = []
        stack: list[tuple[tuple[str, ...], Node]] = [((), self)]
        left = MAX_WALK
        while stack and left:
            path, node = stack.pop()
            left -= 1
            if node.references:
                found.append((path, node))
            below = node.value
            if isinstance(below, dict):
                stack += [((*path, key), inner) for key, inner in reversed(below.items())]
            elif isinstance(below, list):
                stack += [(path, inner) for inner in reversed(below)]
        return found

    def without(self, *keys: str) -> "Node":
        """The mapping without these keys."""
        gone = {canonical(key) for key in keys}
        return replace(self, value={k: v for k, v in self.entries().items() if canonical(k) not in gone})

    def without_path(self, path: tuple[str, ...]) -> "Node":
        """The mapping without what stands at this exact path."""
        entries = self.entries()
        if not path or path[0] not in entries:
            return self
        if len(path) == 1:
            return replace(self, value={key: node for key, node in entries.items() if key != path[0]})
        return replace(self, value={**entries, path[0]: entries[path[0]].without_path(path[1:])})


def _plain(node: Node, depth: int, left: list[int]) -> Json:
    left[0] -= 1
    if not node.is_known:
        return node.text
    if depth > MAX_DEPTH or left[0] < 0:
        return None
    if isinstance(node.value, dict):
        return {key: _plain(below, depth + 1, left) for key, below in node.value.items()}
    if isinstance(node.value, list):
        return [_plain(below, depth + 1, left) for below in node.value] if left[0] > len(node.value) else None
    return node.value


def _spelled_otherwise(node: Node, wanted: str) -> Node | None:
    return next((below for key, below in node.entries().items() if canonical(key) == wanted), None)


def mapping(entries: dict[str, Node], line: int, *, end_line: int = 0, file: str | None = None) -> Node:
    """A mapping node."""
    return Node(entries, line, end_line=end_line, file=file)


class Draft(Record, frozen=False):
    """A resource on its way to `Declared`: what the format's reader knows, with its properties as a tree."""

    kind: str
    address: str
    file: str
    line: int
    end_line: int
    node: Node
    name: str | None = None
    is_conditional: bool = False
    environment: str | None = None
    scope: str = ""
    """What addresses are unique within: the directory of a Terraform root, the file elsewhere."""
    extra: dict[str, Node] = field(default_factory=dict[str, Node])
    """Settings that the reader knows already by their normal-form key."""
    ready: Sequence[str] = ()
    """Paths at the top of `node` that `extra` stands for; they are not flattened again."""
    part_of: str = ""
    """Address of the resource that this is only a part of: an event of a function, a patch of an object."""


class Link(Record):
    """An edge that a format's reader found, between addresses of one scope."""

    source: str
    target: str
    relation: str
    file: str
    line: int
    evidence: str = ""
    scope: str = ""
    target_scope: str | None = None
    """Where the target's address belongs, when that is another scope than the source's."""


class Stack(Record, frozen=False):
    """A template as others see it. Values are resolved as far as it goes by itself."""

    file: str
    ssm_paths: dict[str, str] = field(default_factory=dict[str, str])
    """Parameter whose value is kept in SSM → the path there."""
    defaults: dict[str, str] = field(default_factory=dict[str, str])
    outputs: dict[str, Node] = field(default_factory=dict[str, Node])
    exports: dict[str, Node] = field(default_factory=dict[str, Node])
    nested: dict[str, tuple[str, dict[str, Node]]] = field(default_factory=dict[str, tuple[str, dict[str, Node]]])
    """Address of a nested stack → where its template is, and the parameters given to it."""


class Reading(Record, frozen=False):
    """What one reader found: drafts, links and what it could not read."""

    drafts: list[Draft] = field(default_factory=list[Draft])
    links: list[Link] = field(default_factory=list[Link])
    not_read: list[tuple[str, int | None, str]] = field(default_factory=list[tuple[str, int | None, str]])
    stacks: list[Stack] = field(default_factory=list[Stack])

    def add(self, other: "Reading") -> None:
        """Takes over what another reading found."""
        self.drafts += other.drafts
        self.links += other.links
        self.not_read += other.not_read
        self.stacks += other.stacks
