"""REFRESH MATERIALIZED VIEW without CONCURRENTLY: its readers wait for the query."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.schema.signals import finding, waits
from heuristics.sql import Action

INFO = RuleInfo(
    id=RuleId("postgres/refresh-blocks-reads"), title="A materialized view cannot be read while it is refreshed", since="0.1.0"
)


def check(context: RuleContext) -> Iterator[Finding]:
    """Every step of the change's migrations that does it."""
    for step in context.migrations:
        if step.operation.action is Action.REFRESH_MATVIEW and step.blocks_reads:
            yield finding(INFO.id, step, f"the view is computed anew while {waits(step)}")
