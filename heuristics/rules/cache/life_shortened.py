"""Cached entries are kept for less time."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo
from heuristics.runtime.cache_change import Loss
from heuristics.runtime.caches import cache_losses

INFO = RuleInfo(id=RuleId("cache/life-shortened"), title="Cached entries are kept for less time", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in context.once(cache_losses):
        if found.loss is Loss.LIFE:
            yield finding_at(
                INFO.id,
                found.place,
                f"{found.said}: more lookups miss",
                "The same life with invalidation on change, or a refresh in the background.",
            )
