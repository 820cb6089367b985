"""Less CPU for a copy."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.runtime.capacity import Capacity, capacity_lowered
from heuristics.runtime.finding import setting_finding

INFO = RuleInfo(id=RuleId("capacity/cpu-limit-lowered"), title="Less CPU for a copy", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in capacity_lowered(context):
        if found.what is Capacity.CPU_LIMIT:
            yield setting_finding(
                INFO.id,
                found.change,
                "a copy that wants more is throttled",
                "A limit above the peak use of one copy, or a request without a limit.",
            )
