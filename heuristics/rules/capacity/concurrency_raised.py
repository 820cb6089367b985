"""More work at the same time on what is behind."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.limits.concurrency import Bounds, changed_bounds
from heuristics.limits.finding import change_of, limit_finding
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("capacity/concurrency-raised"), title="More work at the same time on what is behind", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in changed_bounds(context):
        is_work = found.bounds in (Bounds.WORKERS, Bounds.RESERVED, Bounds.SOURCE)
        if is_work and found.is_raised and found.old is not None and found.new is not None and found.new >= 2 * found.old:
            message = f"{change_of(found.changed)}: {found.new / found.old:.3g} times as much may ask the database, table or service behind it"
            yield limit_finding(
                INFO.id, found.changed, message, "Instances × workers below what the database, table or rate limit takes."
            )
