"""Code reads a name that the manifests do not create."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.names import needed_names
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("config/name-missing"), title="Code reads a name that the manifests do not create", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """A variable, secret or binding that code reads from now on and no manifest creates."""
    for needed in context.once(needed_names):
        read = needed.read
        if read.requirement == "required" and not any(c.has_value for c in needed.creations):
            message = f"{needed.name} is read from now on, and no manifest of this repository creates it"
            safe = f"Create `{needed.name}` before the code that reads it is deployed, or give the read a default."
            yield Finding(rule=INFO.id, file=read.file, line=read.line, message=message, safe_alternative=safe)
