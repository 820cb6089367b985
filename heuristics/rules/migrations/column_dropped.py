"""DROP COLUMN: a version that still maps or names the column fails with 42703."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding
from heuristics.sql import Action

INFO = RuleInfo(id=RuleId("migrations/column-dropped"), title="A column goes away", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.operation.action is Action.DROP_COLUMN and not step.created_here:
            yield finding(
                INFO.id,
                step,
                f"a version that still uses {step.operation.table}.{', '.join(step.operation.columns)} fails with 42703, and the data is gone",
            )
