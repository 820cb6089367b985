"""DROP TABLE: whoever still uses it fails with 42P01, and the data is gone."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding
from heuristics.sql import Action

INFO = RuleInfo(id=RuleId("migrations/table-dropped"), title="A table goes away", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.operation.action is Action.DROP_TABLE and not step.created_here and step.operation.object_kind == "table":
            yield finding(
                INFO.id, step, f"whoever still reads or writes {step.operation.table} fails with 42P01, and the data is gone"
            )
