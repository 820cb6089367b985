"""A check that gives up sooner."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.runtime.finding import setting_finding
from heuristics.runtime.probes import tighter_starts, tighter_timeouts

INFO = RuleInfo(id=RuleId("rollout/probe-tightened"), title="A check that gives up sooner", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for start in tighter_starts(context):
        if start.held_back_by is None:
            message = f"a copy that is not up after {start.after.how} is killed"
            yield setting_finding(INFO.id, start.change, message, "A start-up probe that covers the slowest start.")
    for wait in tighter_timeouts(context):
        message = f"an answer after more than {wait.new_s:g} s counts as failed"
        yield setting_finding(INFO.id, wait.change, message, "A time-out above the p99 of the check under load.")
