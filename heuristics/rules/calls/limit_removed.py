"""A query loses its limit."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.hot.unbounded import unbounded_queries
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("calls/limit-removed"), title="A query loses its limit", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for one in context.once(unbounded_queries):
        yield Finding(
            rule=INFO.id,
            file=one.place.file,
            line=one.place.line,
            message="every row that matches comes back from now on",
            safe_alternative="Keep the limit and page by key.",
        )
