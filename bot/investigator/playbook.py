"""What a playbook is: one file that turns one kind of failure into trajectories, from findings and facts."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Protocol, cast

from bot.investigator.case import Case
from gonogo.change import ChangeSet
from gonogo.record import Record
from gonogo.trajectory import Trajectory


class PlaybookInfo(Record):
    """A playbook's identity. The page is docs/playbooks/<id>.md."""

    id: str
    question: str
    """The question it asks of production, in the words of its page."""


class Playbook(Protocol):
    """A module with INFO and investigate."""

    @property
    def INFO(self) -> PlaybookInfo:  # noqa: N802  a module's constant
        """Who it is."""
        ...

    def investigate(self, case: Case) -> Iterator[Trajectory]:
        """Every chain of this kind in the change: proved, disproved, or open with its question."""
        ...


class LaterPlaybook:
    """A playbook by the name of its module, which loads only for a change that `when` is true of."""

    def __init__(self, module: str, when: Callable[[ChangeSet], bool]) -> None:
        self._module, self._when = module, when

    @property
    def INFO(self) -> PlaybookInfo:  # noqa: N802  the name of the protocol
        """The playbook's identity; loads it."""
        return self._playbook.INFO

    def investigate(self, case: Case) -> Iterator[Trajectory]:
        """What the playbook finds."""
        if self._when(case.diff.changes):
            yield from self._playbook.investigate(case)

    @property
    def _playbook(self) -> Playbook:
        return cast("Playbook", import_module(self._module))
