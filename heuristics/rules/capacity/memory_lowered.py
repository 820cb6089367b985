"""A container, heap or scratch disk gets smaller."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.limits.finding import limit_finding
from heuristics.limits.memory import Holds, lowered_memory
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("capacity/memory-lowered"), title="A container, heap or scratch disk gets smaller", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in lowered_memory(context):
        if found.holds is not Holds.FUNCTION:
            message = f"`{found.changed.name}` goes from {found.old_mib:,.0f} to {found.new_mib:,.0f} MiB: what needs more is killed or fails"
            yield limit_finding(INFO.id, found.changed, message, "At least 30 % above the measured peak of the working set.")
