"""A bigger connection pool in every instance."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.limits.concurrency import Bounds, changed_bounds
from heuristics.limits.finding import change_of, limit_finding
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("capacity/pool-raised"), title="A bigger connection pool in every instance", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in changed_bounds(context):
        if found.bounds is Bounds.POOL and found.is_raised:
            message = f"{change_of(found.changed)} in every instance: all of them together must fit into max_connections, twice during a rollout"
            yield limit_finding(
                INFO.id, found.changed, message, "Instances × pool, twice, plus what others hold, below max_connections."
            )
