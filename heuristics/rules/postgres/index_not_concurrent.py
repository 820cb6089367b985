"""CREATE INDEX without CONCURRENTLY: writes wait for the whole build."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding, waits
from heuristics.sql import Action

INFO = RuleInfo(id=RuleId("postgres/index-not-concurrent"), title="An index is built while writes wait", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.operation.action is Action.CREATE_INDEX and step.slow_under:
            yield finding(INFO.id, step, f"the build reads the whole table while {waits(step)}")
