"""Data is changed in the transaction that altered the table: the lock of the DDL is held for the whole backfill."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding, held, waits
from heuristics.sql import Action

INFO = RuleInfo(
    id=RuleId("migrations/backfill-in-transaction"), title="Rows are moved under a lock that was taken before", since="0.1.0"
)


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        action = step.operation.action
        if action in (Action.UPDATE, Action.DELETE, Action.INSERT, Action.DATA) and step.slow_under:
            yield finding(INFO.id, step, f"the transaction holds {held(step)} while the rows are changed: {waits(step)}")
        elif action in (Action.CREATE_TABLE, Action.CREATE_MATVIEW) and not step.operation.referenced_table and step.slow_under:
            yield finding(INFO.id, step, f"the transaction holds {held(step)} while the rows are copied: {waits(step)}")
