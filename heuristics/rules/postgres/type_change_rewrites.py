"""A type change that is not free: the table is rewritten or scanned under ACCESS EXCLUSIVE."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding, waits
from heuristics.sql import Action

INFO = RuleInfo(id=RuleId("postgres/type-change-rewrites"), title="A type change reads or rewrites the table", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.operation.action is Action.ALTER_TYPE and step.slow_under:
            yield finding(INFO.id, step, f"the change to {step.operation.column_type} is not free: {waits(step)} meanwhile")
