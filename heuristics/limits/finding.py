"""The finding for a changed limit: the line, old and new value, and what would be safe."""

from gonogo.finding import Finding, RuleId
from heuristics.finding import finding_at
from heuristics.limits.changed import Changed


def limit_finding(rule: RuleId, changed: Changed, message: str, safe_alternative: str) -> Finding:
    """A finding at the line of the new value, or at the removed one."""
    facts = {"name": changed.name, "old": changed.old_text, "new": changed.new_text}
    return finding_at(rule, changed.place, message, safe_alternative, facts)


def change_of(changed: Changed) -> str:
    """`name` goes from old to new, in the words of the file."""
    was = f"goes from {changed.old_text} to" if changed.old_text is not None else "is now"
    return f"`{changed.name}` {was} {changed.new_text if changed.new_text is not None else 'no limit'}"
