"""A job that does not start any more."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo
from heuristics.runtime.schedules import stopped

INFO = RuleInfo(id=RuleId("schedule/switched-off"), title="A job that does not start any more", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in stopped(context):
        yield finding_at(INFO.id, found.place, f"{found.name} is switched off", "Take what reads its results off first.")
