"""A lower limit of a database or volume."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.runtime.capacity import Capacity, capacity_lowered
from heuristics.runtime.finding import setting_finding

INFO = RuleInfo(id=RuleId("capacity/limit-lowered"), title="A lower limit of a database or volume", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in capacity_lowered(context):
        if found.what in (Capacity.UNITS, Capacity.IOPS, Capacity.STORAGE, Capacity.CONNECTIONS, Capacity.READS, Capacity.WRITES):
            yield setting_finding(
                INFO.id,
                found.change,
                "what is needed beyond it is refused or waits",
                "A limit 20 % above what is used at the peak.",
            )
