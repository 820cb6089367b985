"""From what a model cites to an Evidence that this evaluation can read: figures are computed here, never taken over.

A citation whose source does not say what is cited is refused on arrival, with what the source does say.
"""

import re
from collections.abc import Callable
from typing import Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from bot.investigator.desk import Desk
from bot.investigator.safe_pattern import why_unsafe
from context_graph.readings import (
    captured,
    configured,
    database_statistic,
    is_configured,
    list_lacks,
    log_window,
    matching,
    same_number,
    statistic_of,
    values_in,
    window_of,
)
from gonogo.change import Side
from gonogo.context import Statistic, Window
from gonogo.errors import ShadowUnavailable
from gonogo.evidence import (
    ConfigEvidence,
    DatabaseEvidence,
    Evidence,
    FileEvidence,
    ForecastEvidence,
    GraphEvidence,
    LogEvidence,
    MetricEvidence,
    ShadowEvidence,
)
from gonogo.redaction import redacted
from gonogo.resource import Origin, Relation
from gonogo.word import Json, ResourceId

_MOST_LINES = 21
_LIVE_TOLERANCE = 0.02
_LONGEST_REPLAY_S = 3.0


class Span(BaseModel):
    """A window in ISO 8601 with offsets: start included, end excluded."""

    model_config = ConfigDict(extra="ignore")

    start: AwareDatetime
    end: AwareDatetime


class Citation(BaseModel):
    """A source and what it says. Give what locates it; `value` and `quote` may be left out and are then read from the source."""

    model_config = ConfigDict(extra="ignore")

    kind: Literal["file", "log", "metric", "config", "graph", "database", "forecast", "shadow"]
    file: str | None = Field(default=None, description="file: path from the root of the repository")
    line: int | None = Field(default=None, description="file: first line, 1-based on its side")
    end_line: int | None = Field(default=None, description="file: last line, at most 20 after the first")
    side: Side = Field(default="head", description="file: base (before the change) or head (after it)")
    quote: str | None = Field(default=None, description="file: the lines as they stand")
    resource: str | None = Field(default=None, description="id of the resource: log, metric, config, database, forecast")
    pattern: str | None = Field(default=None, description="log: regular expression, at most two loops without end")
    count: int | None = Field(default=None, description="log: at least so many sampled lines match")
    field: str | None = Field(default=None, description="log: named group whose captured number is cited")
    statistic: str | None = Field(
        default=None, description="min max mean sum p50 p95 p99 last; database: a field of the statistics"
    )
    metric: str | None = Field(default=None, description="metric, forecast: exact name")
    window: Span | None = Field(default=None, description="metric, log: default all that was read")
    key: str | None = Field(default=None, description="config: key of the configuration, dotted into nested values")
    absent: bool = Field(default=False, description="config: the list under the key lacks `value`")
    value: Json = Field(default=None, description="what the source says")
    source: str | None = Field(default=None, description="graph: id")
    target: str | None = Field(default=None, description="graph: id")
    relation: str | None = Field(default=None, description="graph: relation")
    table: str | None = Field(default=None, description="database")
    index: str | None = Field(default=None, description="database")
    statement: str | None = Field(
        default=None, description="shadow: PostgreSQL statements that run by themselves; value: a lock, as `Share on orders`"
    )
    quantile: Literal["p10", "p50", "p90"] = Field(default="p90", description="forecast: of the highest value in its horizon")


class Refused(Exception):
    """A citation that its source does not bear out; the message says what the source does say."""


def cited(citation: Citation, desk: Desk) -> Evidence:
    """The evidence, with what the source says in it. Raises Refused, and SourceFailed when the source does not answer."""
    return _READERS[citation.kind](citation, desk)


