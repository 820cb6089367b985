"""What a playbook is: one file that turns one kind of failure into trajectories, from findings and facts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from bot.investigator.case import Case
from gonogo.trajectory import Trajectory


@dataclass(frozen=True)
class PlaybookInfo:
    """A playbook's identity. The page is docs/playbooks/<id>.md."""

    id: str
    question: str
    """The question it asks of production, in the words of its page."""


class Playbook(Protocol):
    """A module with INFO and investigate."""

    INFO: PlaybookInfo

    def investigate(self, case: Case) -> Iterator[Trajectory]:
        """Every chain of this kind in the change: proved, disproved, or open with its question."""
        ...
