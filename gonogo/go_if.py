"""The smallest changes that would turn a no-go, each tried by the deterministic part before it is said."""

from typing import Literal

from gonogo.word import Word


class Edit(Word):
    """Lines of a file at head, and what would stand there instead.

    `line` is 1-based; `replaces` counts the head lines from it on that go, 0 where lines are only put in before it. With
    `is_whole_file` the file stays as it is at the base (or stays away, where the change adds it): `lines` is empty, and
    `replaces` counts the lines that the change touches in it.
    """

    file: str
    line: int = 1
    replaces: int = 0
    lines: tuple[str, ...] = ()
    is_whole_file: bool = False

    @property
    def size(self) -> int:
        """How many lines it touches."""
        return max(self.replaces, len(self.lines), 1)


class GoIf(Word):
    """Edits of the head with which the same evaluation says go.

    `kind` is `rewrite` (the same done safely) or `leave-out` (a part of the change does not come). `says` goes on after 'Go if'.
    """

    kind: Literal["rewrite", "leave-out"]
    says: str
    edits: tuple[Edit, ...]
    then: tuple[str, ...] = ()
    """What belongs to the rewrite and comes after it, in order: `code` of a later migration, or what is to be done in words."""

    @property
    def size(self) -> int:
        """How many lines it touches."""
        return sum(edit.size for edit in self.edits)
