"""Cached entries get another key."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo
from heuristics.runtime.cache_change import Loss
from heuristics.runtime.caches import cache_losses

INFO = RuleInfo(id=RuleId("cache/key-changed"), title="Cached entries get another key", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in context.once(cache_losses):
        if found.loss is Loss.KEY:
            yield finding_at(
                INFO.id,
                found.place,
                f"{found.said}: all entries are made again at once",
                "Warm the new keys, or read the old ones as a fallback.",
            )
        elif found.loss is Loss.PERSONAL:
            yield finding_at(
                INFO.id,
                found.place,
                f"{found.said}: entries are shared no more",
                "Put what the answer depends on into the key, not who asks.",
            )
