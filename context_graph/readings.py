"""What a reading of production says: statistics of a series, numbers captured from logs, a key of a configuration.

Playbooks use these to make a claim and checkers use the same ones to read it again, so both mean the same by 'p99'.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, cast

from context_graph.normal_form import canonical
from gonogo.context import Database, LogLine, Series, Statistic, Window
from gonogo.resource import Resource
from gonogo.word import Json

MAX_MESSAGE = 4_000
"""Characters of a log message that a pattern sees."""


def window_of(series: Series) -> Window:
    """From the first reading to one step after the last."""
    return Window(start=series.start, end=series.start + timedelta(seconds=series.step_s * len(series.values)))


def values_in(series: Series, window: Window) -> list[float]:
    """Readings inside the window; gaps are left out."""
    step = timedelta(seconds=series.step_s)
    first = max(0, math.ceil((window.start - series.start) / step))
    last = min(len(series.values), math.ceil((window.end - series.start) / step))
    return [v for v in series.values[first:last] if v is not None]


def statistic_of(values: Sequence[float], statistic: Statistic) -> float | None:
    """The statistic, or None when there is no reading. Percentiles interpolate linearly between ranks."""
    if not values:
        return None
    match statistic:
        case "min":
            return min(values)
        case "max":
            return max(values)
        case "mean":
            return math.fsum(values) / len(values)
        case "sum":
            return math.fsum(values)
        case "last":
            return values[-1]
        case "p50" | "p95" | "p99":
            return _percentile(sorted(values), int(statistic[1:]) / 100)


def _percentile(ordered: Sequence[float], quantile: float) -> float:
    at = (len(ordered) - 1) * quantile
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def same_number(a: float, b: float, *, tolerance: float = 1e-6) -> bool:
    """Equal to 6 digits (or the given relative tolerance)."""
    return math.isclose(a, b, rel_tol=tolerance, abs_tol=1e-9)


def matching(lines: Iterable[LogLine], pattern: str, window: Window) -> list[re.Match[str]]:
    """The match in every message of the window that has one."""
    compiled = re.compile(pattern)
    in_window = (line for line in lines if window.start <= line.timestamp < window.end)
    return [m for line in in_window if (m := compiled.search(line.message[:MAX_MESSAGE]))]


def captured(matches: Iterable[re.Match[str]], field: str) -> list[float]:
    """Numbers that a named group captured."""
    found: list[float] = []
    for match in matches:
        text = match.groupdict().get(field)
        if text is not None:
            try:
                found.append(float(text.replace(",", "").replace("_", "")))
            except ValueError:
                continue
    return found


def log_window(lines: Sequence[LogLine]) -> Window | None:
    """From the first line to just after the last."""
    if not lines:
        return None
    stamps = [line.timestamp for line in lines]
    return Window(start=min(stamps), end=max(stamps) + timedelta(microseconds=1))


def database_statistic(database: Database, table: str | None, index: str | None, statistic: str) -> tuple[Any, str]:
    """The value of a statistic of a table, an index or the server (`settings.x`), and what it is of."""
    if index is not None:
        part, where = database.index(index), f"index {index}"
    elif table is not None:
        part, where = database.table(table), f"table {table}"
    else:
        part, where = database, "the server"
    if part is None:
        return None, where
    name, _, rest = statistic.partition(".")
    fields = part.model_dump(by_alias=True)
    found = fields.get(name, fields["more"].get(name))
    for key in rest.split(".") if rest else ():
        found = cast("dict[str, Any]", found).get(key) if isinstance(found, dict) else None
    return found, where


_MISSING = object()


def configured(resource: Resource, key: str) -> Json:
    """The value under a key, a dotted path into nested attributes included; None when it is not there."""
    found = _look_up(resource.attributes, key)
    return None if found is _MISSING else found


def is_configured(resource: Resource, key: str) -> bool:
    """Whether the key is there at all, whatever its value."""
    return _look_up(resource.attributes, key) is not _MISSING


def list_lacks(resource: Resource, key: str, name: str) -> bool | None:
    """Whether a list or map that was read lacks a name; None when no such list was read: absence is not proved."""
    found = _look_up(resource.attributes, key)
    if isinstance(found, Mapping):
        return name not in cast("Mapping[str, Any]", found)
    if isinstance(found, list | tuple):
        return name not in [_named(item) for item in cast("list[Any]", found)]
    return None


def _named(item: Any) -> str:
    """An entry of a list by its name: `{"name": "TOKEN", "value_from": "arn:…"}` is TOKEN."""
    if isinstance(item, Mapping):
        entry = cast("Mapping[str, Any]", item)
        return str(next((entry[k] for k in ("name", "key", "Name") if k in entry), ""))
    return str(item)


def _look_up(attributes: Mapping[str, Any], key: str) -> Any:
    """The value under a key, else under one that differs in letter case and separators only (`desired_count`, `DesiredCount`)."""
    if key in attributes:
        return attributes[key]
    head, _, rest = key.partition(".")
    inner = attributes.get(head, _MISSING)
    if rest and isinstance(inner, Mapping):
        return _look_up(cast("Mapping[str, Any]", inner), rest)
    wanted = canonical(key)
    return next((value for name, value in attributes.items() if canonical(name) == wanted), _MISSING)
