"""A function gets less memory."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.limits.finding import change_of, limit_finding
from heuristics.limits.memory import Holds, lowered_memory
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("aws-lambda/memory-lowered"), title="A function gets less memory", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in lowered_memory(context):
        if found.holds is Holds.FUNCTION:
            message = f"{change_of(found.changed)}: a run that needs more is killed, and CPU goes down with memory"
            yield limit_finding(
                INFO.id, found.changed, message, "At least 30 % above the most of `Max Memory Used` in the REPORT lines."
            )
