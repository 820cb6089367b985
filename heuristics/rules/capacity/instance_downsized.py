"""A smaller machine, or fewer of them."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.runtime.capacity import Capacity, capacity_lowered
from heuristics.runtime.finding import setting_finding

INFO = RuleInfo(id=RuleId("capacity/instance-downsized"), title="A smaller machine, or fewer of them", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in capacity_lowered(context):
        if found.what in (Capacity.CLASS, Capacity.NODES):
            yield setting_finding(
                INFO.id,
                found.change,
                "less CPU, memory and connections are left",
                "One size at a time, in the maintenance window.",
            )
