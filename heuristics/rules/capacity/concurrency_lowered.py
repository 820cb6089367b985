"""Fewer workers, threads or consumers."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.limits.concurrency import Bounds, changed_bounds
from heuristics.limits.finding import change_of, limit_finding
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("capacity/concurrency-lowered"), title="Fewer workers, threads or consumers", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in changed_bounds(context):
        if found.bounds is Bounds.WORKERS and found.is_lowered:
            message = f"{change_of(found.changed)}: what is not taken at once waits"
            yield limit_finding(INFO.id, found.changed, message, "Above arrivals × time of one, at the peak.")
