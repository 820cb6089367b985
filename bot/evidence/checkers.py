"""One checker a kind of evidence: what was cited against what the source says now."""

import re
from collections.abc import Callable
from typing import Any, cast

from bot.evidence.sources import Sources
from context_graph.readings import (
    captured,
    configured,
    database_statistic,
    is_configured,
    list_lacks,
    matching,
    same_number,
    statistic_of,
    values_in,
)
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
    Outcome,
    ShadowEvidence,
)
from gonogo.redaction import redacted
from gonogo.resource import Origin

Answer = tuple[Outcome, str]
MAX_QUOTED_LINES = 21


def answer_to(evidence: Evidence, sources: Sources) -> Answer:
    """Outcome and what was observed."""
    match evidence:
        case FileEvidence():
            return _file(evidence, sources)
        case LogEvidence():
            return _log(evidence, sources)
        case MetricEvidence():
            return _metric(evidence, sources)
        case ConfigEvidence():
            return _config(evidence, sources)
        case GraphEvidence():
            return _graph(evidence, sources)
        case DatabaseEvidence():
            return _database(evidence, sources)
        case ForecastEvidence():
            return _forecast(evidence, sources)
        case ShadowEvidence():
            return _shadow(evidence, sources)


def _file(cited: FileEvidence, sources: Sources) -> Answer:
    text = sources.trees[cited.side].text(cited.file)
    if text is None:
        return Outcome.NOT_FOUND, f"{cited.file} cannot be read on the {cited.side} side"
    lines = text.split("\n")
    last = cited.end_line or cited.line
    if not 1 <= cited.line <= last <= len(lines) or last - cited.line >= MAX_QUOTED_LINES:
        return Outcome.NOT_FOUND, f"{cited.file} has {len(lines)} lines"
    found = redacted("\n".join(line.rstrip() for line in lines[cited.line - 1 : last]))
    quoted = redacted("\n".join(line.rstrip() for line in cited.quote.split("\n")))  # a secret is on neither side
    return Outcome.HOLDS if found == quoted else Outcome.CONTRADICTS, found


def _log(cited: LogEvidence, sources: Sources) -> Answer:
    lines = sources.logs.get(cited.resource, [])
    try:
        found = matching(lines, cited.pattern, cited.window)
    except re.error as error:
        return Outcome.NOT_FOUND, f"the pattern is not a regular expression: {error}"
    said = f"{len(found)} of {len(lines)} sampled lines match"
    if len(found) < max(cited.count, 1):
        return (Outcome.CONTRADICTS if found else Outcome.NOT_FOUND), said
    if cited.field is None:
        return Outcome.HOLDS, said
    observed = statistic_of(captured(found, cited.field), cited.statistic or "max")
    if observed is None or cited.value is None:
        return Outcome.NOT_FOUND, f"{said}; none has a number in '{cited.field}'"
    outcome = Outcome.HOLDS if same_number(observed, cited.value) else Outcome.CONTRADICTS
    return outcome, f"{said}; {cited.statistic or 'max'} of {cited.field} is {observed:g}"


def _metric(cited: MetricEvidence, sources: Sources) -> Answer:
    series = sources.series.get((cited.resource, cited.metric))
    if series is None:
        return Outcome.NOT_FOUND, f"no metric {cited.metric} of this resource"
    observed = statistic_of(values_in(series, cited.window), cited.statistic)
    if observed is None:
        return Outcome.NOT_FOUND, "no reading in this window"
    outcome = Outcome.HOLDS if same_number(observed, cited.value, tolerance=sources.tolerance) else Outcome.CONTRADICTS
    return outcome, f"{cited.statistic} is {observed:g} {series.unit}".rstrip()


