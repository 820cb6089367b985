"""A function gets less time for a run."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.limits.finding import change_of, limit_finding
from heuristics.limits.time_outs import time_outs
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("aws-lambda/time-out-lowered"), title="A function gets less time for a run", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in time_outs(context):
        declared = found.changed.declared
        if found.is_lowered and declared is not None and declared.kind == "aws.lambda.function":
            message = f"{change_of(found.changed)}: a run that takes longer is killed"
            yield limit_finding(
                INFO.id,
                found.changed,
                message,
                "Keep it above the slowest run of the last weeks (Duration, maximum), with a margin.",
            )
