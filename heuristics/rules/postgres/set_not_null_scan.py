"""SET NOT NULL without a validated CHECK that proves it: the table is scanned under ACCESS EXCLUSIVE."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding, waits
from heuristics.sql import Action

INFO = RuleInfo(id=RuleId("postgres/set-not-null-scan"), title="NOT NULL is proved by reading the whole table", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.operation.action in (Action.SET_NOT_NULL, Action.ADD_NOT_NULL_CONSTRAINT) and step.slow_under:
            yield finding(INFO.id, step, f"the whole table is read to prove it while {waits(step)}")
