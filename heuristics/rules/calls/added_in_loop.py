"""A call to another system is made for every item."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.hot.loads import added_loads
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("calls/added-in-loop"), title="A call to another system is made for every item", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for one in context.once(added_loads):
        if one.is_in_loop:
            yield Finding(
                rule=INFO.id,
                file=one.place.file,
                line=one.place.line,
                message=f"`{one.target_callee}` is called once for every item",
                safe_alternative="One call for all items: `IN (…)`, a join, eager loading, a batch endpoint.",
            )
