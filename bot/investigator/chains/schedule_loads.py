"""Jobs that meet, or move to a busier hour: what they add, on top of what is there."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from bot.investigator.asking import Reading, quote_place
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.schedule_jobs import Job, runs_now
from bot.investigator.facts.durations import Span, logged_work
from bot.investigator.facts.headroom import OPEN_FROM, cpu_percent, held_against
from bot.investigator.facts.job_load import Added, Use, on_top, uses_of, zone_of
from bot.investigator.facts.traffic import traffic_of
from context_graph.readings import statistic_of, values_in, window_of
from gonogo.context import Window
from gonogo.evidence import MetricEvidence
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from heuristics.runtime.cron import DAY

# -- together, and at another time -----------------------------------------------------------------


def start_together(case: Case, jobs: Sequence[Job]) -> Iterator[Trajectory]:
    """Jobs that start at one minute from now on."""
    shared = [r for r in jobs[0].loads if all(r.id in {x.id for x in j.loads} for j in jobs)]
    if not shared and any(j.runs is not None for j in jobs):
        return
    target = shared[0] if shared else None
    at = min(frozenset[int].intersection(*(j.found.new.minutes for j in jobs)) or jobs[0].found.new.minutes)
    clock = f"{at // 60:02d}:{at % 60:02d}"
    lines = [quote_place(case, j.found.place) for j in jobs]
    names = ", ".join(j.name for j in jobs)
    where = target.name if target is not None else "what they work on"
    peak = cpu_percent(case, target.id) if target is not None else None
    before = _sum_of_loads(case, target, jobs) if target is not None else None
    claim = f"{where} is overrun by {len(jobs)} jobs at the same time"
    question = f"How long do {names} run, and how busy is {where} while each of them does?"
    query = f"aws cloudwatch get-metric-statistics --metric-name CPUUtilization --period 300 --statistics Maximum  # of {where}, at night"
    if peak is not None and peak.value * len(jobs) < OPEN_FROM * 100:
        end = harm(
            f"{claim}: even {len(jobs)} times its peak CPU of {peak.value:.3g} % fit",
            peak,
            comparison=compare(round(peak.value * len(jobs), 4), ">=", 100, "%"),
        )
    elif before is not None:
        total, cited = before
        end = held_against(
            total,
            100,
            "%",
            claim=f"{where} would be at {total:,.0f} % CPU: what each job adds today, together",
            question=question,
            query=query,
            cited=cited,
        )
    else:
        end = unknown(Role.HARM, claim, question, query, peak)
    runs = [traffic_of(case, j.runs.id) for j in jobs if j.runs is not None]
    yield Trajectory(
        title=f"{len(jobs)} jobs start at {clock} together on {where}",
        impact=Impact.MEDIUM,
        resource=target.id if target is not None else case.repository,
        metric="CPUUtilization",
        links=(
            trigger(f"{names} start at {clock} from now on", *lines),
            mechanism("they were apart before, so their loads add up now", *lines),
            exposure("they run in production", *runs) if any(runs)
            else unknown(Role.EXPOSURE, "they run in production", f"When did {names} run last?", f"kubectl get jobs  # of {names}"),
            end,
        ),
        make_safe="Keep their starts apart by more than the longest of them takes.",
        path=tuple(r.id for r in (*([target] if target else []), *(j.runs for j in jobs if j.runs is not None))),
        undo="Set the schedules back; runs under way may be left to end.",
    )  # fmt: skip


def starts_elsewhen(case: Case, job: Job) -> Iterator[Trajectory]:
    """One job at another time of the day: what it adds by its last runs, on top of what is there at the new time."""
    if job.runs is None:
        return
    lasts = logged_work(case, job.runs.id)
    known = [
        (target, added) for target in job.loads for use in uses_of(case, target) if (added := _added(job, use, lasts)) is not None
    ]
    if not known:
        return
    target, loaded = max(known, key=lambda pair: (pair[1].at_least >= _FULL, pair[1].at_most))
    line = quote_place(case, job.found.place)
    yield Trajectory(
        title=f"{job.name} runs at another time and loads {target.name} then",
        impact=Impact.HIGH if loaded.at_least >= _FULL else Impact.MEDIUM,
        resource=target.id,
        metric=loaded.use.series.metric,
        links=(
            trigger(f"the schedule of {job.name} goes from `{job.found.old_text}` to `{job.found.new_text}`", line),
            mechanism("what it adds comes on top of the load of the new time", line),
            runs_now(case, job, lasts),
            _load(target.name, loaded),
        ),
        make_safe="Keep it in the hours when little else happens.",
        path=(target.id, job.runs.id),
        undo=f"Set the schedule back to `{job.found.old_text}`.",
    )


_FULL = 100.0


def _added(job: Job, use: Use, lasts: Span | None) -> Added | None:
    found = job.found
    zones = (zone_of(found.before, found.old_text), zone_of(found.declared, found.new_text))
    return on_top(use, old=found.old, new=found.new, zones=zones, lasts_s=lasts.usual.value if lasts is not None else None)


def _load(name: str, loaded: Added) -> Link:
    what, limit = loaded.use.what, loaded.use.limit
    said = f"{name} is at {loaded.usual:.3g} % of {what} then on a usual day, and a run adds {loaded.added:.3g} points (median of its last {loaded.runs})"
    if loaded.at_least >= _FULL:
        claim = f"{said}: {loaded.at_least:.3g} % in all, so everything on it waits"
        return harm(claim, *loaded.readings, limit, comparison=compare(round(loaded.at_least, 4), ">=", _FULL, "%"))
    if loaded.at_most < OPEN_FROM * _FULL:
        claim = f"{name} is full then: {loaded.busiest:.3g} % of {what} at the most, and a run adds {loaded.most_added:.3g} points at the most"
        return harm(claim, *loaded.readings, limit, comparison=compare(round(loaded.at_most, 4), ">=", _FULL, "%"))
    return unknown(
        Role.HARM, f"{said}: {loaded.at_least:.3g} to {loaded.at_most:.3g} % in all, too near the limit", f"How busy is {name} at the new time on its busiest day?",
        f"aws cloudwatch get-metric-statistics --metric-name {loaded.use.series.metric.partition('{')[0]}  # of {name}", *loaded.readings, limit,
    )  # fmt: skip


def is_harm(told: Trajectory) -> bool:
    """Whether a chain's last link is harm by its own numbers."""
    last = told.links[-1].comparison
    return last is not None and last.observed >= last.limit


