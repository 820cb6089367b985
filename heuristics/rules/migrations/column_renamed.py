"""RENAME COLUMN: neither order of deploy and migration works for both versions."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding
from heuristics.sql import Action

INFO = RuleInfo(id=RuleId("migrations/column-renamed"), title="A column gets another name", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.operation.action is Action.RENAME_COLUMN and not step.created_here:
            yield finding(
                INFO.id,
                step,
                f"one of the two versions that run during the deploy uses a name of {step.operation.table} that is not there",
            )
