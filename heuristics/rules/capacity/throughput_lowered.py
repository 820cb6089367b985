"""Less provisioned capacity of a table, stream or gateway."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.limits.concurrency import Bounds, changed_bounds
from heuristics.limits.finding import change_of, limit_finding
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(
    id=RuleId("capacity/throughput-lowered"), title="Less provisioned capacity of a table, stream or gateway", since="0.1.0"
)


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in changed_bounds(context):
        if found.bounds in (Bounds.READS, Bounds.WRITES, Bounds.RATE, Bounds.SHARDS) and found.is_lowered:
            message = f"{change_of(found.changed)}: what is asked beyond it is throttled"
            yield limit_finding(
                INFO.id, found.changed, message, "30 % above the peak of what is consumed, or auto scaling, or on-demand mode."
            )
