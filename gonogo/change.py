"""What a pull request changes: files, hunks, commits and its own words."""

from enum import StrEnum
from typing import Literal

from gonogo.word import Word

Side = Literal["base", "head"]
"""Which tree a path and a line number refer to: before the change, or after it."""


class ChangeKind(StrEnum):
    """What happened to a file."""

    ADDED = "added"
    DELETED = "deleted"
    MODIFIED = "modified"
    RENAMED = "renamed"
    MODE = "mode"
    SUBMODULE = "submodule"


class Hunk(Word):
    """One run of changed lines; both starts are 1-based, a count of 0 means nothing on that side.

    With `base_count` 0 the lines went in after `base_start`; with `head_count` 0 lines went out and
    `head_start` is the head line after which they stood.
    """

    base_start: int
    base_count: int
    head_start: int
    head_count: int
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


class ChangedFile(Word):
    """One file of the change. `path` is the head path, or the base path of a deleted file."""

    path: str
    base_path: str | None = None
    head_path: str | None = None
    kind: ChangeKind
    is_binary: bool = False
    hunks: tuple[Hunk, ...] = ()
    note: str | None = None
    """Why hunks are missing although the content changed (too large, not text), or None."""
    is_rebuilt: bool = False
    """Git showed no lines of it (another encoding), and its hunk was made from the text of both sides."""
    base_object: str = ""
    head_object: str = ""
    """Mode and id of what git holds for the path on that side, as `100644 3b18e512…`; empty for no file, or without git."""

    def added_lines(self) -> dict[int, str]:
        """Head line number → text of every added line."""
        return {h.head_start + i: text for h in self.hunks for i, text in enumerate(h.added)}

    def removed_lines(self) -> dict[int, str]:
        """Base line number → text of every removed line."""
        return {h.base_start + i: text for h in self.hunks for i, text in enumerate(h.removed)}

    def head_line_after_which(self, base_line: int) -> int:
        """The head line after which a removed base line stood (at least 1 when the head file has lines)."""
        shift = 0
        for hunk in self.hunks:
            if base_line < hunk.base_start + (1 if hunk.base_count == 0 else 0):
                break
            if base_line < hunk.base_start + hunk.base_count:
                return max(1, hunk.head_start - (1 if hunk.head_count else 0))
            shift += hunk.head_count - hunk.base_count
        return max(1, base_line + shift)


class Commit(Word):
    """One commit of the range, newest first."""

    sha: str
    message: str
    author: str = ""


class ChangeSet(Word):
    """The whole change, from the merge base of base and head to head."""

    repository: str
    """`github:owner/name`, or `local:<folder>`."""
    base: str
    head: str
    files: tuple[ChangedFile, ...]
    commits: tuple[Commit, ...] = ()
    title: str = ""
    body: str = ""

    def file(self, path: str) -> ChangedFile | None:
        """The changed file with that path on either side."""
        return next((f for f in self.files if path in (f.path, f.base_path, f.head_path)), None)
