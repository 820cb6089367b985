"""REINDEX without CONCURRENTLY: writes wait, and in practice reads too."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding, waits
from heuristics.sql import Action

INFO = RuleInfo(id=RuleId("postgres/reindex-not-concurrent"), title="An index is rebuilt while others wait", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.operation.action is Action.REINDEX and step.slow_under:
            yield finding(INFO.id, step, f"the index is built anew while {waits(step)}")
