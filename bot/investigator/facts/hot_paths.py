"""How often a line of code runs: the rate of the routes that reach it, or of the program that runs it."""

import re

from bot.investigator.asking import Reading, captures, statistic_reading
from bot.investigator.case import Case
from bot.investigator.facts.rates import request_rate
from bot.investigator.facts.route_calls import calls_of
from bot.investigator.facts.runners import runners
from bot.investigator.facts.traffic import traffic_of, upstream
from gonogo.context import Series, Statistic
from gonogo.evidence import MetricEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Relation, Resource
from heuristics.code import Route
from heuristics.hot.reach import Reach, reach_of, served_routes
from heuristics.hot.spots import function_at


class PathRate(Record):
    """The peak and mean of requests a second. `is_exact`: of this very path; else of the whole program, an upper bound.

    `most` is what all routes together have at their peaks.
    """

    resource: Resource
    reach: Reach
    peak: Reading
    mean: Reading
    most: float
    is_exact: bool


def path_rate(case: Case, file: str, line: int, *, name: str = "") -> tuple[Resource | None, Reach, PathRate | None]:
    """The program that runs a line, the routes that reach it, and their rate where it was measured."""
    reach = reach_of(case.diff, file, line, name=name)
    found = runners(case, file)
    resource = found[0] if len(found) == 1 else None
    if resource is None:
        return None, reach, None
    counted = [
        c.counted for r in reach.routes if (c := calls_of(case, r, _methods(r), ())) is not None and c.counted is not None
    ] if not reach.is_every_request else []  # fmt: skip
    if counted:
        best = max(counted, key=lambda c: c.peak.value)
        most = sum({c.series.metric: c.peak.value for c in counted}.values())
        return resource, reach, PathRate(resource, reach, best.peak, best.mean, most, is_exact=True)
    return resource, reach, _of_program(case, resource, reach)


def _of_program(case: Case, resource: Resource, reach: Reach) -> PathRate | None:
    sources = [resource.id, *upstream(case, resource.id), *(e.source for e in case.into(resource.id, Relation.TRIGGERS))]
    for source in sources:
        peak, mean = _rates(case, source)
        if peak is not None and mean is not None:
            every = served_routes(case.diff.head)
            is_sole = bool(reach.routes) and {(r.method, r.path) for r in every} == {(r.method, r.path) for r in reach.routes}
            return PathRate(resource, reach, peak, mean, peak.value, is_exact=reach.is_every_request or is_sole)
    return None


def _rates(case: Case, resource: str) -> tuple[Reading | None, Reading | None]:
    return request_rate(case, resource, "max") or traffic_of(case, resource), request_rate(case, resource, "mean") or traffic_of(
        case, resource, "mean"
    )


def _methods(route: Route) -> tuple[str, ...]:
    return () if route.method == "ANY" else (route.method,)


class Items(Record):
    """How many times a loop runs in one request: measured in the logs, else at most what the code allows."""

    low: float
    high: float | None
    reading: Reading | None = None


_PER_ANSWER = pattern(
    r"(?i)(?:\w+_)?(?:items?|rows?|results?|records?|entries|elements|lines|page_?size|list_?size)_?(?:per_?|in_?|of_?)?(?:each_?)?(?:response|request|answer|page|call|list|returned)(?:_?(?:count|size|avg|mean))?(?:\.\w+)?"
)


_PARAMETER = pattern(r"\{[^{}/]*\}|(?<=/):\w+|<[^<>/]*>")


def _items_metric(case: Case, resource: str, reach: Reach) -> tuple[Reading, Reading] | None:
    """Mean and highest number of items of an answer, where a metric of the route, or of the whole program, tells them."""
    fixed = [_PARAMETER.sub("{}", r.path) for r in reach.routes]
    for series in case.production.series_of(resource):
        name, _, dimensions = series.metric.partition("{")
        if not _PER_ANSWER.fullmatch(name) or (
            dimensions and not any(path in _PARAMETER.sub("{}", dimensions) for path in fixed)
        ):
            continue
        found = [_size_of(series, statistic) for statistic in ("mean", "max")]
        if found[0] is not None and found[1] is not None and found[0].value > 0:
            return found[0], found[1]
    return None


def _size_of(series: Series, statistic: Statistic) -> Reading | None:
    """The plain statistic of a series whose values are sizes, not events of a step."""
    found = statistic_reading(series, statistic)
    if found is None or not isinstance(found.evidence, MetricEvidence):
        return found
    return Reading(float(found.evidence.value), "", found.evidence)


_COUNTS = r"(?i)\b(?:rows|items|count|results|returned|entries|records|batch(?:_?size)?|size|n)\s*[=:]\s*\"?(?P<n>\d{1,7})\b"


_LOGS = pattern(r"(?i)\b(?:s?log(?:ger|ging)?|console|zap|logrus|zerolog|puts|print\w*)\b|\.(?:info|debug|warn|msg)\w*\(")
_TEXT = pattern(r"[\"'`]([^\"'`%{$#]{5,80})")


def _said_by(case: Case, file: str, line: int) -> tuple[str, ...]:
    """How the log lines of the function around a line begin."""
    spot = function_at(case.diff.head, file, line)
    lines = (case.diff.head.text(file) or "").split("\n")
    body = lines[spot.start - 1 : spot.end] if spot is not None else []
    found = [m[1].rstrip(" =:([") for text in body if _LOGS.search(text[:400]) and (m := _TEXT.search(text[:400]))]
    return tuple(f for f in found if len(f) >= 5)[:4]


def items_in_logs(case: Case, resource: str, reach: Reach, most: int | None, *, file: str = "", line: int = 0) -> Items:
    """The median count that the function's own log line tells, or those of the routes, else a quarter of the limit of the code."""
    counted = _items_metric(case, resource, reach)
    if counted is not None:
        return Items(counted[0].value, max(counted[1].value, most or 0), counted[0])
    for said in _said_by(case, file, line) if file else ():
        tried = rf"{re.escape(said)}.*?{_COUNTS.removeprefix('(?i)')}"
        usual, top = (captures(case, resource, tried, "n", s) for s in ("p50", "max"))
        if usual is not None and top is not None:
            return Items(usual.value, max(top.value, most or 0), usual)
    for route in reach.routes[:4]:
        fixed = re.escape(route.path.partition("{")[0].rstrip("/"))
        tried = rf"{fixed}(?![\w/-]).*?{_COUNTS.removeprefix('(?i)')}"
        usual, top = (captures(case, resource, tried, "n", s) for s in ("p50", "max"))
        if fixed and usual is not None and top is not None:
            return Items(usual.value, max(top.value, most or 0), usual)
    return Items(max(1.0, (most or 1) / 4), float(most) if most is not None else None)
