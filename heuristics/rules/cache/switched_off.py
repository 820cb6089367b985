"""A cache keeps nothing."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo
from heuristics.runtime.cache_change import Loss
from heuristics.runtime.caches import cache_losses

INFO = RuleInfo(id=RuleId("cache/switched-off"), title="A cache keeps nothing", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in context.once(cache_losses):
        if found.loss is Loss.ALL:
            yield finding_at(
                INFO.id,
                found.place,
                f"{found.said}: every lookup goes to what is behind it",
                "Keep what is the same for all in the shared cache.",
            )
