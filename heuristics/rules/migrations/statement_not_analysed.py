"""A statement of a migration that could not be read: what it locks is not known."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding

INFO = RuleInfo(id=RuleId("migrations/statement-not-analysed"), title="A statement that was not read", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if not step.operation.statement.is_analysed:
            yield finding(INFO.id, step, f"not analysed: {step.operation.statement.note or 'its text does not say what it runs'}")
