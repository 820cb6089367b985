"""A roll-out that leaves fewer copies at work."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.runtime.finding import setting_finding
from heuristics.runtime.rollouts import fewer_during_rollout

INFO = RuleInfo(id=RuleId("rollout/all-at-once"), title="A roll-out that leaves fewer copies at work", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in fewer_during_rollout(context):
        stays = "no copy stays" if found.share == 0 else f"only {found.share:.0%} of the copies stay"
        yield setting_finding(
            INFO.id, found.change, f"{stays} at work while copies are exchanged", "`RollingUpdate` with `maxUnavailable` 0 or 1."
        )
