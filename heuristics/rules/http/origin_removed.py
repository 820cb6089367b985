"""A CORS origin is removed."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.access import removed_origins
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("http/origin-removed"), title="A CORS origin is removed", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """An origin that is allowed no more."""
    for removed in context.once(removed_origins):
        if removed.kept_by is None:
            message = f"pages of {removed.origin} may not call this service any more"
            safe = f"Keep `{removed.origin}` until no request comes with it."
            yield finding_at(INFO.id, removed.place, message, safe)
