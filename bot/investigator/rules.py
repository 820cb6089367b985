"""The `rules` investigator: every playbook in order, no model. What one playbook breaks on is told, not hidden."""

from bot.investigator.case import Case
from bot.investigator.failures import failure_of
from bot.investigator.playbooks.registry import PLAYBOOKS
from gonogo.context import Gap
from gonogo.evaluation import Failure, ModelUse
from gonogo.record import Record
from gonogo.trajectory import Trajectory


class Outcome(Record):
    """Claims, and what went wrong on the way."""

    claims: tuple[Trajectory, ...]
    failures: tuple[Failure, ...] = ()
    gaps: tuple[Gap, ...] = ()
    steps_used: int = 0
    citations_refused: int = 0
    """Citations that were refused when they arrived; they are in no claim."""
    model: ModelUse | None = None
    """What a model took; None when none was asked."""
    investigator: str = "rules"
    is_whole: bool = True
    """Whether whoever investigates came to an end with all of it."""


def investigate(case: Case) -> Outcome:
    """Claims of all playbooks. The same chain is handed over once, by the playbook that is first in the registry."""
    claims: list[Trajectory] = []
    failures: list[Failure] = []
    for playbook in PLAYBOOKS:
        case.asked.clear()
        try:
            for claim in playbook.investigate(case):
                asked = claim.asked or tuple(dict.fromkeys(case.asked))
                claims.append(claim.model_copy(update={"playbook": playbook.INFO.id, "asked": asked}))
        except Exception as error:  # noqa: BLE001  a broken playbook must not hide the others, nor become a go
            failures.append(failure_of(f"playbook {playbook.INFO.id}", error))
    found = _distinct(claims)
    if case.before is not None:
        from bot.investigator.carried import with_earlier_citations  # noqa: PLC0415  a first evaluation has none

        found = list(with_earlier_citations(found, case))
    return Outcome(claims=tuple(found), failures=tuple(failures))


def _distinct(claims: list[Trajectory]) -> list[Trajectory]:
    seen: set[tuple[str, str, str]] = set()
    kept: list[Trajectory] = []
    for claim in claims:
        key = (claim.title, claim.resource, claim.playbook)
        if key not in seen:
            seen.add(key)
            kept.append(claim)
    return kept
