"""The finding for a changed setting: the line, old and new value, and what would be safe."""

from gonogo.finding import Finding, RuleId
from gonogo.resource import SettingChange
from heuristics.finding import finding_at
from heuristics.runtime.declared import label, place_of_change, shown


def setting_finding(rule: RuleId, change: SettingChange, message: str, safe_alternative: str) -> Finding:
    """A finding at the line of the new value; it names the declaration and both values."""
    said = f"`{change.key}` of {label(change.declared)} goes from {shown(change.old)} to {shown(change.new)}: {message}"
    facts = {"key": change.key, "old": shown(change.old), "new": shown(change.new)}
    return finding_at(rule, place_of_change(change), said, safe_alternative, facts)
