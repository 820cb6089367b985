"""CONCURRENTLY, VACUUM and the like inside the runner's transaction: the statement fails with 25001."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding

INFO = RuleInfo(
    id=RuleId("postgres/concurrently-in-transaction"), title="A statement that refuses transactions stands in one", since="0.1.0"
)


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if (step.error or "").startswith("25001"):
            yield finding(INFO.id, step, f"the runner holds a transaction open around it: {step.error}")
