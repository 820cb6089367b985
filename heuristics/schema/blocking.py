"""How long a slow statement keeps others waiting, from bytes and rows: a lower and an upper bound in seconds.

The rates are those of `pg-blast-radius` (100-200 MB/s to scan, 50-100 to rewrite, 30-80 to build an index). The fast end gives the
lower bound, the slow end the upper one; a server that is busy is slower than both.
"""

from collections.abc import Callable, Mapping
from typing import Literal

from gonogo.record import Record
from heuristics.sql.catalog import key_of
from heuristics.sql.words import Action, Simulated

Work = Literal["scan", "rewrite", "build", "update"]

_MEGABYTE = 1e6
RATES: Mapping[Work, tuple[float, float]] = {
    "scan": (200 * _MEGABYTE, 100 * _MEGABYTE),
    "rewrite": (100 * _MEGABYTE, 50 * _MEGABYTE),
    "build": (80 * _MEGABYTE, 30 * _MEGABYTE),
    "update": (100 * _MEGABYTE, 20 * _MEGABYTE),
}
"""Bytes a second, fast and slow."""
ROW_BYTES = 60
"""When only the rows are known: a narrow row, header included, so that the lower bound stays one."""

_BUILDS = frozenset(
    {
        Action.CREATE_INDEX,
        Action.REINDEX,
        Action.ADD_UNIQUE,
        Action.ADD_PRIMARY_KEY,
        Action.ADD_EXCLUSION,
        Action.ATTACH_PARTITION,
    }
)
_UPDATES = frozenset({Action.UPDATE, Action.DELETE, Action.DATA, Action.INSERT})


class Seconds(Record):
    """A duration between two bounds."""

    low: float
    high: float

    def at_most(self, limit: float | None) -> "Seconds":
        """Cut off by a time-out, when there is one."""
        return self if limit is None else Seconds(min(self.low, limit), min(self.high, limit))


def work_of(step: Simulated) -> Work:
    """What the slow part of the operation consists of."""
    if step.operation.action in _UPDATES:
        return "update"
    if step.operation.action in _BUILDS:
        return "build"
    return "rewrite" if step.effect.rewrites else "scan"


def duration(work: Work, *, total_bytes: float | None, rows: float | None) -> Seconds | None:
    """How long the work takes on a table of that size; None when no size is known.

    An index is built from a sequential scan and then written: the scan alone is the floor, so that a wide table with a
    narrow index is not overestimated.
    """
    size = total_bytes if total_bytes is not None else (rows * ROW_BYTES if rows is not None else None)
    if size is None:
        return None
    fast, slow = RATES[work]
    if work == "build":
        return Seconds(size / RATES["scan"][0], size / slow)
    return Seconds(size / fast, size / slow)


def slow_tables(step: Simulated) -> tuple[str, ...]:
    """The tables whose size decides how long it takes."""
    listed = (*step.effect.rewrites, *step.effect.scans)
    if not listed and step.operation.table is not None and step.slow_under:
        listed = (step.operation.table, *step.operation.reads)
    return tuple(dict.fromkeys(key_of(t) for t in listed))


def waiting_tables(step: Simulated) -> dict[str, bool]:
    """Table → True when its reads wait too, while the operation is slow."""
    readers = {key_of(t) for t in step.blocks_reads}
    return {key_of(t): key_of(t) in readers for t in step.slow_under}


def total_duration(step: Simulated, size_of: Callable[[str], tuple[float | None, float | None]]) -> Seconds | None:
    """The slow tables together; `size_of` gives bytes and rows. None when no size of any of them is known.

    A foreign key is checked from the rows of its own table: the table it references is looked up by its key, or read in
    full at the worst, so it counts for the upper bound alone.
    """
    work, op = work_of(step), step.operation
    own = key_of(op.table or "")
    is_key = op.referenced_table is not None and op.action in (
        Action.ADD_FOREIGN_KEY,
        Action.ADD_COLUMN,
        Action.VALIDATE_CONSTRAINT,
    )
    known: dict[str, Seconds] = {}
    for table in slow_tables(step):
        total_bytes, rows = size_of(table)
        found = duration(work, total_bytes=total_bytes, rows=rows)
        if found is not None:
            known[table] = found
    if not known or (is_key and own not in known):
        return None
    low = known[own].low if is_key else sum(s.low for s in known.values())
    return Seconds(low, sum(s.high for s in known.values()))
