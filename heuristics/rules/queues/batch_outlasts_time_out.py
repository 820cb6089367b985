"""A bigger batch in the same time."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.limits.finding import change_of, limit_finding
from heuristics.limits.queues import QueueLimit, queue_changes
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("queues/batch-outlasts-time-out"), title="A bigger batch in the same time", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in queue_changes(context):
        is_batch = found.limit in (QueueLimit.BATCH, QueueLimit.POLL)
        if is_batch and found.old is not None and found.new > found.old:
            message = f"{change_of(found.changed)}: {found.new / found.old:.3g} times the work has to end in the same time"
            yield limit_finding(
                INFO.id, found.changed, message, "Time of a message × batch size must stay below the time-out; raise that first."
            )
