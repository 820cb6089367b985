"""A check that asks for a path that nothing answers."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo
from heuristics.runtime.probes import missing_paths

INFO = RuleInfo(id=RuleId("rollout/probe-path-missing"), title="A check that asks for a path that nothing answers", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in missing_paths(context):
        message = f"the {found.probe.value} check asks for {found.path}; the code answers {found.old_path} and has no such route"
        yield finding_at(INFO.id, found.place, message, f"Keep {found.old_path}, or deploy the new route first.")
