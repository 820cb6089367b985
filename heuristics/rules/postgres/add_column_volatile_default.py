"""A new column whose value differs from row to row: the table is rewritten under ACCESS EXCLUSIVE."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding, waits
from heuristics.sql import Action

INFO = RuleInfo(id=RuleId("postgres/add-column-volatile-default"), title="A new column rewrites the table", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.operation.action is Action.ADD_COLUMN and step.effect.rewrites and step.slow_under:
            yield finding(INFO.id, step, f"every row gets a value of its own, so the table is written again while {waits(step)}")
