"""How often a service already refuses calls because it is at a limit: throttles, 429, 503, full queues; at the service or as its caller counts them."""

import re
from collections.abc import Iterator, Sequence

from bot.investigator.asking import Reading, base_unit, log_count, statistic_reading
from bot.investigator.case import Case
from bot.investigator.facts.callees import Callee, short
from bot.investigator.facts.rate_limits import is_about
from bot.investigator.facts.rates import REQUESTS
from bot.investigator.facts.traffic import dimensions_of
from bot.investigator.metric_names import plain_name
from gonogo.context import Series
from gonogo.evidence import LogEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Relation

_REFUSED = pattern(
    r"(?i)(?!.*(cpu|seconds|duration|latency|bytes|messages|network)).*(throttl|reject|too_?many|rate_?limited|overflow|load_?shed|shed_|refused|queue_?full|pool_?full|(^|_|\.)(429|503)(_|\.|$)).*"
)
_COUNTS = pattern(r"(?i).*(request|response|call|invocation|rpc|http|outbound|count|hits|rq).*")
_TIMES = pattern(r"(?i)seconds|duration|latency|bytes|_ms$")
_STATUS = pattern(r"(?i)(http_?)?(response_?)?(status|code|status_?code|grpc_?(status|code))")
_FULL = ("429", "503", "resource_exhausted", "unavailable", "too_many_requests", "throttled")
_OF_ONE_CALLER = pattern(r"(?i)429|too_?many|rate_?limit")
"""A limit for each caller: what is refused may be another's."""
_LOGGED = r"(?i)too ?many ?requests|\b429\b|throttl|rate exceeded|concurrency limit|rate limit(ed)? (exceeded|reached)|RESOURCE_EXHAUSTED|queue (is )?full|pool (is )?exhausted|\b503\b.*(overload|busy|unavailable)"
MATERIAL_PERCENT = 1.0
_HOUR_S = 3600.0


class Refusing(Record):
    """What share of the calls is refused in the worst hour, in percent, and on how many days of the window a material share is."""

    percent: float
    days: int
    of_days: int
    reading: Reading

    @property
    def is_usual(self) -> bool:
        """Whether a material share is refused again and again, not once."""
        return self.percent >= MATERIAL_PERCENT and self.days >= min(2, self.of_days)


def refusing(case: Case, callee: Callee) -> Refusing | None:
    """The worst of what is refused; None when nothing was, or nobody counts the calls."""
    case.asked.append(f"refused calls of {callee.target}")
    calls = _calls(case, callee.target)
    found = [r for series in _refusals(case, callee) if (r := _share(series, _all_of(case, series) or calls)) is not None]
    return max(found, key=lambda one: (one.is_usual, one.percent), default=None)


def logged_refusals(case: Case, callee: Callee) -> LogEvidence | None:
    """Sampled lines of the service, or of its caller, that say so; None below three."""
    name = re.escape(short(case, callee.target))
    for resource, tried in (
        (callee.target, _LOGGED),
        (callee.caller.id, rf"(?=.*\b{name}\b)(?=.*(?:{_LOGGED.removeprefix('(?i)')}))"),
    ):
        found = log_count(case, resource, tried if tried.startswith("(?i)") else f"(?i){tried}")
        if found is not None and found.count >= 3:
            return found
    return None


def _refusals(case: Case, callee: Callee) -> Iterator[Series]:
    callers = {
        e.source
        for e in case.into(callee.target, Relation.INVOKES, Relation.CONNECTS_TO, Relation.DEPENDS_ON, Relation.ROUTES_TO)
    }
    is_shared = bool(callers - {callee.caller.id, case.repository})
    for series in case.production.series_of(callee.target):
        if _is_refusal(series) and not (is_shared and _OF_ONE_CALLER.search(series.metric)):
            yield series
    for series in case.production.series_of(callee.caller.id):
        if "{" in series.metric and is_about(case, series.metric, callee.target) and _is_refusal(series):
            yield series


def _is_refusal(series: Series) -> bool:
    name = series.metric.partition("{")[0]
    if base_unit(series)[1] != "1/s" or _TIMES.search(name):
        return False
    statuses = [value.lower() for key, value in dimensions_of(series.metric).items() if _STATUS.fullmatch(key)]
    if statuses:
        return all(s in _FULL for s in statuses) and (_COUNTS.fullmatch(name) is not None or _REFUSED.fullmatch(name) is not None)
    return _REFUSED.fullmatch(name) is not None


def _all_of(case: Case, refused: Series) -> list[float] | None:
    """All calls of the same counter, where it counts every status in a series of its own."""
    name = refused.metric.partition("{")[0]
    others = [s for s in case.production.series_of(refused.resource) if s.metric.partition("{")[0] == name and s.step_s == refused.step_s and len(s.values) == len(refused.values)]  # fmt: skip
    if len(others) < 2:
        return None
    return [sum(v or 0.0 for v in at) for at in zip(*(o.values for o in others), strict=True)]


def _calls(case: Case, resource: str) -> Series | None:
    for name in REQUESTS:
        for series in case.production.series_of(resource):
            plain = plain_name(series.metric, "max", series.unit, resource)
            if (name == plain if isinstance(name, str) else name.fullmatch(plain)) and base_unit(series)[1] == "1/s":
                return series
    return None


def _share(refused: Series, calls: Series | list[float] | None) -> Refusing | None:
    peak = statistic_reading(refused, "max")
    if peak is None or peak.value <= 0 or calls is None:
        return None
    factor, step = base_unit(refused)[0], refused.step_s
    some = [(v or 0.0) * factor for v in refused.values]
    if isinstance(calls, list):
        every: Sequence[float] = [v * factor for v in calls]
    else:
        every = [(v or 0.0) * base_unit(calls)[0] for v in calls.values]
        if calls.step_s != step or len(every) != len(some):
            mean = sum(every) / max(1, len(every))
            every = [mean] * len(some)
    width = max(1, round(_HOUR_S / step))
    hours = [(at, 100 * sum(some[at : at + width]) / max(1e-9, sum(every[at : at + width]))) for at in range(0, len(some), width)]
    a_day = max(1, round(86_400 / step))
    days = {at // a_day for at, percent in hours if percent >= MATERIAL_PERCENT}
    return Refusing(min(100.0, max(p for _, p in hours)), len(days), max(1, -(-len(some) // a_day)), peak)
