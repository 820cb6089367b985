"""A new migration whose id is below the newest that production has applied: some runners skip it in silence, others refuse."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.migrated import history_of
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("migrations/older-than-applied"), title="A migration older than production's newest", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every such migration of the change."""
    for problem in context.once(history_of):
        if problem.kind in ("skipped", "refused", "duplicate-id"):
            yield Finding(
                rule=INFO.id,
                file=problem.file,
                line=problem.line,
                side=problem.side,
                message=problem.says,
                safe_alternative="Give it an id above production's newest.",
            )
