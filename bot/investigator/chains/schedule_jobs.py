"""A rescheduled job with what runs it, what it loads, and that it runs today."""

from collections.abc import Sequence

from bot.investigator.asking import Reading, log_count
from bot.investigator.case import Case
from bot.investigator.chain import exposure, unknown
from bot.investigator.facts.callees import workload_of
from bot.investigator.facts.durations import Span
from bot.investigator.facts.headroom import cpu_percent
from bot.investigator.facts.placing import downstream, governed
from bot.investigator.facts.traffic import traffic_of
from gonogo.record import Record
from gonogo.resource import Resource
from gonogo.trajectory import Link, Role
from heuristics.runtime.schedules import Rescheduled


class Job(Record):
    """A rescheduled job with the live resource that runs it and what that loads."""

    found: Rescheduled
    runs: Resource | None
    loads: tuple[Resource, ...]

    @property
    def name(self) -> str:
        """The live resource's name, else the schedule's."""
        return self.runs.name if self.runs is not None else self.found.name


def placed(case: Case, found: Rescheduled) -> Job:
    """The live resource that runs a rescheduled job, and what that works on."""
    runs = governed(case, found.declared) if found.declared is not None else workload_of(case, found.place.file)
    loads = (
        tuple(r for r in downstream(case, runs.id) if not r.kind.startswith(("aws.s3", "aws.sns"))) if runs is not None else ()
    )
    return Job(found, runs, loads)


# -- shared ------------------------------------------------------------------------------------


def runs_now(case: Case, job: Job, lasts: Span | None) -> Link:
    """The exposure link: that it runs today."""
    said = f"{job.name} runs in production"
    if job.runs is not None:
        rate = traffic_of(case, job.runs.id)
        cited = rate or (lasts.usual if lasts else None) or log_count(case, job.runs.id, r".")
        if cited is not None:
            return exposure(said, cited)
        loaded = next((cpu for r in job.loads if (cpu := cpu_percent(case, r.id)) is not None), None)
        if loaded is not None:
            return exposure(f"{said} and works on {', '.join(r.name for r in job.loads)}", loaded)
    return unknown(Role.EXPOSURE, said, f"When did {job.name} run last?", f"kubectl get jobs  # of {job.name}")


def busiest_of(case: Case, loads: Sequence[Resource]) -> tuple[Resource, Reading] | None:
    """Which of these has the highest CPU, and how high."""
    read = [(r, cpu) for r in loads if (cpu := cpu_percent(case, r.id)) is not None]
    return max(read, key=lambda pair: pair[1].value, default=None)


def spelled(minutes: float) -> str:
    """An interval in words."""
    if minutes < 1:
        return f"{minutes * 60:g} s"
    return f"{minutes:g} min" if minutes < 120 else f"{minutes / 60:g} h"
