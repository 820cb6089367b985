"""A unique index or constraint over existing rows: it fails with 23505 when a value occurs twice."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.demands import demands_in
from heuristics.schema.signals import finding

INFO = RuleInfo(
    id=RuleId("migrations/unique-over-existing-rows"), title="A value that must not repeat may repeat already", since="0.1.0"
)


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if any(d.kind == "unique" for d in demands_in([step])):
            yield finding(
                INFO.id,
                step,
                f"it fails with 23505 when a value of ({', '.join(step.operation.columns)}) occurs twice in {step.operation.table}",
            )
