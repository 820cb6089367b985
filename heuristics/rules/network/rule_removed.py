"""A network rule is removed."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.access import closed_rules
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("network/rule-removed"), title="A network rule is removed", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """A rule that lets something through no more."""
    for rule in context.once(closed_rules):
        if rule.kept_by is None and not rule.is_new_policy:
            message = f"{rule.source} is let through no more by {rule.declared.name or rule.declared.address}"
            safe = "Keep the rule until the flow logs show no accepted packet of it."
            yield finding_at(INFO.id, rule.place, message, safe)
