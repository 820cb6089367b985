"""What comes through a network rule, counted by its source, its port or the rule itself: flows, connections, packets, bytes."""

import re
from collections.abc import Callable

from bot.investigator.asking import Reading, statistic_reading
from bot.investigator.case import Case
from bot.investigator.facts.traffic import dimensions_of, per_second
from context_graph.readings import window_of
from gonogo.context import Series
from gonogo.pattern import pattern
from gonogo.record import Record

_COMES_THROUGH = pattern(
    r"(?i).*(accept|allow|permit|flow|conn|session|packet|bytes|request|traffic|hits?(_|$)|hitcount|count|calls|queries|clients|numbackends|activity|messages|operations|invocation|established|rps|qps|sent|handled).*"
)
_TROUBLE = pattern(
    r"(?i)error|4xx|5xx|fail|throttl|latency|duration|reject|den(y|ied)|drop|block|refused|reset|timeout|limit|memory|cpu|max_?conn|percent|ratio"
)
_HELD = pattern(r"(?i)active|current|open_|held|numbackends|databaseconnections|clients|threads|in_?use|pool|gauge")


class Flow(Record):
    """One series of what comes through. The values are the provider's own, in its own unit."""

    series: Series
    mean: Reading
    peak: Reading
    recent: Reading | None
    """The mean of the last 24 hours."""

    @property
    def days(self) -> float:
        """Length of the window."""
        window = window_of(self.series)
        return (window.end - window.start).total_seconds() / 86_400

    @property
    def said(self) -> str:
        """How much it is on average, in words."""
        name, value = self.series.metric.partition("{")[0], self.mean.value
        if self.mean.unit == "1/s":
            return per_second(value)
        if self.mean.unit == "B" or re.search(r"(?i)bytes", name):
            return f"with {value:,.3g} bytes in a reading"
        if _HELD.search(name):
            return f"with {value:,.3g} connections at a time"
        return f"{value:,.3g} times in {self.series.step_s / 60:,.3g} minutes"


def flows_by(case: Case, resource: str, keys: re.Pattern[str], matches: Callable[[str], bool]) -> tuple[list[Flow], list[Flow]]:
    """Series of the resource with a dimension called by one of the keys: those whose value matches, and the others."""
    hits: list[Flow] = []
    others: list[Flow] = []
    case.asked.append(f"metrics of {resource} by {keys.pattern}")
    for series in case.production.series_of(resource):
        values = [v for k, v in dimensions_of(series.metric).items() if keys.fullmatch(k)]
        found = flow_of(series) if values else None
        if found is not None:
            (hits if any(matches(v) for v in values) else others).append(found)
    return hits, others


def flow_of(series: Series) -> Flow | None:
    """The series as something that comes through; None where it counts something else, or what was refused."""
    name = series.metric.partition("{")[0]
    if _TROUBLE.search(series.metric) or not _COMES_THROUGH.fullmatch(name):
        return None
    mean, peak = statistic_reading(series, "mean"), statistic_reading(series, "max")
    if mean is None or peak is None:
        return None
    return Flow(series, mean, peak, statistic_reading(series, "mean", hours=24))
