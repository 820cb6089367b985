"""A DNS record points elsewhere."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.access import moved_records
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("network/record-moved"), title="A DNS record points elsewhere", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """A host whose record gets another target or goes."""
    for moved in context.once(moved_records):
        at = moved.change.place
        message = f"{moved.name} moves from {moved.old_target} to {moved.new_target or 'nothing'}"
        safe = "Lower the TTL first, verify the new target with real traffic, raise the TTL afterwards."
        yield finding_at(INFO.id, at, message, safe)
