"""How long a copy takes to come up and how long its work lasts, from metrics and from the sampled logs."""

import re

from bot.investigator.asking import Reading, captures, statistic_reading
from bot.investigator.case import Case
from gonogo.context import Statistic
from gonogo.pattern import pattern
from gonogo.record import Record

_START_METRIC = pattern(
    r"(?i).*(start_?up|boot|application_(started|ready)|container_start|init|time_?to_?ready|ready).*(time|duration|seconds|latency).*"
)
_START_LOGS = (
    (r"(?i)\bstarted \S{1,80} in (?P<t>[\d.]+) ?(?:s|sec|seconds)\b", 1.0),
    (r"(?i)\b(?:start(?:ed|up|-up|ing)?|boot(?:ed|ing)?|ready|warm(?:ed|-?up)?|initiali[sz]ed|listening|loaded)\b.{0,60}?(?P<t>\d+(?:\.\d+)?) ?(?:s|sec|secs|seconds)\b(?! ?[=:])", 1.0),
    (r"(?i)\b(?:start(?:ed|up|-up|ing)?|boot(?:ed|ing)?|ready|warm(?:ed|-?up)?|initiali[sz]ed|listening|loaded)\b.{0,60}?(?P<t>\d+(?:\.\d+)?) ?(?:ms|milliseconds)\b", 1e-3),
)  # fmt: skip
_WORK_LOGS = (
    (r"(?i)\b(?:seconds|secs|duration_s|elapsed_s|duration_seconds)[=:] ?(?P<t>\d+(?:\.\d+)?)", 1.0),
    (r"(?i)\b(?:finished|completed?|done|took|duration|elapsed|ran|processed|encoded|exported|rendered|succeeded|ended|total)\b.{0,60}?(?P<t>\d+(?:\.\d+)?) ?(?:s|sec|secs|seconds)\b(?! ?[=:])", 1.0),
    (r"(?i)\b(?:finished|completed?|done|took|duration|elapsed|ran|processed|encoded|exported|rendered|succeeded|ended|total)\b.{0,60}?(?P<t>\d+(?:\.\d+)?) ?(?:m|min|mins|minutes)\b", 60.0),
    (r"(?i)\b(?:finished|completed?|done|took|duration|elapsed|ran|processed|duration_ms|elapsed_ms)\b.{0,60}?(?P<t>\d+(?:\.\d+)?) ?(?:ms|milliseconds)\b", 1e-3),
    (r"(?i)(?:\s|\.|^)(?P<t>\d+(?:\.\d+)?) ?(?:s|sec|seconds) {1,3}(?:done|ok|success|succeeded|completed?|finished|processed)\b", 1.0),
    (r"(?i)(?:\s|\.|^)(?P<t>\d+(?:\.\d+)?) ?(?:m|min|minutes) (?:\d+(?:\.\d+)? ?s )?(?:done|ok|success|succeeded|completed?|finished|processed)\b", 60.0),
    (r"(?i)(?:\s|\.|^)(?P<t>\d+(?:\.\d+)?) ?ms {1,3}(?:done|ok|success|succeeded|completed?|finished|processed)\b", 1e-3),
    (r"(?i)\b(?:duration_ms|elapsed_ms|took_ms)[=:] ?(?P<t>\d+(?:\.\d+)?)", 1e-3),
)  # fmt: skip


class Span(Record):
    """The shortest, the usual and the longest time, in seconds, each with its citation."""

    least: Reading
    usual: Reading
    most: Reading


def start_up(case: Case, resource: str) -> Span | None:
    """How long copies took to come up."""
    return _of_metric(case, resource, _START_METRIC) or _of_logs(case, resource, _START_LOGS)


def logged_work(case: Case, resource: str) -> Span | None:
    """How long runs or jobs took, as their own log lines say."""
    return _of_logs(case, resource, _WORK_LOGS)


def _of_metric(case: Case, resource: str, pattern: re.Pattern[str]) -> Span | None:
    case.asked.append(f"metric {pattern.pattern} of {resource}")
    for series in case.production.series_of(resource):
        if not pattern.fullmatch(series.metric) or re.search(r"(?i)probe|latency_budget|timeout", series.metric):
            continue
        readings = [statistic_reading(series, statistic) for statistic in ("min", "p50", "max")]
        least, usual, most = readings
        if least is not None and usual is not None and most is not None and most.unit == "s":
            return Span(least, usual, most)
    return None


def _of_logs(case: Case, resource: str, patterns: tuple[tuple[str, float], ...]) -> Span | None:
    for tried, factor in patterns:
        readings = [captures(case, resource, tried, "t", statistic, factor=factor, unit="s") for statistic in _ORDER]
        least, usual, most = readings
        if least is not None and usual is not None and most is not None:
            return Span(least, usual, most)
    return None


_ORDER: tuple[Statistic, ...] = ("min", "p50", "max")
