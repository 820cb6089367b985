"""A switch turns on or off for everybody."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.flags.turned import turned
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("flags/turned"), title="A switch turns on or off for everybody", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for one in context.once(turned):
        yield Finding(
            rule=INFO.id,
            file=one.place.file,
            line=one.place.line,
            message=f"`{one.name}` turns {'on' if one.is_on else 'off'} wherever the environment does not say otherwise",
            safe_alternative="Turn it with the environment or the flag service, for a few per cent first.",
        )
