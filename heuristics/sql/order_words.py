"""The words for a migration that is out of order."""

from enum import StrEnum

from gonogo.change import Side
from gonogo.record import Record


class OrderingKind(StrEnum):
    """What is out of order."""

    OLDER_ID = "older_id"
    DUPLICATE_ID = "duplicate_id"
    TWO_HEADS = "two_heads"
    MERGED = "merged"
    """A second head that another migration of the same change joins to the first."""
    MISSING_PARENT = "missing_parent"
    EDITED = "edited"
    REMOVED = "removed"
    RENAMED = "renamed"
    NOT_IN_JOURNAL = "not_in_journal"


class Outcome(StrEnum):
    """What the runner does about it at the next deploy."""

    SKIPPED = "skipped"
    FAILS = "fails"
    APPLIED = "applied"
    IGNORED = "ignored"
    WARNS = "warns"
    UNKNOWN = "unknown"


class OrderingProblem(Record, kw_only=True):
    """One migration out of order, with the one it collides with."""

    kind: OrderingKind
    runner: str
    outcome: Outcome
    file: str
    line: int
    side: Side = "head"
    migration_id: str | None = None
    other_file: str | None = None
    other_line: int = 1
    other_id: str | None = None
    message: str = ""
