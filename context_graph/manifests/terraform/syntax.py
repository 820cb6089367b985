"""HCL text → blocks and attributes, with lines. Broken text gives what could be read and where it broke."""

from dataclasses import field
from functools import cache

from tree_sitter import Language, Parser
from tree_sitter import Node as Grammar

from gonogo.record import Record

MAX_BYTES = 2_000_000
MAX_BLOCK_DEPTH = 20


class Syntax:
    """A part of an expression: what the grammar calls it, its lines, and, once asked for, its text and its parts.

    Expressions are evaluated once for every use of their module, and asking the grammar's tree costs ten times as much.
    """

    __slots__ = ("_children", "_node", "_text", "call", "end_line", "line", "path", "type")

    def __init__(self, node: Grammar) -> None:
        self._node = node
        self.type = node.type
        self.line, self.end_line = node.start_point[0] + 1, node.end_point[0] + 1
        self._children: list[Syntax] | None = None
        self._text: str | None = None
        self.path: tuple[tuple[str, ...], str] | None = None
        """The names of a traversal that begins here, when they are all literal, and its text; kept by the evaluation."""
        self.call: tuple[str, list[Syntax], bool] | None = None
        """Of a call its function, its arguments, and whether the last of them is spread out; kept by the evaluation."""

    @property
    def children(self) -> "list[Syntax]":
        """The parts in the order in which they are written."""
        if self._children is None:
            self._children = [Syntax(child) for child in self._node.children]
        return self._children

    @property
    def text(self) -> str:
        """The source text."""
        if self._text is None:
            self._text = _written(self._node)
        return self._text


class Attribute(Record, frozen=False):
    """`name = expression`."""

    name: str
    expression: Syntax
    line: int
    file: str


class Block(Record, frozen=False):
    """`type "label" "label" { ... }`."""

    type: str
    labels: list[str]
    line: int
    end_line: int
    file: str
    attributes: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    blocks: "list[Block]" = field(default_factory=list)


class Parsed(Record, frozen=False):
    """The top level of one file. `broken_line` is where the text stops being HCL, or None."""

    body: Block
    broken_line: int | None = None


def parse_hcl(text: str, file: str, trees: dict[str, Grammar] | None = None) -> Parsed:
    """The blocks of a file; a file that is too large is broken at its first line.

    `trees` keeps what the parser makes of a text: trees of modules have many files that are copies of each other.
    """
    body = Block("", [], 1, text.count("\n") + 1, file)
    if len(text) > MAX_BYTES:
        return Parsed(body, 1)
    root = trees.get(text) if trees is not None else None
    if root is None:
        root = _parser().parse(text.encode(errors="replace")).root_node
        if trees is not None:
            trees[text] = root
    for child in root.children:
        if child.type == "body":
            _read_body(child, body, 0)
        elif child.type in ("attribute", "block"):
            _read_body(root, body, 0)
            break
    return Parsed(body, _first_error(root) if root.has_error else None)


def _written(node: Grammar) -> str:
    return (node.text or b"").decode(errors="replace")


@cache
def _parser() -> Parser:
    import tree_sitter_hcl  # noqa: PLC0415 - only when there is HCL to read

    return Parser(Language(tree_sitter_hcl.language()))


def _read_body(node: Grammar, block: Block, depth: int) -> None:
    for child in node.children:
        if child.type == "attribute":
            name, expression = child.children[0], child.children[-1]
            if expression.type == "expression":
                key = _written(name)
                block.attributes[key] = Attribute(key, Syntax(expression), child.start_point[0] + 1, block.file)
        elif child.type == "block" and depth < MAX_BLOCK_DEPTH:
            block.blocks.append(_read_block(child, block.file, depth + 1))
        elif child.type in ("ERROR", "body"):
            _read_body(child, block, depth) if depth < MAX_BLOCK_DEPTH else None


def _read_block(node: Grammar, file: str, depth: int) -> Block:
    words: list[str] = []
    body: Grammar | None = None
    for child in node.children:
        if child.type == "identifier":
            words.append(_written(child))
        elif child.type == "string_lit":
            words.append(_written(child)[1:-1])
        elif child.type == "body":
            body = child
    block = Block(words[0] if words else "", words[1:], node.start_point[0] + 1, node.end_point[0] + 1, file)
    if body is not None:
        _read_body(body, block, depth)
    return block


def _first_error(root: Grammar) -> int:
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type == "ERROR" or node.is_missing:
            return node.start_point[0] + 1
        stack += [child for child in reversed(node.children) if child.has_error or child.is_missing]
    return 1
