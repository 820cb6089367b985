"""A statement that the server is predicted to refuse, with its SQLSTATE."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding

INFO = RuleInfo(id=RuleId("migrations/predicted-error"), title="A statement that will fail", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.error is not None and not step.error.startswith(("25001", "23502")):
            yield finding(INFO.id, step, f"the server answers {step.error}")
        elif not step.is_committed and step.operation.value in ("begin", "start"):
            yield finding(INFO.id, step, "the transaction that begins here is never committed, so nothing of it stays")
