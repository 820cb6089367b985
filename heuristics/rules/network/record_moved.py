"""A DNS record points elsewhere."""

from collections.abc import Iterator

from gonogo.change import Side
from gonogo.finding import Finding, RuleId
from heuristics.access import moved_records
from heuristics.rule import RuleContext, RuleInfo
from heuristics.surface.finding import finding_at

INFO = RuleInfo(id=RuleId("network/record-moved"), title="A DNS record points elsewhere", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """A host whose record gets another target or goes."""
    for moved in context.once(moved_records):
        setting = moved.change.new or moved.change.old
        line = setting.line if setting is not None else moved.before.line
        message = f"{moved.name} moves from {moved.old_target} to {moved.new_target or 'nothing'}"
        safe = "Lower the TTL first, verify the new target with real traffic, raise the TTL afterwards."
        side: Side = "head" if moved.after is not None else "base"
        yield finding_at(INFO.id, context, moved.before.file, line, message, safe, side=side)
