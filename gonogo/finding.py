"""A deterministic signal: points the investigation at a line, and is never a verdict."""

from collections.abc import Mapping
from typing import Literal, NewType

from pydantic import Field

from gonogo.acceptance import Accepted
from gonogo.change import Side
from gonogo.word import Json, Word

RuleId = NewType("RuleId", str)
"""`family/hazard`, equal to the path of the rule's module and page; never renamed."""


class Finding(Word):
    """What a rule saw, where, and what would be safe."""

    rule: RuleId
    file: str
    line: int
    side: Side = "head"
    message: str
    safe_alternative: str = ""
    facts: Mapping[str, Json] = Field(default_factory=dict)
    """What the rule read off the line (table, old and new value), for tools that read the report."""
    severity: Literal["high", "medium", "low"] | None = None
    """How it ranks; None when the repository gives its rule none. It blocks nothing: only evidence does."""
    accepted: Accepted | None = None
    """Who took it as it is, and why; None when nobody did."""
