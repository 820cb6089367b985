"""A migration that production has applied is deleted or renamed: the runner stops because its file is missing."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.migrated import history_findings
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("migrations/applied-file-removed"), title="The file of an applied migration is gone", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every such migration of the change."""
    yield from history_findings(context, INFO.id, ("removed", "runs-again"), "Keep the file.")
