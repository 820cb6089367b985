"""A bigger batch in the same time."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.limits.changed import Changed
from heuristics.limits.finding import change_of, limit_finding
from heuristics.limits.polls import Pulled, poll_changes
from heuristics.limits.queues import QueueLimit, queue_changes
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("queues/batch-outlasts-time-out"), title="A bigger batch in the same time", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in queue_changes(context):
        if found.limit is QueueLimit.BATCH and found.old is not None and found.new > found.old:
            yield _finding(found.changed, f"{found.new / found.old:.3g} times the work has to end in the same time")
    for poll in poll_changes(context):
        if poll.pulled is Pulled.RABBITMQ:
            continue
        if poll.is_shorter:
            yield _finding(poll.changed, "the same work has to end in less time")
        else:
            yield _finding(poll.changed, f"{poll.records / poll.records_before:.3g} times the work has to end in the same time")


def _finding(changed: Changed, said: str) -> Finding:
    return limit_finding(
        INFO.id,
        changed,
        f"{change_of(changed)}: {said}",
        "Time of a message × batch size must stay below the time-out; raise that first.",
    )
