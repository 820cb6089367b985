"""Health checks that kill copies which only start slowly, and roll-outs that leave too few copies or cut work off."""

from collections.abc import Iterator

from bot.investigator.case import Case
from bot.investigator.chains.moved_checks import moved_check_chains
from bot.investigator.chains.probe_chains import answers_too_slowly, asks_in_vain, starts_too_slowly, unready_traffic
from bot.investigator.chains.rollout_chains import cut_off, too_few
from bot.investigator.playbook import PlaybookInfo
from gonogo.trajectory import Trajectory
from heuristics.runtime.probes import (  # fmt: skip
    missing_paths,
    readiness_removed,
    tighter_starts,
    tighter_timeouts,
)
from heuristics.runtime.rollouts import fewer_during_rollout, shorter_grace

INFO = PlaybookInfo(
    id="probes-and-rollout", question="Do copies come up in time, and is enough at work while they are exchanged?"
)


def investigate(case: Case) -> Iterator[Trajectory]:
    """Probes first, then how copies are exchanged."""
    for start in tighter_starts(case.diff):
        yield starts_too_slowly(case, start)
    for wait in tighter_timeouts(case.diff):
        yield answers_too_slowly(case, wait)
    told: list[str] = []
    for missing in missing_paths(case.diff):
        told.append(f"{missing.declared.address} {missing.probe}")
        yield asks_in_vain(case, missing)
    yield from moved_check_chains(case, told)
    for removed in readiness_removed(case.diff):
        yield from unready_traffic(case, removed)
    for fewer in fewer_during_rollout(case.diff):
        yield from too_few(case, fewer)
    for grace in shorter_grace(case.diff):
        yield cut_off(case, grace)
