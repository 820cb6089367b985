"""The finding for a changed setting or place: the line, old and new value, and what would be safe."""

from gonogo.finding import Finding, RuleId
from gonogo.resource import Place, SettingChange
from heuristics.runtime.declared import label, place_of_change, shown


def setting_finding(rule: RuleId, change: SettingChange, message: str, safe_alternative: str) -> Finding:
    """A finding at the line of the new value; it names the declaration and both values."""
    said = f"`{change.key}` of {label(change.declared)} goes from {shown(change.old)} to {shown(change.new)}: {message}"
    facts = {"key": change.key, "old": shown(change.old), "new": shown(change.new)}
    return _finding(rule, place_of_change(change), said, safe_alternative, facts)


def place_finding(rule: RuleId, place: Place, message: str, safe_alternative: str) -> Finding:
    """A finding at a line."""
    return _finding(rule, place, message, safe_alternative, {})


def _finding(rule: RuleId, place: Place, message: str, safe_alternative: str, facts: dict[str, str]) -> Finding:
    return Finding(
        rule=rule,
        file=place.file,
        line=place.line,
        side=place.side,
        message=message,
        safe_alternative=safe_alternative,
        facts=facts,
    )
