"""DROP INDEX: the queries that use it read the whole table."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding
from heuristics.sql import Action

INFO = RuleInfo(id=RuleId("migrations/index-dropped"), title="An index goes away", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.operation.action is Action.DROP_INDEX and not step.created_here:
            yield finding(INFO.id, step, f"queries that use {step.operation.name or 'the index'} read the whole table without it")
