"""Claims in the making: what one conversation has proposed so far, and what it was refused."""

from dataclasses import field
from typing import Literal

from gonogo.evidence import Evidence
from gonogo.record import Record
from gonogo.trajectory import Comparison, Refutation, Role

MOST_TRAJECTORIES = 6
"""Trajectories that one conversation may hand over."""

Kind = Literal["low", "medium", "high"]


class DraftLink(Record, frozen=False):
    """A link as it was claimed, with the citations that were taken."""

    role: Role
    claim: str
    evidence: list[Evidence] = field(default_factory=list[Evidence])
    refuting: list[Evidence] = field(default_factory=list[Evidence])
    comparison: Comparison | None = None
    question: str | None = None
    query: str | None = None


class DraftTrajectory(Record, frozen=False):
    """A trajectory as it was proposed."""

    title: str
    impact: Kind
    resource: str
    metric: str
    make_safe: str = ""
    undo: str = ""
    links: list[DraftLink] = field(default_factory=list[DraftLink])


class Added(Record):
    """A citation that was added to a chain of the playbooks: for its link, or against it."""

    trajectory: int
    link: int
    evidence: Evidence
    is_against: bool = False
    refutation: Refutation | None = None


class Drafts(Record, frozen=False):
    """All that one conversation has put down. Ids are `T1`, `T2` …; `R1` … are the playbooks' own."""

    trajectories: dict[str, DraftTrajectory] = field(default_factory=dict[str, DraftTrajectory])
    added: list[Added] = field(default_factory=list[Added])
    refused: int = 0
    """Citations that were refused when they arrived: counted, and gone."""
    handed_over: list[str] | None = None
    """Ids that the verdict names; None until there is one, and then everything that was proposed counts."""
    summary: str = ""

    def add(self, draft: DraftTrajectory) -> str:
        """Put it down; its id."""
        name = f"T{len(self.trajectories) + 1}"
        self.trajectories[name] = draft
        return name

    @property
    def is_full(self) -> bool:
        """Whether no further trajectory is taken."""
        return len(self.trajectories) >= MOST_TRAJECTORIES