def _sum_of_loads(case: Case, target: Resource, jobs: Sequence[Job]) -> tuple[float, tuple[Reading, ...]] | None:
    base = _cpu_at(case, target, 0, DAY, "min")
    peaks = [_cpu_at(case, target, min(j.found.old.minutes), 60, "max") for j in jobs if j.found.old.minutes]
    if base is None or len(peaks) < len(jobs) or any(p is None for p in peaks):
        return None
    known = [p for p in peaks if p is not None]
    return base.value + sum(p.value - base.value for p in known), (base, *known)


def _cpu_at(case: Case, target: Resource, minute: int, length_min: int, statistic: str) -> Reading | None:
    """The CPU of the last whole day that was read, in the minutes from `minute` (UTC) on."""
    found = cpu_percent(case, target.id)
    if found is None or not isinstance(found.evidence, MetricEvidence):
        return None
    series = next(iter(case.production.series_of(target.id, found.evidence.metric)), None)
    if series is None:
        return None
    whole = window_of(series)
    midnight = datetime(whole.end.year, whole.end.month, whole.end.day, tzinfo=whole.end.tzinfo) - timedelta(days=1)
    start = midnight + timedelta(minutes=minute)
    window = Window(start=start, end=start + timedelta(minutes=length_min))
    if start < whole.start or window.end > whole.end:
        return None
    wanted = "min" if statistic == "min" else "max" if statistic == "max" else "mean"
    value = statistic_of(values_in(series, window), wanted)
    if value is None:
        return None
    cited = MetricEvidence(
        resource=target.id, metric=series.metric, statistic=wanted, window=window, value=value, unit=series.unit
    )
    factor = found.value / found.evidence.value if found.evidence.value else 1.0
    return Reading(value * factor, "%", cited)
