"""A new migration whose id is below the newest that production has applied: some runners skip it in silence, others refuse."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.migrated import history_findings
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("migrations/older-than-applied"), title="A migration older than production's newest", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every such migration of the change."""
    yield from history_findings(
        context, INFO.id, ("skipped", "refused", "duplicate-id"), "Give it an id above production's newest."
    )
