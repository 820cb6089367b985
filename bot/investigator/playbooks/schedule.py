"""Jobs that start more often, at another time or together, held against how long they run and what they load."""

from collections.abc import Iterator

from bot.investigator.case import Case
from bot.investigator.chains.fan_out import all_at_once
from bot.investigator.chains.schedule_jobs import placed
from bot.investigator.chains.schedule_loads import is_harm, start_together, starts_elsewhen
from bot.investigator.chains.schedule_overlap import starts_more_often
from bot.investigator.chains.schedule_stops import no_longer_starts, work_in_step
from bot.investigator.playbook import PlaybookInfo
from gonogo.trajectory import Trajectory
from heuristics.runtime.herd import fan_outs, spread_removed
from heuristics.runtime.schedules import more_often, moved, rescheduled, shared_starts, stopped

INFO = PlaybookInfo(id="schedule", question="Does a run end before the next one starts, and can what it works on take it then?")


def investigate(case: Case) -> Iterator[Trajectory]:
    """More often first; then jobs that meet; then single jobs that move; then jobs that stop and delays that lose their spread."""
    changed = rescheduled(case.diff)
    jobs = {id(found): placed(case, found) for found in changed}
    told: set[int] = set()
    for found in changed:
        if more_often(found):
            told.add(id(found))
            moves = [one for one in starts_elsewhen(case, jobs[id(found)]) if is_harm(one)] if moved(found) else []
            yield from moves or starts_more_often(case, jobs[id(found)])
    for group in shared_starts(changed):
        told |= {id(found) for found in group}
        yield from start_together(case, [jobs[id(found)] for found in group])
    for found in changed:
        if id(found) not in told and moved(found):
            yield from starts_elsewhen(case, jobs[id(found)])
    for one in stopped(case.diff):
        yield from no_longer_starts(case, one)
    fanned = {(one.file, one.base_line): one for one in fan_outs(case.diff)}
    for one in fanned.values():
        yield from all_at_once(case, one)
    for one in spread_removed(case.diff):
        if (one.file, one.base_line) not in fanned:
            yield work_in_step(case, one)
