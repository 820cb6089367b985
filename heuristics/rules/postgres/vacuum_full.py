"""VACUUM FULL, CLUSTER, SET LOGGED and the like: the whole table is rewritten and nobody can use it."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding, waits
from heuristics.sql import Action

INFO = RuleInfo(id=RuleId("postgres/vacuum-full"), title="A table is written anew under ACCESS EXCLUSIVE", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if (
            step.operation.action
            in (Action.VACUUM_FULL, Action.CLUSTER, Action.REWRITE_TABLE, Action.SET_LOGGED, Action.SET_EXPRESSION)
            and step.slow_under
        ):
            yield finding(INFO.id, step, f"the whole table is written again while {waits(step)}")
