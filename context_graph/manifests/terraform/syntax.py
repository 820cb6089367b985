"""HCL text → blocks and attributes, with lines. Broken text gives what could be read and where it broke."""

from dataclasses import dataclass, field
from functools import cache

from tree_sitter import Language, Parser
from tree_sitter import Node as Syntax

MAX_BYTES = 2_000_000
MAX_BLOCK_DEPTH = 20


@dataclass(slots=True)
class Attribute:
    """`name = expression`."""

    name: str
    expression: Syntax
    line: int
    file: str


@dataclass(slots=True)
class Block:
    """`type "label" "label" { ... }`."""

    type: str
    labels: list[str]
    line: int
    end_line: int
    file: str
    attributes: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    blocks: "list[Block]" = field(default_factory=list)


@dataclass(slots=True)
class Parsed:
    """The top level of one file. `broken_line` is where the text stops being HCL, or None."""

    body: Block
    broken_line: int | None = None


def parse_hcl(text: str, file: str) -> Parsed:
    """The blocks of a file; a file that is too large is broken at its first line."""
    body = Block("", [], 1, text.count("\n") + 1, file)
    if len(text) > MAX_BYTES:
        return Parsed(body, 1)
    root = _parser().parse(text.encode()).root_node
    for child in root.children:
        if child.type == "body":
            _read_body(child, body, 0)
        elif child.type in ("attribute", "block"):
            _read_body(root, body, 0)
            break
    return Parsed(body, _first_error(root) if root.has_error else None)


def written(node: Syntax) -> str:
    """The source text of a node."""
    return (node.text or b"").decode(errors="replace")


@cache
def _parser() -> Parser:
    import tree_sitter_hcl  # noqa: PLC0415 - only when there is HCL to read

    return Parser(Language(tree_sitter_hcl.language()))


def _read_body(node: Syntax, block: Block, depth: int) -> None:
    for child in node.children:
        if child.type == "attribute":
            name, expression = child.children[0], child.children[-1]
            if expression.type == "expression":
                key = written(name)
                block.attributes[key] = Attribute(key, expression, child.start_point[0] + 1, block.file)
        elif child.type == "block" and depth < MAX_BLOCK_DEPTH:
            block.blocks.append(_read_block(child, block.file, depth + 1))
        elif child.type in ("ERROR", "body"):
            _read_body(child, block, depth) if depth < MAX_BLOCK_DEPTH else None


def _read_block(node: Syntax, file: str, depth: int) -> Block:
    words: list[str] = []
    body: Syntax | None = None
    for child in node.children:
        if child.type == "identifier":
            words.append(written(child))
        elif child.type == "string_lit":
            words.append(written(child)[1:-1])
        elif child.type == "body":
            body = child
    block = Block(words[0] if words else "", words[1:], node.start_point[0] + 1, node.end_point[0] + 1, file)
    if body is not None:
        _read_body(body, block, depth)
    return block


def _first_error(root: Syntax) -> int:
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type == "ERROR" or node.is_missing:
            return node.start_point[0] + 1
        stack += [child for child in reversed(node.children) if child.has_error or child.is_missing]
    return 1
