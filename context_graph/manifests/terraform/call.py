"""A call of a built-in function, and what is asked of a function."""

from collections.abc import Callable

from context_graph.manifests.node import Node
from gonogo.record import Record

MAX_TEXT = 100_000
MAX_ITEMS = 5_000


class Call(Record):
    """A call as it is written, with its arguments' values."""

    arguments: list[Node]
    line: int
    text: str


Function = Callable[[Call], Node | None]
"""The value of a call, or None when it is not known."""


def replace_arguments(call: Call, arguments: list[Node]) -> Call:
    """The same call with other arguments."""
    return Call(arguments, call.line, call.text)
