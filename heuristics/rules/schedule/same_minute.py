"""Jobs that start at the same minute."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo
from heuristics.runtime.schedules import rescheduled, shared_starts

INFO = RuleInfo(id=RuleId("schedule/same-minute"), title="Jobs that start at the same minute", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for group in shared_starts(rescheduled(context)):
        names = ", ".join(job.name for job in group)
        for job in group:
            yield finding_at(INFO.id, job.place, f"{names} start at the same minute from now on", "Keep their starts apart.")
