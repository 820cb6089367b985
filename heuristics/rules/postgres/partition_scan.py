"""ATTACH PARTITION or PARTITION OF that reads rows: a matching CHECK would prove it."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding, waits
from heuristics.sql import Action

INFO = RuleInfo(id=RuleId("postgres/partition-scan"), title="A partition is checked row by row under a lock", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if (
            step.operation.action in (Action.ATTACH_PARTITION, Action.CREATE_TABLE)
            and step.operation.referenced_table
            and step.slow_under
            and step.effect.scans
        ):
            yield finding(INFO.id, step, f"rows are read to prove the bound while {waits(step)}")
