"""A finding or a risk that somebody takes as it is: always with a reason, never silently."""

from datetime import date
from typing import Literal

from pydantic import Field

from gonogo.word import Word


class AcceptedHere(Word):
    """One entry of `accept:` in `.github/gonogo.yml`, for files that cannot hold a comment."""

    rule: str = Field(pattern=r"^[a-z0-9]+(?:[-/][a-z0-9]+)*$")
    """A rule (`postgres/vacuum-full`) or a playbook (`lock-on-live-table`)."""
    file: str = Field(min_length=1)
    """A path, or a pattern of one (`infra/*.json`)."""
    reason: str = Field(min_length=1)
    until: date | None = None
    """The last day on which it holds."""


class Acceptance(Word):
    """An acceptance as it was read: from a comment, or from the configuration."""

    rules: tuple[str, ...]
    reason: str
    file: str
    """The file that it is about; a pattern when it stands in the configuration."""
    line: int | None = None
    """The line of the comment; None in the configuration."""
    accepts_line: int | None = None
    """The line that the comment is about; None when it is about nothing, or about a whole file."""
    until: date | None = None
    source: Literal["comment", "configuration"] = "comment"
    is_by_change: bool = False
    """The change under evaluation writes it itself."""
    problem: str = ""
    """Why it accepts nothing whatever is found: no reason, no such rule, past its date."""

    @property
    def place(self) -> str:
        """`db/0114.sql:3`, or where the settings are."""
        return f"{self.file}:{self.line}" if self.source == "comment" else f".github/gonogo.yml (accept: {self.file})"


class Accepted(Word):
    """Who accepted, on what finding or trajectory this stands."""

    reason: str
    by: str
    """Where the acceptance stands."""
    until: date | None = None
    is_by_change: bool = False
    """The change under evaluation writes it itself, or the line that it is about."""
    lifts: bool = True
    """Whether what it stands on does not block any more."""
