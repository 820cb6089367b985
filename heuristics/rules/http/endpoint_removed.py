"""An endpoint is removed."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo
from heuristics.surface import removed_endpoints

INFO = RuleInfo(id=RuleId("http/endpoint-removed"), title="An endpoint is removed", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """A route, host, RPC or GraphQL field that nothing answers any more."""
    for removed in context.once(removed_endpoints):
        message = f"nothing answers {removed.label} any more"
        if removed.callers:
            message += f"; {removed.callers[0].file} line {removed.callers[0].line} still calls it"
        safe = f"Keep `{removed.label}`, or redirect it, until its calls have stopped."
        yield finding_at(INFO.id, removed.place, message, safe)
