"""Metric rows into series on a regular grid. Rows of other resources are passed over, so memory is bounded."""

import math
from collections import Counter
from collections.abc import Collection
from datetime import UTC, datetime
from itertools import pairwise

from context_graph.providers.rows import RowReader, is_text
from gonogo.context import Series
from gonogo.word import ResourceId

COLUMNS = ("timestamp", "resource", "metric", "unit", "value")
MAX_POINTS_A_SERIES = 200_000
"""A finer grid over a longer time is not laid out; the report says so."""


def read_series(rows: RowReader, ids: Collection[ResourceId]) -> list[Series]:
    """Series of these resources, in the order in which they first appear in the file.

    An empty value is a missing reading; so is NaN or infinity, with a gap that counts them. A value or timestamp of the wrong type is left out with a gap.
    """
    wanted = set[str](ids)
    instants: dict[str, float | None] = {}
    endless: Counter[tuple[str, str]] = Counter()
    points: dict[tuple[str, str, str], dict[float, float | None]] = {}
    for number, (stamp, resource, metric, unit, value) in rows.csv_rows("metrics.csv", COLUMNS):
        if resource not in wanted:
            continue
        if stamp not in instants:
            instants[stamp] = _seconds(stamp)
        at = instants[stamp]
        if at is None:
            rows.fault("metrics.csv", number, f"{stamp!a} is not a timestamp; write ISO 8601 in UTC, like 2026-01-13T00:00:00Z")
            continue
        if (resource, metric, unit) not in points:
            if not is_text(metric + unit):
                rows.fault("metrics.csv", number, "not UTF-8; the row was left out; write it again in UTF-8")
                continue
            points[resource, metric, unit] = {}
        series = points[resource, metric, unit]
        if not value.strip():
            series.setdefault(at, None)
            continue
        try:
            reading = float(value)
        except ValueError:
            rows.fault("metrics.csv", number, f"{value[:40]!a} is not a number; the row was left out")
            continue
        if math.isfinite(reading):
            series[at] = reading
        else:
            endless[resource, metric] += 1
            series.setdefault(at, None)
    for (resource, metric), count in endless.items():
        counted = f"{count:,} reading{'s' if count != 1 else ''} of {metric} of {resource}"
        rows.count("metrics.csv", f"{counted} {'are' if count != 1 else 'is'} NaN or infinite; counted as missing")
    return [s for key, values in points.items() if (s := _on_grid(rows, *key, values))]


def _seconds(stamp: str) -> float | None:
    try:
        found = datetime.fromisoformat(stamp)
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _on_grid(rows: RowReader, resource: str, metric: str, unit: str, values: dict[float, float | None]) -> Series | None:
    """The step is the commonest distance between neighbours; a point off the grid goes to its nearest place."""
    if all(value is None for value in values.values()):
        rows.silent.add((resource, metric))
        return None
    times = sorted(values)
    steps = Counter(round(b - a, 6) for a, b in pairwise(times))
    step = max(steps, key=lambda s: (steps[s], -s)) if steps else 300.0
    length = round((times[-1] - times[0]) / step) + 1
    if length > MAX_POINTS_A_SERIES:
        rows.fault(
            "metrics.csv",
            None,
            f"{metric} of {resource} has {length:,} steps, more than {MAX_POINTS_A_SERIES:,}; it was left out",
        )
        return None
    grid: list[float | None] = [None] * length
    for at in times:
        grid[round((at - times[0]) / step)] = values[at]
    start = datetime.fromtimestamp(times[0], UTC)
    return Series(resource=ResourceId(resource), metric=metric, unit=unit, start=start, step_s=step, values=tuple(grid))
