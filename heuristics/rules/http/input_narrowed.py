"""An endpoint asks more of its callers."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo
from heuristics.surface import narrowed_endpoints

INFO = RuleInfo(id=RuleId("http/input-narrowed"), title="An endpoint asks more of its callers", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """A new required field, a stricter type, authentication, or a field that answers no longer have."""
    for one in context.once(narrowed_endpoints):
        message = f"{one.label}: {one.narrowed.name} ({one.narrowed.how})"
        if one.behind:
            message += f"; {one.behind[0].file} line {one.behind[0].line} does not know of it"
        safe = f"Accept calls without it first (a default for `{one.narrowed.name}`), and demand it when the callers have moved."
        yield finding_at(INFO.id, one.place, message, safe)
