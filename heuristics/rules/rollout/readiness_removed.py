"""A workload without a readiness check."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext, RuleInfo
from heuristics.runtime.finding import setting_finding
from heuristics.runtime.probes import readiness_removed

INFO = RuleInfo(id=RuleId("rollout/readiness-removed"), title="A workload without a readiness check", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for change in readiness_removed(context):
        yield setting_finding(
            INFO.id, change, "copies get traffic as soon as they run", "Keep the readiness probe, or make it cheaper."
        )
