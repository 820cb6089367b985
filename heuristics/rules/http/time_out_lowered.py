"""A call, statement or answer gets less time."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.limits.finding import change_of, limit_finding
from heuristics.limits.time_outs import Cuts, TimeOut, time_outs
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("http/time-out-lowered"), title="A call, statement or answer gets less time", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in time_outs(context):
        is_slow_work = found.cuts not in (Cuts.CONNECT, Cuts.POOL) and not _is_function(found)
        if found.is_lowered and is_slow_work:
            message = f"{change_of(found.changed)}: what takes longer is given up"
            yield limit_finding(
                INFO.id, found.changed, message, "Set it above the slowest percentile that production measures, with a margin."
            )


def _is_function(found: TimeOut) -> bool:
    declared = found.changed.declared
    return declared is not None and declared.kind == "aws.lambda.function"
