"""Where in the program a call stands: for the report's "asked again because the input changed", never for the key."""

from contextvars import ContextVar
from hashlib import blake2b


class Place:
    """A branch of the program, in which one thing happens after another and can be counted."""

    __slots__ = ("_path", "_steps")

    def __init__(self, path: str = "") -> None:
        self._path = path
        self._steps = 0

    def step(self) -> "Place":
        """The next thing on this branch."""
        self._steps += 1
        return Place(f"{self._path}/{self._steps}")

    def branch(self, number: int) -> "Place":
        """One of the things that run side by side here."""
        return Place(f"{self._path}.{number}")

    def __str__(self) -> str:
        """Like `/1.7.2/1`: the first pipeline, item 7, stage 2, first call."""
        return self._path

    @property
    def digest(self) -> str:
        """16 hexadecimal digits, the width of a column in the journal."""
        return blake2b(self._path.encode(), digest_size=8).hexdigest()


HERE: ContextVar[Place | None] = ContextVar("HERE", default=None)
"""The branch of the current task; None at the top of the program."""
