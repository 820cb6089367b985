"""ADD COLUMN NOT NULL without a default: it fails on rows that are there, and INSERTs of the running version fail after it."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.demands import demands_in
from heuristics.schema.signals import finding

INFO = RuleInfo(
    id=RuleId("migrations/add-not-null-without-default"), title="A column that nobody fills must not be empty", since="0.1.0"
)


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if not step.created_here and any(d.kind == "new-not-null" for d in demands_in([step])):
            yield finding(
                INFO.id, step, "rows that are there have no value for it (23502), and INSERTs of the running version leave it out"
            )
