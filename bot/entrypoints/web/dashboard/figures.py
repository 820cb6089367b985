"""The numbers of the figure pages, from rows; nothing here reads or asks."""

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, cast

from bot.storage.app_dashboard_rows import Blocked, Merged, Spending
from bot.storage.app_rows import Outcome
from gonogo.record import Record

IMPACTS = ("high", "medium", "low")


def week_of(then: datetime) -> date:
    """The Monday (UTC) of its week."""
    day = then.astimezone(UTC).date()
    return day - timedelta(days=day.weekday())


def by_week[T](rows: Iterable[tuple[datetime, T]], *, since: datetime, until: datetime) -> list[tuple[date, list[T]]]:
    """Every week of the time, the empty ones too, oldest first, each with its rows."""
    weeks: dict[date, list[T]] = {}
    week = week_of(since)
    while week <= week_of(until):
        weeks[week] = []
        week += timedelta(days=7)
    for then, row in rows:
        if (found := weeks.get(week_of(then))) is not None:
            found.append(row)
    return list(weeks.items())


def percentile(values: Sequence[float], part: float) -> float | None:
    """The smallest value that `part` of all values do not exceed (nearest rank); None of nothing."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(part * len(ordered)) - 1)] if ordered else None


class Percentiles(Record):
    """Of one quantity; None when there is nothing."""

    p50: float | None
    p90: float | None
    p99: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> "Percentiles":
        """Of these values."""
        return cls(percentile(values, 0.5), percentile(values, 0.9), percentile(values, 0.99))


class Spent(Record):
    """What evaluations took: seconds from the event to the verdict and to its start, dollars, steps."""

    count: int
    reused: int
    total: float
    took: Percentiles
    waited: Percentiles
    cost: Percentiles
    steps: Percentiles


def spent(rows: Sequence[Spending]) -> Spent:
    """Of all of them."""
    return Spent(
        count=len(rows),
        reused=sum(r.is_reused for r in rows),
        total=sum(r.cost for r in rows),
        took=Percentiles.of([r.took.total_seconds() for r in rows]),
        waited=Percentiles.of([r.waited.total_seconds() for r in rows]),
        cost=Percentiles.of([r.cost for r in rows]),
        steps=Percentiles.of([float(r.steps) for r in rows]),
    )


class Gate(Record):
    """One way to gate: which no-gos would block, how many of what was merged, and how much of what degraded production."""

    label: str
    blocked: int
    blocked_share: float | None
    caught: int
    captured: float | None


class Calibration(Record):
    """What was said of merged pull requests against what happened. Shares are None of nothing.

    Degraded are those where production got worse after the deployment: a no-go that was right, a go that was wrong.
    """

    judged: int
    waiting: int
    right: int
    degraded: int
    table: Mapping[tuple[str, bool], int]
    """(`go` or `no-go`, whether production degraded) → how many."""
    gates: Sequence[Gate]
    readings: int
    """Of metrics, after deployments, that had been forecast."""
    in_band: int
    """Those of them that lay between p10 and p90; 80 % should."""

    @property
    def right_share(self) -> float | None:
        """Of the judged ones."""
        return self.right / self.judged if self.judged else None

    @property
    def band_share(self) -> float | None:
        """Of the readings."""
        return self.in_band / self.readings if self.readings else None


def calibration(merged: Sequence[Merged]) -> Calibration:
    """Of those whose outcome is known."""
    judged = [m for m in merged if m.was_right is not None and m.outcome in (Outcome.GO, Outcome.NO_GO, Outcome.NOTHING)]
    degraded = [m for m in judged if _degraded(m)]
    table = {(said, worse): 0 for said in ("go", "no-go") for worse in (True, False)}
    for one in judged:
        table["no-go" if one.outcome is Outcome.NO_GO else "go", _degraded(one)] += 1
    readings = [r for m in merged for r in _readings(m.detail)]
    return Calibration(
        judged=len(judged),
        waiting=sum(m.was_right is None and m.state in ("waiting", "watching") for m in merged),
        right=sum(bool(m.was_right) for m in judged),
        degraded=len(degraded),
        table=table,
        gates=[_gate(n, judged, degraded) for n in range(1, len(IMPACTS) + 1)],
        readings=len(readings),
        in_band=sum(low <= observed <= high for low, observed, high in readings),
    )


class Rate(Record):
    """How often a rule (or a playbook without one) blocked, and how often somebody took that risk all the same."""

    name: str
    blocked: int
    taken: int

    @property
    def share(self) -> float:
        """Taken of blocked."""
        return self.taken / self.blocked if self.blocked else 0.0


def override_rates(rows: Sequence[Blocked]) -> list[Rate]:
    """By rule, the most overridden first."""
    counted: dict[str, tuple[int, int]] = {}
    for row in rows:
        for name in row.rules or (row.playbook,):
            blocked, taken = counted.get(name, (0, 0))
            counted[name] = blocked + 1, taken + row.was_taken
    rates = [Rate(name, blocked, taken) for name, (blocked, taken) in counted.items()]
    return sorted(rates, key=lambda r: (-r.share, -r.blocked, r.name))


def _degraded(one: Merged) -> bool:
    return bool(one.was_right) if one.outcome is Outcome.NO_GO else one.was_right is False


def _gate(count: int, judged: Sequence[Merged], degraded: Sequence[Merged]) -> Gate:
    """No-gos of the first `count` impacts block."""
    impacts = IMPACTS[:count]

    def blocks(one: Merged) -> bool:
        return one.outcome is Outcome.NO_GO and (one.impact or "high") in impacts

    blocked, caught = sum(map(blocks, judged)), sum(map(blocks, degraded))
    return Gate(
        label=("only high impact", "high and medium impact", "every no-go")[count - 1],
        blocked=blocked,
        blocked_share=blocked / len(judged) if judged else None,
        caught=caught,
        captured=caught / len(degraded) if degraded else None,
    )


def _readings(detail: Mapping[str, Any]) -> list[tuple[float, float, float]]:
    """(p10, observed, p90) of each metric that was forecast and read."""
    listed: Any = detail.get("metrics")
    found: list[tuple[float, float, float]] = []
    for one in cast("list[Any]", listed) if isinstance(listed, list) else []:
        if not isinstance(one, dict):
            continue
        told = cast("dict[str, Any]", one)
        numbers = [told.get(key) for key in ("p10", "observed", "p90")]
        if all(isinstance(n, int | float) and not isinstance(n, bool) for n in numbers):
            low, observed, high = cast("list[float]", numbers)
            found.append((low, observed, high))
    return found
