"""A new migration names a parent that has a child already: the runner finds two heads and stops."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.migrated import history_findings
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("migrations/two-heads"), title="A chain of migrations with two ends", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every such migration of the change."""
    yield from history_findings(
        context, INFO.id, ("two-heads", "missing-parent"), "Name the newest migration as the parent, or add a merge migration."
    )
