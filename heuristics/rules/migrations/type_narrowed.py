"""A shorter text or a smaller number: the statement fails with 22001 or 22003 on values that do not fit."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.demands import demands_in, is_narrowing
from heuristics.schema.signals import finding

INFO = RuleInfo(id=RuleId("migrations/type-narrowed"), title="A type that may not hold what is there", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if any(d.kind in ("length", "range") and is_narrowing(d, step.operation.old_type or "") for d in demands_in([step])):
            yield finding(
                INFO.id,
                step,
                f"values of {step.operation.table}.{', '.join(step.operation.columns)} that do not fit {step.operation.column_type} make it fail",
            )