def _file(c: Citation, desk: Desk) -> Evidence:
    path, line = _given(c.file, "file"), _given(c.line, "line")
    text = desk.facts.text(c.side, path)
    if text is None:
        raise Refused(f"no file {path} that can be read on the {c.side} side")
    lines = text.split("\n")
    last = max(c.end_line or line, line)
    if not 1 <= line <= last <= len(lines) or last - line >= _MOST_LINES:
        raise Refused(f"{path} has {len(lines)} lines on the {c.side} side, and at most {_MOST_LINES} are cited at once")
    found = redacted("\n".join(part.rstrip() for part in lines[line - 1 : last]))
    if c.quote is not None and _squeezed(redacted(c.quote)) != _squeezed(found):
        raise Refused(f"{path} line {line} on the {c.side} side reads: {found[:400]}")
    return FileEvidence(file=path, line=line, end_line=last if last > line else None, side=c.side, quote=found)


def _metric(c: Citation, desk: Desk) -> Evidence:
    resource, metric = _given(c.resource, "resource"), _given(c.metric, "metric")
    there = desk.facts.series(resource)
    series = next((s for s in there if s.metric == metric), None)
    if series is None:
        raise Refused(f"{resource} has no metric {metric}; it has {', '.join(sorted(s.metric for s in there)[:20]) or 'none'}")
    statistic = _statistic(c.statistic)
    window = _window(c.window) or window_of(series)
    value = statistic_of(values_in(series, window), statistic)
    if value is None:
        raise Refused(f"no reading of {metric} in that window; it was read from {window_of(series).start.isoformat()} to {window_of(series).end.isoformat()}")  # fmt: skip
    _same(value, c.value, f"{statistic} of {metric} is {value:g} {series.unit}")
    return MetricEvidence(resource=ResourceId(resource), metric=metric, statistic=statistic, window=window, value=value, unit=series.unit)  # fmt: skip


def _log(c: Citation, desk: Desk) -> Evidence:
    resource, pattern = _given(c.resource, "resource"), _given(c.pattern, "pattern")
    if why := why_unsafe(pattern):
        raise Refused(f"the pattern is not run: {why}")
    lines = desk.facts.logs(resource)
    window = _window(c.window) or log_window(lines)
    found = matching(lines, pattern, window) if window is not None else []
    if window is None or len(found) < max(1, c.count or 1):
        raise Refused(f"{len(found)} of {len(lines)} sampled lines of {resource} match")
    if c.field is None:
        return LogEvidence(resource=ResourceId(resource), pattern=pattern, count=len(found), window=window)
    statistic = _statistic(c.statistic or "max")
    try:
        value = statistic_of(captured(found, c.field), statistic)
    except IndexError:
        value = None
    if value is None:
        raise Refused(f"no number in the group '{c.field}' of the lines that match")
    _same(value, c.value, f"{statistic} of {c.field} is {value:g}")
    return LogEvidence(resource=ResourceId(resource), pattern=pattern, count=len(found), window=window, field=c.field, statistic=statistic, value=value)  # fmt: skip


