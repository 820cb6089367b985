"""ADD FOREIGN KEY without NOT VALID: writes to both tables wait for the check."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding, waits
from heuristics.sql import Action

INFO = RuleInfo(
    id=RuleId("postgres/foreign-key-not-valid"), title="A foreign key is checked while both tables wait", since="0.1.0"
)


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if (
            step.operation.action in (Action.ADD_FOREIGN_KEY, Action.ADD_COLUMN)
            and step.operation.referenced_table
            and step.slow_under
        ):
            yield finding(INFO.id, step, f"every row is looked up in {step.operation.referenced_table} while {waits(step)}")
