"""A store that refuses writes when it is full."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.runtime.capacity import Capacity, capacity_lowered
from heuristics.runtime.finding import setting_finding

INFO = RuleInfo(id=RuleId("capacity/eviction-disabled"), title="A store that refuses writes when it is full", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in capacity_lowered(context):
        if found.what is Capacity.EVICTION:
            yield setting_finding(
                INFO.id,
                found.change,
                "writes fail when its memory is full",
                "`allkeys-lru` for what is a cache; data that must stay on a server of its own.",
            )
