"""A consumer is removed or switched off."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.delivery import removed_consumers
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("queues/consumer-removed"), title="A consumer is removed or switched off", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """A consumer, subscription or event source that goes, is disabled or is scaled to nothing."""
    for lost in context.once(removed_consumers):
        if lost.stand_in is None and lost.remaining is None and lost.how != "filtered":
            source = lost.tie.source_name if lost.tie is not None else "its sources"
            message = f"{lost.name} takes messages from {source} no more, and nothing in this change takes its place"
            safe = "Deploy what takes over first, and remove this consumer when the source is drained."
            yield finding_at(INFO.id, lost.place, message, safe)
