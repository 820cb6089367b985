"""The log gets a more talkative level."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.logs.verbosity import louder
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("logs/level-lowered"), title="The log gets a more talkative level", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for one in context.once(louder):
        if one.what == "level":
            yield Finding(
                rule=INFO.id,
                file=one.place.file,
                line=one.place.line,
                message=f"the log level goes from {one.old} to {one.new}: every request may write lines that were left out before",
                safe_alternative="Lower the level of one logger for a short time, or sample.",
            )
