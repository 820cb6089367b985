"""A job that starts more often than it ends."""

import math
import re
from collections.abc import Iterator

from bot.investigator.asking import Reading, captures, number, quote_place
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, mechanism, trigger, unknown
from bot.investigator.chains.schedule_jobs import Job, busiest_of, runs_now, spelled
from bot.investigator.facts.durations import Span, logged_work
from bot.investigator.facts.headroom import OPEN_FROM, held_against
from bot.investigator.facts.latencies import latencies
from gonogo.evidence import MetricEvidence
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from heuristics.runtime.declared import setting_number

_CONCRETE_INTERVAL_MIN = 60
_CONCRETE_RATIO = 4
"""Without a duration, only a job that now runs at least hourly, or several times as often, is worth a question."""


# -- more often --------------------------------------------------------------------------------


def starts_more_often(case: Case, job: Job) -> Iterator[Trajectory]:
    """A job whose runs may overlap, by how long they take."""
    found, interval_s = job.found, job.found.new.interval_min * 60
    lasts = _lasts(case, job)
    ratio = found.old.interval_min / found.new.interval_min
    if lasts is None and found.new.interval_min > _CONCRETE_INTERVAL_MIN and ratio < _CONCRETE_RATIO:
        return
    line = quote_place(case, found.place)
    busiest = busiest_of(case, job.loads)
    waits = found.may_overlap is False or _runs_alone(case, job)
    after = (
        "waits for the run before it"
        if waits
        else "stops the run before it"
        if found.may_overlap is None
        else "starts beside one that still runs"
    )
    hurt = busiest[0] if busiest else job.loads[0] if job.loads else job.runs
    yield Trajectory(
        title=f"{job.name} starts every {spelled(found.new.interval_min)}"
        + (f" and loads {hurt.name}" if hurt and hurt is not job.runs else ""),
        impact=Impact.HIGH,
        resource=hurt.id if hurt is not None else case.repository,
        metric=busiest[1].evidence.metric if busiest and isinstance(busiest[1].evidence, MetricEvidence) else "Duration",
        links=(
            trigger(f"the schedule of {job.name} goes from `{found.old_text}` to `{found.new_text}`", line),
            mechanism(f"it starts {ratio:.3g} times as often, every {spelled(found.new.interval_min)}; a run {after}", line),
            runs_now(case, job, lasts),
            _overlap(job, lasts, interval_s, busiest, waits=waits),
        ),
        make_safe=f"Leave more time than a run takes between two starts{f' ({lasts.most.value:,.0f} s at most)' if lasts else ''}, and set `concurrencyPolicy: Forbid` (or a lock) so that runs can't overlap.",
        path=tuple(r.id for r in (*([job.runs] if job.runs else []), *job.loads)),
        undo=f"Set the schedule back to `{found.old_text}` and end the runs that are under way.",
    )


def _overlap(job: Job, lasts: Span | None, interval_s: float, busiest: tuple[Resource, Reading] | None, *, waits: bool) -> Link:
    name, cpu = job.name, busiest[1] if busiest else None
    question = f"How long does a run of {name} take, and how busy is what it works on meanwhile?"
    query = (
        f"kubectl get jobs -o custom-columns=NAME:.metadata.name,START:.status.startTime,END:.status.completionTime  # of {name}"
    )
    if lasts is None:
        return unknown(Role.HARM, f"a run of {name} lasts longer than {interval_s:,.0f} s", question, query, cpu)
    said = f"a run of {name} takes {lasts.least.value:,.4g} to {lasts.most.value:,.4g} s"
    if lasts.usual.value > interval_s:
        beside = math.ceil(lasts.usual.value / interval_s)
        if job.found.may_overlap is None:
            claim = f"{said}, so each run is stopped before it ends"
            if lasts.least.value > interval_s:
                return harm(claim, lasts.least, lasts.usual, comparison=compare(lasts.least, ">", interval_s))
            return unknown(Role.HARM, claim, question, query, lasts.usual)
        if waits:
            claim = f"{said}, so one run follows the other without a pause"
            if cpu is None or busiest is None:
                return unknown(Role.HARM, claim, question, query, lasts.usual)
            return held_against(cpu.value, 100, "%", claim=f"{claim}; {busiest[0].name} is at {cpu.value:.3g} % CPU at the peak", question=question, query=query, cited=(cpu, lasts.usual))  # fmt: skip
        load = f" on {busiest[0].name}, which one run at a time takes to {busiest[1].value:.3g} % CPU" if busiest else ""
        claim = f"{said} with {interval_s:,.0f} s between two starts: {beside} run at the same time{load}"
        if cpu is not None and cpu.value * beside < OPEN_FROM * 100:
            return unknown(
                Role.HARM, claim, f"May two runs of {name} work at the same time without harm?", query, lasts.usual, cpu
            )
        return harm(claim, lasts.usual, lasts.most, cpu, comparison=compare(lasts.usual, ">", interval_s))
    if lasts.most.value <= OPEN_FROM * interval_s and (cpu is None or cpu.value < OPEN_FROM * 100):
        beside = f"; {busiest[0].name} is at most at {busiest[1].value:.3g} % CPU" if busiest else ""
        return harm(f"a run of {name} lasts longer than the {interval_s:,.0f} s between two starts: it takes {lasts.most.value:,.4g} s at most{beside}",
                    lasts.most, cpu, comparison=compare(lasts.most, ">", interval_s))  # fmt: skip
    return unknown(
        Role.HARM, f"{said} with {interval_s:,.0f} s between two starts", question, query, lasts.usual, lasts.most, cpu
    )


def _runs_alone(case: Case, job: Job) -> bool:
    if job.runs is None or job.found.may_overlap is None:
        return False
    reserved = number(case, job.runs.id, "reserved_concurrency")
    declared = [d for d in case.diff.declared["head"].resources if case.diff.live_of(d) == job.runs.id]
    return (reserved is not None and reserved.value == 1) or any(setting_number(d, "reserved_concurrency") == 1 for d in declared)


def _lasts(case: Case, job: Job) -> Span | None:
    """How long a run takes: its own log lines, else the latency percentiles of what runs it."""
    if job.runs is None:
        return None
    if job.found.declared is None:
        for word in reversed([w for w in re.split(r"\W+", job.found.name) if len(w) > 3 and w.lower() not in _GENERIC][-4:]):
            pattern = rf"(?i){re.escape(word)}.{{0,160}}?(?:\bin|took|after|duration|seconds)[=: ]+(?P<t>[\d.]+) ?s?\b"
            readings = [captures(case, job.runs.id, pattern, "t", s, unit="s") for s in ("min", "p50", "max")]
            least, usual, most = readings
            if least is not None and usual is not None and most is not None:
                return Span(least, usual, most)
        return None
    logged = logged_work(case, job.runs.id)
    if logged is not None:
        return logged
    every = [one for one in latencies(case, job.runs.id) if not one.labels and one.active()]
    if not every:
        return None
    low, high = min(every, key=lambda o: o.rank), max(every, key=lambda o: o.rank)
    usual, most = low.typical(), high.peak()
    return None if usual is None or most is None else Span(usual, usual, most)


_GENERIC = {"schedule", "beat_schedule", "crontab", "minute", "hour", "cron", "interval", "every", "tasks", "jobs", "celery", "conf", "config", "beat", "add_job"}  # fmt: skip
