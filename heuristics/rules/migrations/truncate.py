"""TRUNCATE of a table that stood there before this change."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding
from heuristics.sql import Action

INFO = RuleInfo(id=RuleId("migrations/truncate"), title="A table is emptied", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.operation.action is Action.TRUNCATE and not step.created_here:
            yield finding(
                INFO.id,
                step,
                f"every row of {step.operation.table} goes, under ACCESS EXCLUSIVE; with CASCADE those of every referencing table too",
            )
