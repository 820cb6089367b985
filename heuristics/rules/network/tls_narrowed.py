"""Older TLS versions are refused."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.access import narrowed_tls
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("network/tls-narrowed"), title="Older TLS versions are refused", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """A listener that asks for a newer TLS version."""
    for narrowed in context.once(narrowed_tls):
        change = narrowed.change
        if change.new is not None:
            message = f"TLS {', '.join(narrowed.lost)} is refused from now on"
            safe = "Log the TLS versions of clients first, move the old ones, then tighten the policy."
            yield finding_at(INFO.id, change.place, message, safe)
