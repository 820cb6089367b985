"""UNIQUE, PRIMARY KEY or EXCLUDE that builds its own index: nothing can read or write the table meanwhile."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding, waits
from heuristics.sql import Action, Simulated

INFO = RuleInfo(
    id=RuleId("postgres/unique-builds-index"), title="A constraint builds its index under ACCESS EXCLUSIVE", since="0.1.0"
)


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.slow_under and _builds(step):
            yield finding(INFO.id, step, f"its index is built while {waits(step)}")


def _builds(step: Simulated) -> bool:
    operation = step.operation
    if operation.action is Action.ADD_COLUMN:
        return any(c.kind in ("unique", "primary_key") for c in operation.constraints)
    return operation.action in (Action.ADD_UNIQUE, Action.ADD_PRIMARY_KEY, Action.ADD_EXCLUSION)
