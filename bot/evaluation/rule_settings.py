"""What the configuration makes of rules: findings of a rule that is off are not used, the others rank by their severity."""

from collections.abc import Sequence
from dataclasses import dataclass

from gonogo.acceptance import Accepted
from gonogo.finding import Finding
from gonogo.policy import Policy

_RANKS = {"high": 0, "medium": 1, "low": 2}


@dataclass(frozen=True, slots=True)
class Ruled:
    """The findings that are used, ranked; those of rules that are off, each marked as accepted; and a note for each such rule."""

    findings: tuple[Finding, ...]
    switched_off: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()


def by_rule_settings(findings: Sequence[Finding], policy: Policy) -> Ruled:
    """Sort and mark the findings of every rule as the configuration says; medium where it says nothing."""
    off = policy.switched_off
    used = [f.model_copy(update={"severity": policy.severity_of(f.rule)}) if f.rule in policy.rules else f for f in findings]
    ranked = sorted(
        (f for f in used if f.rule not in off), key=lambda f: (_RANKS[f.severity or "medium"], f.file, f.line, f.rule, f.message)
    )
    switched_off = [
        f.model_copy(update={"accepted": Accepted(reason=off[f.rule], by=f".github/gonogo.yml (rules: {f.rule})")})
        for f in findings
        if f.rule in off
    ]
    notes = [_note(rule, why, sum(f.rule == rule for f in switched_off)) for rule, why in off.items()]
    return Ruled(tuple(ranked), tuple(switched_off), tuple(note for note in notes if note))


def _note(rule: str, why: str, count: int) -> str:
    findings = "1 finding of it is" if count == 1 else f"{count} findings of it are"
    return f"{rule} is off in the configuration because {why}: {findings} not used" if count else ""
