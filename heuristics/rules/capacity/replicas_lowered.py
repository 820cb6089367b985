"""Fewer copies of a service."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.runtime.capacity import Capacity, capacity_lowered
from heuristics.runtime.finding import setting_finding

INFO = RuleInfo(id=RuleId("capacity/replicas-lowered"), title="Fewer copies of a service", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in capacity_lowered(context):
        if found.what is Capacity.COPIES:
            yield setting_finding(
                INFO.id,
                found.change,
                "fewer copies carry the same load",
                "One step at a time, with the CPU of the peak in view, or an autoscaler.",
            )
