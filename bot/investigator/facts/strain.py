"""How near a resource already is to what it can take: CPU, concurrency, connections, rate limits, and how often it fails."""

import re
from collections.abc import Iterator

from bot.investigator.asking import Reading, metric, metric_names, number, statistic_reading
from bot.investigator.case import Case
from bot.investigator.facts.rate_limits import allowed_rate
from bot.investigator.facts.rates import CPU, request_rate
from gonogo.pattern import pattern
from gonogo.record import Record

_RATIO = pattern(r"(?i).*(error|failure|fail|5xx)s?_?(ratio|rate|percent|percentage)(\{[^}]*\})?")
_COUNTED = pattern(
    r"(?i)(errors|errorspersecond|5xxerror|httpcode_(target|elb)_5xx_count|.*(errors|failures|5xx)(_total|_count|_?per_?second)?)"
)
_REFUSED = pattern(r"(?i)(throttles|throttledrequests|(read|write)throttleevents|rejected.*|.*throttle.*)")


_PAIRS: tuple[tuple[str, tuple[str | re.Pattern[str], ...], tuple[str, ...]], ...] = (
    (
        "concurrency",
        ("ConcurrentExecutions", "ConcurrentExecutions.max", pattern(r"(?i).*(in_?flight|concurrent|active)_?(requests|executions|calls|invocations|streams)(_max)?|.*(requests|calls)_?(in_?flight|active|concurrent)")),
        ("reserved_concurrency", "max_concurrent_requests", "max_concurrency", "concurrency_limit", "max_in_flight", "max_inflight", "max_requests_in_flight", "max_inflight_requests", "container_concurrency"),
    ),
    (
        "its worker threads",
        (pattern(r"(?i).*(busy|active|in_?use)_?(worker_?)?(threads|workers|processes)(_max)?|.*(threads|workers|processes)_?(busy|active|in_?use)(_max)?"),),
        ("worker_threads", "max_threads", "threads", "max_workers", "workers", "thread_pool_size", "worker_processes"),
    ),
    (
        "its queue",
        (pattern(r"(?i).*(request|accept|pending|work|job)?_?queue_?(depth|length|size)(_max)?|pending_requests|.*backlog"),),
        ("queue_limit", "max_queue", "queue_size", "max_queue_size", "max_pending_requests", "backlog", "queue_capacity"),
    ),
    ("connections", ("DatabaseConnections", "CurrConnections", pattern(r"(?i)(active|current|open)_?connections(_max)?")), ("max_connections", "settings.max_connections", "connection_limit")),
)  # fmt: skip
"""What is used, by its metrics, and the attributes that bound it."""
_OF_ANOTHER = 1.25
"""A level far above a limit is not the level of that limit: the limit is one copy's, the level is of all."""


class Strain(Record):
    """One limit of a resource and how much of it is used at the peak, in percent."""

    what: str
    percent: float
    reading: Reading
    limit: Reading | None = None


def strains(case: Case, resource: str) -> tuple[Strain, ...]:
    """Everything of the resource that has a limit, the most used first."""
    found = [*_cpu(case, resource), *_of_limits(case, resource)]
    return tuple(sorted(found, key=lambda s: -s.percent))


class Failing(Record):
    """What share of the calls fails at the worst, in percent, and the readings that say so."""

    percent: float
    typical: float
    reading: Reading


def failing(case: Case, resource: str) -> Failing | None:
    """The share of failed calls at the peak; None when no errors were read. Refusals count as failures."""
    case.asked.append(f"share of failed calls of {resource}")
    found: list[Failing] = []
    rate = request_rate(case, resource, "mean")
    for name in metric_names(case, resource):
        if _RATIO.fullmatch(name):
            found += _of_ratio(case, resource, name)
        elif (_COUNTED.fullmatch(name) or _REFUSED.fullmatch(name)) and (peak := metric(case, resource, [name], "max")):
            usual = metric(case, resource, [name], "mean")
            if peak.value == 0:
                found.append(Failing(0.0, 0.0, peak))
            elif rate is not None and rate.value > 0 and peak.unit == "1/s" and usual is not None:
                found.append(Failing(100 * usual.value / rate.value, 100 * usual.value / rate.value, peak))
    return max(found, key=lambda f: f.percent, default=None)


def _of_ratio(case: Case, resource: str, name: str) -> Iterator[Failing]:
    for series in case.production.series_of(resource, name):
        peak, usual = statistic_reading(series, "max"), statistic_reading(series, "p50")
        if peak is not None and usual is not None:
            factor = 100 if series.unit.lower() in ("ratio", "none", "") and peak.value <= 1 else 1
            yield Failing(peak.value * factor, usual.value * factor, peak)


def _cpu(case: Case, resource: str) -> Iterator[Strain]:
    for names in (CPU, (re.compile(r"EngineCPUUtilization"),)):
        found = metric(case, resource, names, "max")
        if found is not None and found.unit == "%":
            yield Strain("CPU", found.value, found)
            return


def _of_limits(case: Case, resource: str) -> Iterator[Strain]:
    for what, names, keys in _PAIRS:
        used, limit = metric(case, resource, names, "max"), number(case, resource, *keys)
        level = used.evidence.value if used is not None and used.evidence.kind == "metric" else None
        if used is not None and level is not None and limit is not None and 0 < level <= _OF_ANOTHER * limit.value:
            yield Strain(what, 100 * level / limit.value, used, limit)
    allowed = allowed_rate(case, resource)
    rate = request_rate(case, resource)
    if allowed is not None and rate is not None:
        yield Strain(f"the limit of {allowed.said}", 100 * rate.value / allowed.per_second, rate, allowed.reading)
