"""Questions to production and to the trees that come back as citations.

Each returns the citation together with the number in it, or None when there is no such fact; what was asked is
noted on the case either way. Checkers read the same source again later.
"""

import re
from collections.abc import Iterable, Sequence

from bot.investigator.case import Case
from bot.investigator.metric_names import is_level, plain_name
from context_graph.readings import (
    captured,
    configured,
    database_statistic,
    is_configured,
    list_lacks,
    log_window,
    matching,
    statistic_of,
    values_in,
    window_of,
)
from gonogo.change import Side
from gonogo.context import Series, Statistic
from gonogo.evidence import ConfigEvidence, DatabaseEvidence, FileEvidence, GraphEvidence, LogEvidence, MetricEvidence
from gonogo.record import Record
from gonogo.redaction import redacted
from gonogo.resource import Origin, Place, Relation, SettingChange
from gonogo.word import Json, ResourceId
from heuristics.runtime.declared import place_of_change
from heuristics.sql import Simulated


class Reading(Record):
    """A number in a base unit (seconds, bytes, 1/s, percent, count) and the citation it comes from."""

    value: float
    unit: str
    evidence: MetricEvidence | LogEvidence | ConfigEvidence | DatabaseEvidence


def quote(case: Case, file: str, line: int, *, side: Side = "head", end_line: int | None = None) -> FileEvidence:
    """Cite lines as they stand, but for secrets. Lines outside the file are moved to its nearest line."""
    lines = (case.diff.trees[side].text(file) or "").split("\n")
    first = min(max(line, 1), len(lines))
    last = min(max(end_line or first, first), len(lines), first + 20)
    text = redacted("\n".join(part.rstrip() for part in lines[first - 1 : last]))
    return FileEvidence(file=file, line=first, end_line=last if last > first else None, side=side, quote=text)


def quote_place(case: Case, place: Place) -> FileEvidence:
    """Cite the line of a place, on its own side."""
    return quote(case, place.file, place.line, side=place.side)


def quote_change(case: Case, change: SettingChange) -> FileEvidence:
    """Cite the line of a changed setting; where it is gone, the head line after which it went."""
    return quote_changes(case, change)[-1]


def quote_changes(case: Case, change: SettingChange) -> tuple[FileEvidence, ...]:
    """The same, and the removed line before it."""
    place = place_of_change(change)
    return quote_removed(case, place.file, place.line) if place.side == "base" else (quote_place(case, place),)


def quote_step(case: Case, step: Simulated) -> FileEvidence:
    """Cite the lines of a migration's step."""
    at = step.operation.statement
    return quote(case, at.file, at.line, end_line=at.end_line)


def quote_removed(case: Case, file: str, base_line: int) -> tuple[FileEvidence, ...]:
    """Cite a removed base line and, beside it, the head line after which it went (when the file is still there)."""
    removed = quote(case, file, base_line, side="base")
    changed = case.diff.changes.file(file)
    head_path = changed.head_path if changed else file
    if changed is None or head_path is None or not case.diff.head.text(head_path):
        return (removed,)
    return (removed, quote(case, head_path, changed.head_line_after_which(base_line)))


def metric_names(case: Case, resource: str) -> list[str]:
    """The names of the metrics that were read for a resource."""
    return [s.metric for s in case.production.series_of(resource)]


def metric(
    case: Case, resource: str, names: Iterable[str | re.Pattern[str]], statistic: Statistic, *, hours: float | None = None
) -> Reading | None:
    """The statistic of the first metric of the resource that one of the names matches (text: exact, pattern: full match).

    The window is all that was read, or the last `hours` of it. The value is converted to a base unit, the citation
    keeps the provider's.
    """
    for name in names:
        case.asked.append(f"metric {name if isinstance(name, str) else name.pattern} {statistic} of {resource}")
        known = [
            (series, plain_name(series.metric, statistic, series.unit, resource))
            for series in case.production.series_of(resource)
        ]
        for series in (
            *(s for s, _ in known if _is_called(s.metric, name)),
            *(s for s, plain in known if _is_called(plain, name)),
        ):
            if found := statistic_reading(series, statistic, hours=hours):
                return found
    return None


def _is_called(metric: str, name: str | re.Pattern[str]) -> bool:
    return name == metric if isinstance(name, str) else name.fullmatch(metric) is not None


def statistic_reading(series: Series, statistic: Statistic, *, hours: float | None = None) -> Reading | None:
    """A statistic of one series as a reading."""
    window = window_of(series)
    if hours is not None:
        from datetime import timedelta  # noqa: PLC0415

        window = window.model_copy(update={"start": max(window.start, window.end - timedelta(hours=hours))})
    value = statistic_of(values_in(series, window), statistic)
    if value is None:
        return None
    cited = MetricEvidence(
        resource=series.resource, metric=series.metric, statistic=statistic, window=window, value=value, unit=series.unit
    )
    factor, unit = base_unit(series)
    return Reading(value * factor, unit, cited)


def base_unit(series: Series) -> tuple[float, str]:
    """Factor to the base unit, and that unit. A `Count` is the sum over its step, so it becomes a rate."""
    unit = series.unit.lower()
    if unit in ("count", "counts", "requests", "messages") and not is_level(series.metric):
        return 1 / series.step_s, "1/s"
    return _UNITS.get(unit, (1.0, series.unit or ""))


