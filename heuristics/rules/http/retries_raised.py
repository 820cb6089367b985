"""A failed call is tried more often, or without a pause."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.limits.attempts import raised_attempts
from heuristics.limits.finding import limit_finding
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("http/retries-raised"), title="A failed call is tried more often, or without a pause", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in raised_attempts(context):
        if found.lost_pause and found.factor <= 1:
            message = "attempts follow one another without the pause they made before"
        else:
            message = f"a failed call is tried {found.new} times instead of {found.old}" + (
                "" if found.is_growing else ", without a pause that grows"
            )
        yield limit_finding(
            INFO.id,
            found.changed,
            message,
            "Exponential backoff with full jitter and a cap, few attempts, and a retry budget or circuit breaker.",
        )
