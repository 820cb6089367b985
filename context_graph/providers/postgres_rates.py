"""Rates from counters: what two readings say a second, and what a counter says since it was reset."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class Counters:
    """One reading of pg_stat_user_tables and pg_stat_user_indexes."""

    tables: list[dict[str, Any]]
    indexes: list[dict[str, Any]]
    stats_reset: datetime | None


@dataclass(frozen=True)
class TableRates:
    """Of one relation; a rate is None when its counters were reset between the readings, or it is new."""

    writes_per_second: float | None
    reads_per_second: float | None
    inserts_per_second: float | None
    dead_tuples: float | None


@dataclass(frozen=True)
class Rates:
    """By relation (its oid)."""

    tables: Mapping[int, TableRates] = field(default_factory=dict[int, TableRates])
    scans_per_hour: Mapping[int, float] = field(default_factory=dict[int, float])
    scans: Mapping[int, float] = field(default_factory=dict[int, float])
    since: datetime | None = None
    """Since when the counters count; None when nobody says."""
    interval_s: float = 0.0
    notes: tuple[str, ...] = ()


def rates_between(first: Counters, second: Counters, *, initialised: datetime | None) -> Rates:
    """Writes and reads a second between two readings; scans an hour since the statistics were reset.

    `initialised` is when the cluster was made. PostgreSQL 15 and later name no reset before the first one: the counters are then
    at most that old, so scans an hour are at least what is said here, and 0 only when an index was never scanned.
    """
    if not second.tables:
        return Rates()
    notes: list[str] = []
    now: datetime = second.tables[0]["at"]
    seconds = (now - first.tables[0]["at"]).total_seconds() if first.tables else 0.0
    is_reset = first.stats_reset != second.stats_reset
    if is_reset:
        notes.append("the statistics were reset between the two readings, so writes and reads a second are unknown")
    before = {} if is_reset or seconds <= 0 else {row["relation"]: row for row in first.tables}
    since = second.stats_reset or initialised
    if since is None:
        notes.append(
            "the statistics were never reset and the age of the cluster is hidden, so scans an hour are those of the "
            f"{seconds:.0f} s between the two readings"
        )
    hours = (now - since).total_seconds() / 3600 if since else 0.0
    return Rates(
        tables={row["relation"]: _table(before.get(row["relation"]), row, seconds) for row in second.tables},
        scans_per_hour=dict(_scans(first, second, hours=hours, seconds=seconds)),
        scans={row["relation"]: float(row["scans"] or 0) for row in second.indexes},
        since=since,
        interval_s=seconds,
        notes=tuple(notes),
    )


def _table(before: Mapping[str, Any] | None, after: Mapping[str, Any], seconds: float) -> TableRates:
    def rate(name: str) -> float | None:
        if before is None or after[name] is None or before[name] is None or after[name] < before[name]:
            return None  # new, or its own counters were reset
        return _digits((after[name] - before[name]) / seconds)

    dead = after["dead"]
    return TableRates(rate("writes"), rate("reads"), rate("inserts"), None if dead is None else float(dead))


def _scans(first: Counters, second: Counters, *, hours: float, seconds: float) -> Iterator[tuple[int, float]]:
    before = {row["relation"]: row["scans"] or 0 for row in first.indexes}
    for row in second.indexes:
        total, at = row["scans"] or 0, row["relation"]
        recent = (total - before[at]) / seconds * 3600 if at in before and total >= before[at] and seconds > 0 else None
        if total == 0:
            yield at, 0.0
        elif hours > 0:
            yield at, _digits(total / hours)
        elif recent:
            yield at, _digits(recent)


def _digits(value: float) -> float:
    return float(f"{value:.6g}")
