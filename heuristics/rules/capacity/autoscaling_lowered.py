"""An autoscaler that stops sooner or keeps less."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.runtime.capacity import Capacity, capacity_lowered
from heuristics.runtime.finding import setting_finding

INFO = RuleInfo(id=RuleId("capacity/autoscaling-lowered"), title="An autoscaler that stops sooner or keeps less", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in capacity_lowered(context):
        if found.what in (Capacity.CEILING, Capacity.FLOOR):
            yield setting_finding(
                INFO.id,
                found.change,
                "the autoscaler has less room",
                "A maximum above the most copies that ran, a minimum that carries the load until new copies are ready.",
            )
