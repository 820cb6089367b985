"""RENAME VALUE: code with the old label fails with 22P02."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding
from heuristics.sql import Action

INFO = RuleInfo(id=RuleId("migrations/enum-label-renamed"), title="An enum label gets another name", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.operation.action is Action.RENAME_ENUM_VALUE:
            yield finding(INFO.id, step, "code that writes or compares the old label fails with 22P02")
