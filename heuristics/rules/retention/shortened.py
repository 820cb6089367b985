"""Data, messages, logs or backups are kept for a shorter time."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo
from heuristics.stateful.retention import shortened

INFO = RuleInfo(id=RuleId("retention/shortened"), title="Something is kept for a shorter time", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in shortened(context):
        change = found.change
        declared = change.declared
        old, new = (s.text or str(s.value) if s else "unset" for s in (change.old, change.new))
        message = f"{declared.name or declared.address}: {change.key} goes from {old} to {new}; what is older is deleted"
        safe = "Read the age of the oldest thing that is still needed over a month, and keep it for longer than that."
        yield finding_at(INFO.id, change.place, message, safe)
