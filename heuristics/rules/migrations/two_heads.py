"""A new migration names a parent that has a child already: the runner finds two heads and stops."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.migrated import history_of
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("migrations/two-heads"), title="A chain of migrations with two ends", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every such migration of the change."""
    for problem in context.once(history_of):
        if problem.kind in ("two-heads", "missing-parent"):
            yield Finding(
                rule=INFO.id,
                file=problem.file,
                line=problem.line,
                side=problem.side,
                message=problem.says,
                safe_alternative="Name the newest migration as the parent, or add a merge migration.",
            )
