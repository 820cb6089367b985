"""A new version takes away what the code uses."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.dependencies.used import settled
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("dependencies/removed-api"), title="A new version takes away what the code uses", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """The line of the version, for every version that takes away something which head uses."""
    for found in context.once(settled):
        if found.uses:
            first = found.uses[0]
            yield Finding(
                rule=INFO.id,
                file=found.bump.place.file,
                line=found.bump.place.line,
                message=f"{found.bump.label} has no more {first.what.what}, which {first.place.file} line {first.place.line} uses",
                safe_alternative=f"Move the code to {first.what.instead} in the same change, or stay on {found.bump.old_text}.",
                facts={"old": found.bump.old_text, "new": found.bump.new_text},
            )
