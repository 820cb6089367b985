"""A delay that is the same for every copy."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from gonogo.resource import Place
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo
from heuristics.runtime.herd import spread_removed

INFO = RuleInfo(id=RuleId("schedule/spread-removed"), title="A delay that is the same for every copy", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in spread_removed(context):
        place = Place(file=found.file, line=found.head_line)
        message = "the random part of the delay goes, so copies that started together work in step"
        yield finding_at(INFO.id, place, message, "Keep a random part of at least a tenth of the delay.")
