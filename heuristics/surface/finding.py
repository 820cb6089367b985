"""A finding at a line of either side."""

from gonogo.change import Side
from gonogo.finding import Finding, RuleId
from heuristics.rule import RuleContext


def finding_at(
    rule: RuleId, context: RuleContext, file: str, line: int, message: str, safe_alternative: str, *, side: Side = "base"
) -> Finding:
    """A finding at a removed line (base), or at a line as it stands at head where that file is still there."""
    if side == "head" and context.head.text(file) is None:
        side = "base"
    return Finding(rule=rule, file=file, line=max(line, 1), side=side, message=message, safe_alternative=safe_alternative)
