"""ADD CHECK without NOT VALID, on a table, a new column or a domain: every row is read while others wait."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding, waits
from heuristics.sql import Action, Simulated

INFO = RuleInfo(id=RuleId("postgres/check-not-valid"), title="A check is proved by reading the whole table", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.slow_under and _checks(step):
            yield finding(INFO.id, step, f"every row is checked while {waits(step)}")


def _checks(step: Simulated) -> bool:
    operation = step.operation
    if operation.action is Action.ADD_COLUMN:
        return not step.effect.rewrites and any(c.kind == "check" for c in operation.constraints)
    return operation.action in (Action.ADD_CHECK, Action.ADD_DOMAIN_CONSTRAINT, Action.VALIDATE_DOMAIN_CONSTRAINT)
