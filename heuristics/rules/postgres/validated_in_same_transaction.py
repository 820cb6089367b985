"""NOT VALID and VALIDATE in one transaction: the strong lock of the first is held during the scan of the second."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding, waits
from heuristics.sql import Action

INFO = RuleInfo(
    id=RuleId("postgres/validated-in-same-transaction"),
    title="A constraint is validated under the lock that added it",
    since="0.1.0",
)


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.operation.action is Action.VALIDATE_CONSTRAINT and step.slow_under:
            yield finding(INFO.id, step, f"it is validated in the transaction that added it, so {waits(step)} for the scan")
