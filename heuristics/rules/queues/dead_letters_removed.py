"""A queue loses its dead letter queue."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.delivery import removed_redrives
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("queues/dead-letters-removed"), title="A queue loses its dead letter queue", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """A redrive policy or failure destination that goes."""
    for removed in context.once(removed_redrives):
        if removed.moved_to is None:
            name = removed.before.name or removed.before.address
            message = f"{name} has no dead letter queue any more: what always fails comes back until it ages out"
            safe = "Keep the redrive policy, or point it at another queue in the same change."
            yield finding_at(INFO.id, removed.before.place(removed.old, "base"), message, safe)
