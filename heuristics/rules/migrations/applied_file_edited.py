"""An edit of a migration that production has applied: a checksum fails, or the edit is never looked at."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.migrated import history_findings
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("migrations/applied-file-edited"), title="The file of an applied migration is edited", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every such migration of the change."""
    yield from history_findings(context, INFO.id, ("edited", "edit-ignored"), "Put the change into a new migration.")
