"""A message gets fewer tries before the dead letter queue."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.limits.finding import change_of, limit_finding
from heuristics.limits.queues import QueueLimit, queue_changes
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(
    id=RuleId("queues/max-receive-lowered"), title="A message gets fewer tries before the dead letter queue", since="0.1.0"
)


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in queue_changes(context):
        if found.limit is QueueLimit.RECEIVES and found.old is not None and found.new < found.old:
            message = f"{change_of(found.changed)}: what fails that often goes to the dead letter queue"
            yield limit_finding(INFO.id, found.changed, message, "At least 3 receives, and an alarm on the dead letter queue.")
