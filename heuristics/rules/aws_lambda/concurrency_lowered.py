"""A function may run fewer times at once."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.limits.concurrency import Bounds, changed_bounds
from heuristics.limits.finding import change_of, limit_finding
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("aws-lambda/concurrency-lowered"), title="A function may run fewer times at once", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in changed_bounds(context):
        if found.bounds in (Bounds.RESERVED, Bounds.PROVISIONED, Bounds.SOURCE) and found.is_lowered:
            message = f"{change_of(found.changed)}: runs beyond it are throttled, start cold or wait in the queue"
            yield limit_finding(INFO.id, found.changed, message, "At least 30 % above the peak of ConcurrentExecutions.")