_UNITS: dict[str, tuple[float, str]] = {
    "seconds": (1, "s"), "second": (1, "s"), "s": (1, "s"),
    "milliseconds": (1e-3, "s"), "ms": (1e-3, "s"),
    "microseconds": (1e-6, "s"), "us": (1e-6, "s"), "µs": (1e-6, "s"),
    "count/second": (1, "1/s"), "count/s": (1, "1/s"), "requests/second": (1, "1/s"), "1/s": (1, "1/s"), "rps": (1, "1/s"),
    "count/minute": (1 / 60, "1/s"),
    "bytes": (1, "B"), "byte": (1, "B"), "kilobytes": (1e3, "B"), "megabytes": (1e6, "B"), "gigabytes": (1e9, "B"),
    "kibibytes": (1024, "B"), "mebibytes": (1024**2, "B"), "mib": (1024**2, "B"), "gibibytes": (1024**3, "B"),
    "percent": (1, "%"), "%": (1, "%"), "count": (1, ""),
}  # fmt: skip


def captures(
    case: Case, resource: str, pattern: str, field: str, statistic: Statistic = "max", *, factor: float = 1, unit: str = ""
) -> Reading | None:
    """A statistic of the numbers that a named group captures from the sampled log lines of a resource."""
    case.asked.append(f"logs of {resource} matching /{pattern}/, {statistic} of {field}")
    lines = [line for line in case.production.logs if line.resource == resource]
    window = log_window(lines)
    if window is None:
        return None
    found = matching(lines, pattern, window)
    value = statistic_of(captured(found, field), statistic)
    if value is None:
        return None
    cited = LogEvidence(
        resource=ResourceId(resource),
        pattern=pattern,
        count=len(found),
        window=window,
        field=field,
        statistic=statistic,
        value=value,
    )
    return Reading(value * factor, unit, cited)


def log_count(case: Case, resource: str, pattern: str) -> LogEvidence | None:
    """How many sampled log lines match; a sample, never a rate. None when none does."""
    case.asked.append(f"logs of {resource} matching /{pattern}/")
    lines = [line for line in case.production.logs if line.resource == resource]
    window = log_window(lines)
    if window is None:
        return None
    found = matching(lines, pattern, window)
    return LogEvidence(resource=ResourceId(resource), pattern=pattern, count=len(found), window=window) if found else None


def config(case: Case, resource: str, *keys: str) -> ConfigEvidence | None:
    """The first of these keys that the live configuration has."""
    found = case.production.resource(resource)
    for key in keys:
        case.asked.append(f"configuration {key} of {resource}")
        if found is not None and is_configured(found, key):
            return ConfigEvidence(resource=ResourceId(resource), key=key, value=configured(found, key))
    return None


def number(case: Case, resource: str, *keys: str) -> Reading | None:
    """The same, as a number; None when it is absent, not a number, or one that nothing can be computed with."""
    cited = config(case, resource, *keys)
    if cited is None or isinstance(cited.value, bool):
        return None
    try:
        value = float(cited.value)
    except (TypeError, ValueError):
        return None
    return Reading(value, "", cited) if abs(value) < 1e15 else None


def lists_name(case: Case, resource: str, key: str, name: str) -> ConfigEvidence | None:
    """Whether a list of the live configuration has the name: a citation either way, None when no list was read."""
    case.asked.append(f"is {name} in {key} of {resource}")
    found = case.production.resource(resource)
    lacks = list_lacks(found, key, name) if found is not None else None
    return None if lacks is None else ConfigEvidence(resource=ResourceId(resource), key=key, value=name, absent=lacks)


def table_statistic(case: Case, database: str, table: str, statistic: str) -> DatabaseEvidence | None:
    """A statistic of a table (`row_estimate`, `total_bytes`, `writes_per_second`, `reads_per_second`, `columns`)."""
    return _database(case, database, table, None, statistic)


def index_statistic(case: Case, database: str, index: str, statistic: str) -> DatabaseEvidence | None:
    """A statistic of an index (`scans_per_hour`, `bytes`, `definition`)."""
    return _database(case, database, None, index, statistic)


def server_statistic(case: Case, database: str, statistic: str) -> DatabaseEvidence | None:
    """A fact of the server (`version`, `settings.lock_timeout`, `constraints`, `stats_reset`)."""
    return _database(case, database, None, None, statistic)


def _database(case: Case, database: str, table: str | None, index: str | None, statistic: str) -> DatabaseEvidence | None:
    case.asked.append(f"{statistic} of {table or index or 'the server'} in {database}")
    found = case.production.database(database)
    if found is None:
        return None
    value, _ = database_statistic(found, table, index, statistic)
    if value is None:
        return None
    return DatabaseEvidence(resource=ResourceId(database), table=table, index=index, statistic=statistic, value=value)


def edge(case: Case, source: str, target: str, relation: Relation, *, is_sole: bool = False) -> GraphEvidence | None:
    """A live edge; with `is_sole`, only when the source has no other edge of that relation."""
    case.asked.append(f"{relation.value} edges of {source}")
    live = case.out_of(source, relation)
    if not any(e.target == target and e.origin is Origin.LIVE for e in live) or (
        is_sole and any(e.target != target for e in live)
    ):
        return None
    return GraphEvidence(source=ResourceId(source), target=ResourceId(target), relation=relation, is_sole=is_sole)


def as_number(cited: DatabaseEvidence | ConfigEvidence | None) -> float | None:
    """The cited value as a number, or None."""
    value: Json = cited.value if cited else None
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def unread(case: Case, resources: Sequence[str]) -> list[str]:
    """Those of the resources about which nothing was read."""
    return [r for r in resources if case.production.resource(r) is None]
