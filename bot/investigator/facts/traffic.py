"""Whether anything arrives at a resource, and at one of its routes: metrics by dimension, access lines in the log sample."""

import re
from collections.abc import Callable, Iterator, Mapping

from bot.investigator.asking import Reading, log_count, number, statistic_reading
from bot.investigator.case import Case
from bot.investigator.chain import Cited, compare, exposure
from bot.investigator.facts.rates import request_rate
from context_graph.readings import window_of
from gonogo.context import Series, Statistic
from gonogo.evidence import LogEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Resource
from gonogo.trajectory import Link

_COUNTED = pattern(
    r"(?i)(.*(request|invocation|call|count|hits|handled|jobs?|processed|published|sent|flows|messages|operations|queries|sessions|executions|resolutions|resolved|selections).*|rps|qps|Count|Requests)"
)
_TROUBLE = pattern(
    r"(?i)error|4xx|5xx|fail|throttle|latency|duration|reject|denied|dropped|concurren|limit|memory|cpu|connection"
)
_DIMENSIONS = pattern(r"([\w.]+)=((?:[^,{}]|\{[^{}]*\})*)")


class Counted(Record):
    """What one series says: how often a second at its peak and on average, and how often in the whole window."""

    peak: Reading
    mean: Reading
    total: float
    series: Series

    @property
    def days(self) -> float:
        """Length of the window."""
        window = window_of(self.series)
        return (window.end - window.start).total_seconds() / 86_400


def traffic_of(case: Case, resource: str, statistic: Statistic = "max") -> Reading | None:
    """Requests, invocations, jobs or messages a second; the resource's own total, else its busiest dimension."""
    found = request_rate(case, resource, statistic)
    if found is not None:
        return found
    counted = [c for series in case.production.series_of(resource) if (c := count_of(series)) is not None]
    best = max(counted, key=lambda c: c.mean.value, default=None)
    return None if best is None else best.peak if statistic == "max" else best.mean


def busy(case: Case, resource: Resource, *existence: Cited) -> Link:
    """The exposure link of a program: how often it is called at its peak; where that was not read, that it exists."""
    rate = traffic_of(case, resource.id)
    if rate is not None:
        return exposure(f"{resource.name} is called {per_second(rate.value)} at its peak", rate, comparison=compare(rate, ">", 0))
    running = number(case, resource.id, "desired_count", "replicas", "machines", "count", "instances")
    if running is not None:
        return exposure(f"{running.value:g} of {resource.name} are running", running, comparison=compare(running, ">", 0))
    return exposure(f"{resource.name} is deployed", *existence)


def per_second(rate: float) -> str:
    """A rate in words: seldom events by the hour."""
    if rate >= 0.1:
        return f"{rate:,.3g} times a second"
    return f"{rate * 3600:,.3g} times an hour"


def count_of(series: Series) -> Counted | None:
    """The series as a number of events, or None when it counts something else."""
    name = series.metric.partition("{")[0]
    if not _COUNTED.fullmatch(name) or _TROUBLE.search(name) or re.search(r"\.(p\d+|max|min)$", name):
        return None
    peak, mean = statistic_reading(series, "max"), statistic_reading(series, "mean")
    if peak is None or mean is None or mean.unit != "1/s":
        return None
    known = sum(v is not None for v in series.values)
    return Counted(peak, mean, mean.value * series.step_s * known, series)


def dimensions_of(metric: str) -> Mapping[str, str]:
    """`Count{route=/v1/x/{id},method=GET}` → its dimensions."""
    _, brace, rest = metric.partition("{")
    if not brace:
        return {}
    return {m[1].lower(): m[2].strip().strip("\"'") for m in _DIMENSIONS.finditer(rest.removesuffix("}"))}


def counted_by(
    case: Case, resource: str, keys: re.Pattern[str], matches: Callable[[str], bool]
) -> tuple[list[Counted], list[Counted]]:
    """Series with a dimension called by one of the keys: those whose value matches, and the others."""
    hits: list[Counted] = []
    others: list[Counted] = []
    for series in case.production.series_of(resource):
        values = [v for k, v in dimensions_of(series.metric).items() if keys.fullmatch(k)]
        counted = count_of(series) if values else None
        if counted is not None:
            (hits if any(matches(v) for v in values) else others).append(counted)
    case.asked.append(f"metrics of {resource} by {keys.pattern}")
    return hits, others


def counted_of(case: Case, resource: str) -> list[Counted]:
    """Every series of the resource that counts events by some label."""
    case.asked.append(f"metrics of {resource} by label")
    series = [s for s in case.production.series_of(resource) if dimensions_of(s.metric)]
    return [counted for s in series if (counted := count_of(s)) is not None]


def lines_like(case: Case, resource: str, pattern: str) -> LogEvidence | None:
    """Sampled lines that match; None when none does."""
    return log_count(case, resource, pattern)


def access_lines(case: Case, resource: str) -> int:
    """How many sampled lines of the resource look like an access log."""
    return sum(line.resource == resource and _ACCESS.search(line.message[:2_000]) is not None for line in case.production.logs)


_ACCESS = pattern(
    r"\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+(https?://|/)|\bgrpc\b.*\bmethod=|\b(operation|operationName|fields|path|route|url|uri|grpc\.method)[\"']?\s?[=:]\s?\S"
)


def upstream(case: Case, resource: str) -> Iterator[str]:
    """What routes to a resource or invokes it (gateways, load balancers), nearest first, each once."""
    seen = {resource}
    level = [resource]
    for _ in range(2):
        following: list[str] = []
        for at in level:
            for edge in case.into(at):
                if edge.relation.value in ("routes_to", "invokes", "triggers") and edge.source not in seen:
                    seen.add(edge.source)
                    following.append(edge.source)
                    yield edge.source
        level = following
