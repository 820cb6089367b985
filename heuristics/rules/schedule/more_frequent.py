"""A job that starts more often."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo
from heuristics.runtime.schedules import more_often, rescheduled

INFO = RuleInfo(id=RuleId("schedule/more-frequent"), title="A job that starts more often", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in rescheduled(context):
        if more_often(found):
            message = f"{found.name} starts every {found.new.interval_min:g} min instead of {found.old.interval_min:g} min"
            yield finding_at(INFO.id, found.place, message, "More time between two starts than a run takes, and a lock.")