def _config(c: Citation, desk: Desk) -> Evidence:
    resource, key = _given(c.resource, "resource"), _given(c.key, "key")
    found = desk.facts.resource(resource)
    if found is None:
        raise Refused(f"the configuration of {resource} was not read")
    if c.absent:
        name = str(c.value)
        lacks = list_lacks(found, key, name)
        if not lacks:
            raise Refused(f"{key} has {name}" if lacks is False else f"no list '{key}' was read, so absence is not proved")
        return ConfigEvidence(resource=ResourceId(resource), key=key, value=name, absent=True)
    if not is_configured(found, key):
        raise Refused(f"no '{key}' in its configuration; it has {', '.join(sorted(found.attributes)[:30]) or 'none'}")
    value = configured(found, key)
    if isinstance(c.value, str) and list_lacks(found, key, c.value) is False:
        return ConfigEvidence(resource=ResourceId(resource), key=key, value=c.value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        _same(float(value), c.value, f"{key} is {value}")
    elif c.value is not None and c.value != value:
        raise Refused(f"{key} is {redacted(str(value))[:300]}")
    return ConfigEvidence(resource=ResourceId(resource), key=key, value=value)


def _graph(c: Citation, desk: Desk) -> Evidence:
    source, target = _given(c.source, "source"), _given(c.target, "target")
    there = [e for e in desk.facts.edges(source) if e.source == source and e.target == target]
    live = next((e for e in there if e.relation.value == c.relation and e.origin is Origin.LIVE), None)
    if live is None:
        said = ", ".join(f"{e.relation.value} ({e.origin.value})" for e in there) or "none"
        raise Refused(f"no live edge {source} {c.relation} {target}; edges between them: {said}")
    return GraphEvidence(source=ResourceId(source), target=ResourceId(target), relation=Relation(live.relation))


def _database(c: Citation, desk: Desk) -> Evidence:
    resource, statistic = _given(c.resource, "resource"), _given(c.statistic, "statistic")
    database = desk.facts.database(resource)
    if database is None:
        raise Refused(f"no statistics of {resource} were read")
    value, where = database_statistic(database, c.table, c.index, statistic)
    if value is None:
        raise Refused(f"no {statistic} of {where}")
    if isinstance(value, int | float) and not isinstance(value, bool):
        _same(float(value), c.value, f"{statistic} of {where} is {value:g}")
    elif c.value is not None and c.value != value:
        raise Refused(f"{statistic} of {where} is {redacted(str(value))[:300]}")
    return DatabaseEvidence(resource=ResourceId(resource), table=c.table, index=c.index, statistic=statistic, value=value)


def _forecast(c: Citation, desk: Desk) -> Evidence:
    resource, metric = _given(c.resource, "resource"), _given(c.metric, "metric")
    found = desk.facts.forecast(resource, metric)
    if found is None or found.peak is None:
        raise Refused(f"no forecast of {metric} of {resource}: fewer than 64 readings, or no such series")
    if found.objections:
        raise Refused(f"not predictable: {'; '.join(found.objections)}")
    value = float(getattr(found.peak, c.quantile))
    _same(value, c.value, f"{c.quantile} of the highest value is {value:g} {found.unit}")
    return ForecastEvidence(
        resource=ResourceId(resource),
        metric=metric,
        horizon_s=found.horizon_s,
        quantile=c.quantile,
        value=value,
        backtest_mase=found.backtest.mase,
    )


def _shadow(c: Citation, desk: Desk) -> Evidence:
    """A script that replays by itself, with the locks that it takes; it is replayed again when the evidence is checked."""
    statement = redacted(_given(c.statement, "statement"))  # as it will be read again
    try:
        replay = desk.facts.replay([statement])
    except ShadowUnavailable as error:
        raise Refused(str(error)) from error
    if replay is None:
        raise Refused("no throw-away database is available in this evaluation")
    if failed := next((s for s in replay.statements if s.error), None):
        raise Refused(f"it fails with {failed.sqlstate}: {failed.error}")
    if replay.seconds > _LONGEST_REPLAY_S:
        raise Refused(f"it takes longer than {_LONGEST_REPLAY_S:g} s, too long to be read again")
    locks = replay.locks()
    if isinstance(c.value, str) and c.value not in locks:
        raise Refused(f"it takes {', '.join(locks) or 'no lock on a table'}")
    return ShadowEvidence(statement=statement, locks=locks)


_READERS: dict[str, Callable[[Citation, Desk], Evidence]] = {
    "file": _file, "log": _log, "metric": _metric, "config": _config, "graph": _graph, "database": _database,
    "forecast": _forecast, "shadow": _shadow,
}  # fmt: skip

_STATISTICS: dict[str, Statistic] = {s: s for s in ("min", "max", "mean", "sum", "p50", "p95", "p99", "last")}


def _statistic(named: str | None) -> Statistic:
    found = _STATISTICS.get(named or "max")
    if found is None:
        raise Refused(f"no statistic {named}; there are {', '.join(_STATISTICS)}")
    return found


def _given[T](value: T | None, name: str) -> T:
    if value is None or value == "":
        raise Refused(f"'{name}' is missing")
    return value


def _window(span: Span | None) -> Window | None:
    return Window(start=span.start, end=span.end) if span is not None else None


def _same(found: float, claimed: Json, said: str) -> None:
    """Refuse a figure that the source does not give, to 2 %."""
    if claimed is None:
        return
    try:
        number = float(claimed)
    except (TypeError, ValueError) as error:
        raise Refused(said) from error
    if not same_number(found, number, tolerance=_LIVE_TOLERANCE):
        raise Refused(said)


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