def _config(cited: ConfigEvidence, sources: Sources) -> Answer:
    resource = sources.resources.get(cited.resource)
    if resource is None:
        return Outcome.NOT_FOUND, "this resource's configuration was not read"
    if cited.absent:
        lacks = list_lacks(resource, cited.key, str(cited.value))
        if lacks is None:
            return Outcome.NOT_FOUND, f"no list '{cited.key}' was read, so absence is not proved"
        return (
            (Outcome.HOLDS, f"{cited.key} lacks {cited.value}")
            if lacks
            else (Outcome.CONTRADICTS, f"{cited.key} has {cited.value}")
        )
    if not is_configured(resource, cited.key):
        return Outcome.NOT_FOUND, f"no '{cited.key}' in its configuration"
    found = configured(resource, cited.key)
    is_member = isinstance(cited.value, str) and list_lacks(resource, cited.key, cited.value) is False
    outcome = Outcome.HOLDS if is_member or _equal(found, cited.value) else Outcome.CONTRADICTS
    return outcome, f"{cited.key} is {str(found)[:200]}"


def _graph(cited: GraphEvidence, sources: Sources) -> Answer:
    live = [e for e in sources.edges if e.source == cited.source and e.relation == cited.relation and e.origin is Origin.LIVE]
    if not any(e.target == cited.target for e in live):
        return Outcome.NOT_FOUND, f"no live edge {cited.source} {cited.relation.value} {cited.target}"
    others = {e.target for e in live} - {cited.target}
    if cited.is_sole and others:
        return Outcome.CONTRADICTS, f"{cited.source} also {cited.relation.value} {', '.join(sorted(others))}"
    return Outcome.HOLDS, f"{cited.source} {cited.relation.value} {cited.target}" + (
        ", and nothing else" if cited.is_sole else ""
    )


def _database(cited: DatabaseEvidence, sources: Sources) -> Answer:
    database = sources.databases.get(cited.resource)
    if database is None:
        return Outcome.NOT_FOUND, "no statistics of this database were read"
    found, where = database_statistic(database, cited.table, cited.index, cited.statistic)
    if found is None:
        return Outcome.NOT_FOUND, f"no {cited.statistic} of {where}"
    return (
        Outcome.HOLDS if _equal(found, cited.value, tolerance=sources.tolerance) else Outcome.CONTRADICTS
    ), f"{cited.statistic} of {where} is {str(found)[:200]}"


def _forecast(cited: ForecastEvidence, sources: Sources) -> Answer:
    """The forecast is the recorded one, its horizon and backtest included, and may be cited."""
    found = next((f for f in sources.forecasts if f.resource == cited.resource and f.metric == cited.metric), None)
    if found is None or found.peak is None:
        return Outcome.NOT_FOUND, f"no forecast of {cited.metric} of this resource was recorded"
    if found.objections:
        return Outcome.NOT_FOUND, f"not predictable: {'; '.join(found.objections)}"
    value = getattr(found.peak, cited.quantile)
    said = f"the highest value within {found.horizon_s / 3600:g} h is {value:g} at {cited.quantile}, MASE {found.backtest.mase:g}"
    is_same = (
        same_number(value, cited.value)
        and found.horizon_s == cited.horizon_s
        and same_number(found.backtest.mase, cited.backtest_mase)
    )
    return Outcome.HOLDS if is_same else Outcome.CONTRADICTS, said


def _shadow(cited: ShadowEvidence, sources: Sources) -> Answer:
    """The statement is replayed again, and takes the cited locks."""
    if sources.shadow is None:
        return Outcome.NOT_FOUND, "no throw-away database is available to replay it on"
    try:
        replay = sources.shadow.replay([cited.statement])
    except ShadowUnavailable as error:
        return Outcome.NOT_FOUND, str(error)
    taken = replay.locks()
    said = f"{replay.server}: {', '.join(taken) or 'no lock on a table'}"
    if failed := next((s for s in replay.statements if s.error), None):
        return Outcome.CONTRADICTS, f"{replay.server}: fails with {failed.sqlstate}: {failed.error}"
    return Outcome.HOLDS if cited.locks and set(cited.locks) <= set(taken) else Outcome.CONTRADICTS, said


def _equal(a: Any, b: Any, *, tolerance: float = 1e-6) -> bool:
    if isinstance(a, int | float) and isinstance(b, int | float) and not isinstance(a, bool) and not isinstance(b, bool):
        return same_number(a, b, tolerance=tolerance)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return list(cast("list[Any]", a)) == list(cast("list[Any]", b))
    return a == b


Checker = Callable[[Evidence, Sources], Answer]
