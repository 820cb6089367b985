"""How many calls a second another side takes, by whatever name its limit stands in its configuration, and how many it gets from a caller."""

import re

from bot.investigator.asking import Reading, config, statistic_reading
from bot.investigator.case import Case
from bot.investigator.facts.callees import short
from bot.investigator.facts.latencies import latencies
from bot.investigator.facts.rates import request_rate
from bot.investigator.facts.traffic import dimensions_of
from gonogo.context import Statistic
from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.limits.changed import as_number, normal_name

_UNIT_S = {"s": 1.0, "sec": 1.0, "second": 1.0, "m": 60.0, "min": 60.0, "minute": 60.0, "h": 3600.0, "hour": 3600.0, "d": 86_400.0, "day": 86_400.0}  # fmt: skip
_SHORT_S = {"rps": 1.0, "qps": 1.0, "tps": 1.0, "rpm": 60.0, "qpm": 60.0, "rph": 3600.0, "rpd": 86_400.0}
_LIMIT = pattern(r"(?i)(?=.*(rate|quota|limit|throttl|max|allowed|requests|calls))(?!.*(burst|byte|mb|memory|timeout|log)).*")
_PER = pattern(r"(?i)(?:_|^)per_?(?P<unit>second|sec|s|minute|min|m|hour|h|day|d)(?:_|$)")
_WORD = pattern(r"(?i)(?:^|_)(?P<short>rps|qps|tps|rpm|qpm|rph|rpd)(?:_|$)")
_BARE = ("rate_limit", "throttle_rate_limit", "throttling_rate_limit")
_OUTGOING = pattern(
    r"(?i).*(client|outgoing|outbound|upstream|external|egress|dependency|downstream|partner|api)_?.*(requests?|calls|rate).*"
)
_NO_RATE = pattern(r"(?i)second(s)?\.p\d|duration|latency|error|fail|time\b")


class Allowed(Record):
    """A limit in calls a second, and the attribute that states it."""

    per_second: float
    reading: Reading
    said: str


def allowed_rate(case: Case, resource: str) -> Allowed | None:
    """The limit of a resource; the lowest when it states several."""
    found: list[Allowed] = []
    known = case.production.resource(resource)
    for key in known.attributes if known is not None else ():
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key.rpartition(".")[2]).lower()
        per, word = _PER.search(name), _WORD.search(name)
        if not _LIMIT.fullmatch(name) and word is None:
            continue
        span = _UNIT_S[per["unit"]] if per else _SHORT_S[word["short"]] if word else 1.0 if name in _BARE else None
        cited = config(case, resource, key) if span is not None else None
        value = as_number(cited.value) if cited is not None else None
        if span is not None and cited is not None and value is not None and value > 0:
            unit = {1.0: "second", 60.0: "minute", 3600.0: "hour"}.get(span, "day")
            found.append(Allowed(value / span, Reading(value, "", cited), f"{value:g} a {unit}"))
    return min(found, key=lambda one: one.per_second, default=None)


def rate_to(case: Case, caller: str, target: str, statistic: Statistic = "max") -> Reading | None:
    """Calls a second that the caller makes there: its own count by host or service, else all that the target gets when nobody else calls it."""
    for series in case.production.series_of(caller):
        name = series.metric.partition("{")[0]
        if (
            "{" in series.metric
            and _OUTGOING.fullmatch(name)
            and not _NO_RATE.search(name)
            and is_about(case, series.metric, target)
        ):
            found = statistic_reading(series, statistic)
            if found is not None and found.unit == "1/s":
                return found
    callers = {e.source for e in case.into(target)} - {case.repository}
    return request_rate(case, target, statistic) if callers <= {caller} else None


def time_to(case: Case, caller: str, target: str) -> Reading | None:
    """How long a call there takes half of the time, as the caller or the target measured it, in seconds."""
    mine = [one for one in latencies(case, caller, outgoing=True) if one.labels and is_about(case, f"x{one.labels}", target)]
    usual = [one for one in (*mine, *latencies(case, target, outgoing=False)) if one.percentile in ("p50", "mean")]
    return usual[0].typical() if usual else None


def is_about(case: Case, metric: str, target: str) -> bool:
    """Whether a label of a series names the target: its name, its host or its address."""
    known = case.production.resource(target)
    hosts = {h for v in (known.attributes.values() if known is not None else ()) if isinstance(v, str) and (h := _host(v))}
    name = normal_name(short(case, target))
    for value in dimensions_of(metric).values():
        host = _host(value) or value.lower()
        if host in hosts or normal_name(value.split(".")[0]) == name or normal_name(value) == name:
            return True
    return False


def _host(written: str) -> str:
    found = re.match(r"(?:[a-z]+://)?((?:[\w-]+\.)+[a-z]{2,})(?=[:/]|$)", written.lower())
    return found[1] if found else ""
