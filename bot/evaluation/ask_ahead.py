"""Answers `gonogo forecast`: one metric of one resource, its relatives beside it, its limit, and what would be if."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

import numpy as np

from bot.evaluation.limits import known_limit
from forecasting.forecaster import Choice
from forecasting.outlook import MOST_SERIES, Outlook, look_ahead
from forecasting.paths import Crossing, crossing
from forecasting.picture import Drawn, PastBand
from forecasting.quantiles import Floats
from forecasting.scenarios import Relatives, scenario_of
from forecasting.statements import Scenario, crossing_statement, named_oddities, spoken, spoken_time
from forecasting.what_if import WhatIf, described
from gonogo.context import Series
from gonogo.errors import CallError, StageFailed
from gonogo.ports import Provider
from gonogo.record import Record
from gonogo.word import ResourceId

_SHOWN_HORIZONS = 4
"""The picture shows at least so many horizons of history, and a day."""
_METRIC_FILES = ("metrics.csv", "metrics.csv.gz")
"""Gaps of these are told with a forecast: rows that were left out change what it was made from."""


class Told(Record):
    """The sentence, what stands below it, and what the picture shows."""

    statement: str
    details: tuple[str, ...]
    drawn: Drawn


def ask_ahead(
    provider: Provider,
    *,
    resource: str,
    metric: str,
    horizon: timedelta,
    what_if: dict[str, float],
    limit: float | None,
    choice: Choice,
) -> Told:
    """Forecast the metric for the horizon. An unknown resource or metric is a CallError that names what there is."""
    series, related = _series(provider, resource, metric)
    outlook = look_ahead((series, *related), horizon=horizon, choice=choice)
    if outlook is None:
        raise StageFailed("forecast", f"no forecaster answered ({'; '.join(choice.steps)})", "see gonogo doctor")
    known = next(iter(provider.resources([series.resource])), None)
    settings = next((d.settings for d in provider.databases([series.resource])), None)
    found = (limit, "asked") if limit is not None else known_limit(series, known, settings)
    what = f"{series.metric} of {known.name if known is not None else series.resource}"
    gaps = [f"gap: {gap.why}" for gap in provider.gaps() if gap.what in _METRIC_FILES]
    row = outlook.prepared.request.values[0]
    last = next((float(v) for v in row[::-1] if np.isfinite(v)), None)
    if outlook.objections[0] or outlook.forecasts[0] is None:
        return _told(outlook, series, what, outlook.statement(0, what, series.unit), gaps, found)
    answers = [_what_if(outlook, (series, *related), what_if)] if what_if else []
    details = [*gaps, *(line for answer in answers for line in described(answer))]
    if found is None:
        return _told(
            outlook,
            series,
            what,
            outlook.statement(0, what, series.unit).replace(f"{series.metric} of {series.resource}", what, 1),
            details,
            None,
        )
    now = _crossed(outlook.paths[:, 0], found[0], outlook)
    scenarios = [_scenario(answer, what_if, found[0], outlook) for answer in answers]
    said = crossing_statement(
        what,
        now,
        horizon_s=horizon.total_seconds(),
        unit=series.unit,
        backtest=outlook.answer.tested.backtests[0],
        scenarios=scenarios,
        last=last,
    ) + named_oddities(outlook.prepared.qualities[0].notes)
    peak = outlook.forecasts[0].peak
    if peak is not None and found[0]:
        share = spoken(100 * (found[0] - peak.p90) / abs(found[0]), "percent")
        details.insert(0, f"headroom {share} against {spoken(found[0], series.unit)} ({found[1]}), at p90 of the peak")
    return _told(outlook, series, what, said, details, found)


def _series(provider: Provider, resource: str, metric: str) -> tuple[Series, list[Series]]:
    graph = provider.graph()
    exact = ResourceId(resource)
    ids = [exact] if graph.kinds_of([exact]) or provider.series([exact]) else _named(provider, resource)
    if len(ids) > 1:
        ids = [r for r in ids if any(s.metric == metric for s in provider.series([r]))] or ids
    if len(ids) != 1:
        several = f"several resources are called {resource}: {', '.join(sorted(ids)[:5])}"
        raise CallError(f"--resource: {several if ids else f'no resource {resource} in {provider.name}'}; pass a full id")
    mine = list(provider.series(ids))
    wanted = next((s for s in mine if s.metric == metric), None) or next(
        (s for s in mine if s.metric.lower() == metric.lower()), None
    )
    is_silent: Callable[[ResourceId, str], bool] | None = getattr(provider, "is_silent", None)
    if wanted is None and is_silent is not None and is_silent(ids[0], metric):
        raise CallError(f"--metric: every reading of `{metric}` of {ids[0]} is missing; there is nothing to forecast from")
    if wanted is None:
        there = ", ".join(sorted(s.metric for s in mine)[:12]) or "none"
        raise CallError(f"--metric: {ids[0]} has no metric {metric}; it has {there}")
    near = [e.target for e in graph.edges_from(ids)] + [e.source for e in graph.edges_to(ids)]
    beside = [s for s in (*mine, *provider.series(list(dict.fromkeys(near)))) if s is not wanted and s.step_s == wanted.step_s]
    beside = [s for s in dict.fromkeys(beside) if len({v for v in s.values if v is not None}) > 1]
    return wanted, [s for s in beside if s != wanted][: MOST_SERIES - 1]


def _named(provider: Provider, name: str) -> list[ResourceId]:
    """Resources of that name, where the source can list what it knows."""
    kinds_of: Callable[[], Mapping[ResourceId, tuple[str, str]]] | None = getattr(provider, "kinds", None)
    return (
        [r for r, (_, found) in kinds_of().items() if name in (found, r.rpartition(":")[2], r.rpartition("/")[2])]
        if kinds_of
        else []
    )


def _what_if(outlook: Outlook, series: Sequence[Series], asked: dict[str, float]) -> WhatIf:
    values = outlook.prepared.request.values
    metrics = tuple(s.metric if s.resource == series[0].resource else "" for s in series)
    try:
        relatives = Relatives(
            metrics, tuple(s.unit for s in series), values, outlook.paths, outlook.prepared.request.step_s, series[0].step_s
        )
        return scenario_of(asked, relatives)
    except ValueError as error:
        raise CallError(f"--what-if: {error}") from error


def _scenario(answer: WhatIf, asked: dict[str, float], limit: float, outlook: Outlook) -> Scenario:
    label = ", ".join(
        f"{name} × {value:g}" if name in ("traffic", "consumers", "concurrency") else f"{name} {value:g}"
        for name, value in asked.items()
    )
    if answer.paths is None:
        return Scenario(label, None, answer.refusal)
    return Scenario(label, _crossed(answer.paths, limit, outlook), is_extrapolated=answer.is_extrapolated)


def _crossed(paths: Floats, limit: float, outlook: Outlook) -> Crossing:
    return crossing(paths, limit, step_s=outlook.prepared.request.step_s)


def _told(
    outlook: Outlook, series: Series, what: str, statement: str, details: Sequence[str], limit: tuple[float, str] | None
) -> Told:
    request, tested = outlook.prepared.request, outlook.answer.tested
    shown = min(request.values.shape[1], max(_SHOWN_HORIZONS * request.horizon, round(86_400 / request.step_s)))
    offset = request.values.shape[1] - shown
    band = outlook.answer.tested.forecast.quantiles[0][:, [0, 4, 8]]
    is_citable = outlook.forecasts[0] is not None and not outlook.objections[0]
    past = [
        PastBand(origin - offset, answer.quantiles[0][:, [0, 4, 8]])
        for origin, answer in zip(tested.origins, tested.past, strict=True)
        if origin >= offset and np.isfinite(answer.quantiles[0]).all()
    ]
    notes = (*outlook.prepared.qualities[0].notes, *tested.forecast.diagnoses[0].warnings)
    footer = f"{outlook.answer.models[0]} · {spoken_time(request.values.shape[1] * request.step_s)} of history · step {spoken_time(request.step_s)} · {outlook.prepared.now:%Y-%m-%d %H:%M} UTC"
    drawn = Drawn(
        title=what,
        statement=statement,
        unit=spoken(1, series.unit).removeprefix("1").strip(),
        history=request.values[0, offset:],
        band=band if is_citable else None,
        now=outlook.prepared.now,
        step_s=request.step_s,
        limit=limit[0] if limit is not None else None,
        past=past if is_citable else (),
        footer=footer,
    )
    return Told(statement, (*details, *notes, *outlook.answer.steps), drawn)
