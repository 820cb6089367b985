"""UPDATE or DELETE without WHERE: every row stays locked until it commits."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding
from heuristics.sql import Action

INFO = RuleInfo(id=RuleId("migrations/changes-every-row"), title="One statement changes every row", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.operation.action in (Action.UPDATE, Action.DELETE) and not step.operation.has_where and not step.created_here:
            yield finding(
                INFO.id, step, "every row is locked until it commits, the table doubles in size, and replicas fall behind"
            )
