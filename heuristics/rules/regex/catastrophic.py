"""A pattern backtracks without end."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.patterns.added import added_patterns
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("regex/catastrophic"), title="A pattern backtracks without end", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for one in context.once(added_patterns):
        if one.guard is None:
            yield Finding(
                rule=INFO.id,
                file=one.place.file,
                line=one.place.line,
                message=f"`{one.pattern[:80]}` can match one text in exponentially many ways",
                safe_alternative="Repetition that is neither nested nor overlapping, a length check first, or an engine without backtracking.",
            )
