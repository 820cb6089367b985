"""Less time to end work before a copy is killed."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.runtime.finding import setting_finding
from heuristics.runtime.rollouts import shorter_grace

INFO = RuleInfo(id=RuleId("rollout/grace-shortened"), title="Less time to end work before a copy is killed", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in shorter_grace(context):
        what = "connections are cut" if found.is_connection else "work is killed"
        yield setting_finding(
            INFO.id, found.change, f"{what} after {found.new_s:g} s", "More time than the longest request or job takes."
        )
