"""A manifest takes away a name that code still reads."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.finding import finding_at
from heuristics.names import removed_names
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("config/name-removed"), title="A manifest takes away a name that code still reads", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """A variable, binding or key that goes from a manifest while code at head reads it."""
    for removed in context.once(removed_names):
        needed = next((r for r in removed.reads if r.requirement == "required"), None)
        if needed is not None:
            message = f"{removed.name} goes from {removed.before.address}, and {needed.file} line {needed.line} still reads it"
            safe = f"Keep `{removed.name}` until no deployed code reads it."
            yield finding_at(INFO.id, removed.before.place(removed.setting, "base"), message, safe)
