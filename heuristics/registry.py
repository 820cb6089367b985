"""Every rule, in reading order. A rule that is not listed does not run."""

from heuristics.rule import Rule

RULES: tuple[Rule, ...] = ()
