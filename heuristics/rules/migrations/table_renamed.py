"""RENAME TABLE: the running version looks for the old name."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding
from heuristics.sql import Action

INFO = RuleInfo(id=RuleId("migrations/table-renamed"), title="A table gets another name", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.operation.action is Action.RENAME_TABLE and not step.created_here:
            yield finding(INFO.id, step, f"statements with the name {step.operation.table} fail with 42P01 from the commit on")
