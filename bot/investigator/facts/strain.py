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
    pairs: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
        ("concurrency", ("ConcurrentExecutions", "ConcurrentExecutions.max"), ("reserved_concurrency",)),
        ("connections", ("DatabaseConnections", "CurrConnections"), ("max_connections", "settings.max_connections")),
    )
    for what, names, keys in pairs:
        used, limit = metric(case, resource, names, "max"), number(case, resource, *keys)
        if used is not None and limit is not None and limit.value > 0:
            yield Strain(what, 100 * used.value / limit.value, used, limit)
    allowed = allowed_rate(case, resource)
    rate = request_rate(case, resource)
    if allowed is not None and rate is not None:
        yield Strain(f"the limit of {allowed.said}", 100 * rate.value / allowed.per_second, rate, allowed.reading)
