"""Gives a no-go the changes that would turn it, within its time: advice, which never touches the verdict."""

from collections.abc import Callable, Mapping
from time import perf_counter, process_time

from bot.changes.edited import EditedRepository
from bot.evaluation.go_if import go_if
from bot.investigator.failures import failure_of
from bot.investigator.playbooks.registry import PLAYBOOKS
from gonogo.change import ChangeSet, Side
from gonogo.evaluation import Evaluation
from gonogo.ports import Repository, SourceTree

LONGEST_S = 5.0
"""Seconds of the processor that it may take, so that a busy machine names the same ways as an idle one; a fraction of one is usual."""
BEFORE = 0.8
"""Part of the deadline after which nothing more is tried."""


def with_ways_to_go(
    evaluation: Evaluation,
    changes: ChangeSet,
    trees: Mapping[Side, SourceTree],
    *,
    try_out: Callable[[Repository], Evaluation],
    worked_s: float,
    started: float,
    deadline_s: float,
) -> Evaluation:
    """The no-go with the smallest changes that would turn it; whatever goes wrong on the way, it stands as it is.

    The evaluation began at `started` of `perf_counter` and took `worked_s` of the processor without its investigation. One more is
    taken to need the same; none is begun that would not end in time.
    """
    began, began_cpu = perf_counter(), process_time()
    once = sum(took for name, took in evaluation.timings.items() if name not in ("trajectories", "total"))

    def has_time() -> bool:
        is_before = perf_counter() + once < started + deadline_s * BEFORE
        return is_before and process_time() + worked_s < began_cpu + LONGEST_S

    try:
        ways = go_if(
            evaluation,
            changes,
            trees,
            playbooks=[playbook.INFO.id for playbook in PLAYBOOKS],
            try_out=lambda texts: try_out(EditedRepository(changes, trees, texts)),
            has_time=has_time,
        )
    except Exception as error:  # noqa: BLE001  a fault in advice must not cost the answer
        note = f"what would turn this no-go was not worked out: {failure_of('go if', error).why}"
        return evaluation.model_copy(update={"notes": (*evaluation.notes, note)})
    now = perf_counter()
    timings = {**evaluation.timings, "go_if": round(now - began, 4), "total": round(now - started, 4)}
    return evaluation.model_copy(update={"go_if": ways, "timings": timings})
