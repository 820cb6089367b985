"""Source trees of languages other than Python, read by ast-grep and walked without unbounded recursion."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ast_grep_py import SgNode

MOST_DEPTH = 60
_LONGEST = 1_000_000


def syntax_tree(text: str, language: str) -> "SgNode | None":
    """The root of the tree, or None when the text can not be read."""
    if len(text) > _LONGEST:
        return None
    from ast_grep_py import SgRoot  # noqa: PLC0415 - only these languages need it

    try:
        return SgRoot(text, language).root()
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # noqa: BLE001 - ast-grep panics with a BaseException of its own
        return None


def named(node: "SgNode") -> list["SgNode"]:
    """The children that carry meaning, comments left out."""
    return [c for c in node.children() if c.is_named() and c.kind() != "comment"]


def first(node: "SgNode", *kinds: str) -> "SgNode | None":
    """The first child of one of these kinds."""
    return next((c for c in node.children() if c.kind() in kinds), None)


def below(node: "SgNode", *kinds: str) -> Iterator["SgNode"]:
    """Every node of these kinds below, in order, not looking inside one that was found."""
    stack = [node]
    while stack:
        found = stack.pop()
        if found.kind() in kinds:
            yield found
            continue
        stack.extend(reversed(found.children()))


def everywhere(node: "SgNode", *kinds: str) -> Iterator["SgNode"]:
    """Every node of these kinds below, in order, nested ones too."""
    stack = [node]
    while stack:
        found = stack.pop()
        if found.kind() in kinds:
            yield found
        stack.extend(reversed(found.children()))


def line_of(node: "SgNode") -> int:
    """The 1-based line a node starts on."""
    return node.range().start.line + 1


def end_line_of(node: "SgNode") -> int:
    """The 1-based line a node ends on."""
    end = node.range().end
    return end.line + (1 if end.column > 0 or end.line == node.range().start.line else 0)


class Missing:
    """A value that the text does not settle."""

    def __repr__(self) -> str:
        return "Missing()"


MISSING = Missing()
