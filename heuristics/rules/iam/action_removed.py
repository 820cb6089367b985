"""A role loses an IAM action."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.access import removed_actions
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("iam/action-removed"), title="A role loses an IAM action", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """An action that a policy allowed and no statement allows any more."""
    for removed in context.once(removed_actions):
        if removed.kept_by is None:
            message = f"{removed.action} is allowed no more"
            if removed.uses:
                message += f"; {removed.uses[0].file} line {removed.uses[0].line} still needs it"
            safe = f"Keep `{removed.action}` until the code that needs it is gone."
            yield finding_at(INFO.id, removed.place, message, safe)
