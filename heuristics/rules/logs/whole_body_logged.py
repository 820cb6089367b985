"""A log call writes a whole body or request."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.logs.verbosity import louder
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("logs/whole-body-logged"), title="A log call writes a whole body or request", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for one in context.once(louder):
        if one.what == "body":
            yield Finding(
                rule=INFO.id,
                file=one.place.file,
                line=one.place.line,
                message="the whole body, request or message is written to the log each time",
                safe_alternative="Log the id and the size; sample bodies, and leave personal data out.",
            )
