"""Jobs that are all put in a queue at one moment: what their workers call gets as many calls as they can make side by side."""

from collections.abc import Iterator

from bot.investigator.asking import Reading, quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.callees import Callee, called_services, own_workloads, short, workload_of
from bot.investigator.facts.consumers import logged_time
from bot.investigator.facts.demand import service_times
from bot.investigator.facts.headroom import OPEN_FROM
from bot.investigator.facts.rate_limits import allowed_rate
from bot.investigator.facts.rates import request_rate
from bot.investigator.facts.traffic import traffic_of
from bot.investigator.facts.workers import Copies, copies_of
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.limits.concurrency import sure_parallel_work
from heuristics.runtime.herd import FanOut


def all_at_once(case: Case, found: FanOut) -> Iterator[Trajectory]:
    """One chain a service that the jobs' workers call; silent where they call none that is known."""
    worker = workload_of(case, found.file) or next(iter(own_workloads(case)), None)
    callees = [one for one in called_services(case) if worker is not None and one.caller.id == worker.id]
    if worker is None or len({one.target for one in callees}) != 1:
        return
    callee, target = callees[0], short(case, callees[0].target)
    lines = (*quote_removed(case, found.file, found.base_line), quote(case, found.file, found.head_line))
    rate = traffic_of(case, worker.id)
    usual = logged_time(case, worker.id)
    yield Trajectory(
        title=f"{worker.name} calls {target} for all jobs at once",
        impact=Impact.MEDIUM,
        resource=ResourceId(callee.target),
        metric="RequestCount",
        links=(
            trigger("the random delay of each job goes", *lines[:1], lines[-1]),
            mechanism(f"all jobs wait at the same moment, and {worker.name} calls {target} as fast as it can until they are done", lines[-1]),
            exposure(f"{worker.name} works on such jobs in production", rate or usual)
            if rate or usual
            else unknown(Role.EXPOSURE, f"{worker.name} works on such jobs in production", f"How many jobs does {worker.name} get at a time?", f"kubectl logs deploy/{worker.name}"),
            _rush(case, callee, worker, copies_of(case, worker)),
        ),
        make_safe="Keep the random delay, or bound the rate of the queue itself.",
        path=(ResourceId(callee.target), worker.id),
        undo="Put the random delay back and deploy.",
    )  # fmt: skip


def _rush(case: Case, callee: Callee, worker: Resource, copies: Copies) -> Link:
    """What the workers can call at the most, and what others do at the peak, against what the service takes."""
    target = short(case, callee.target)
    allowed, today, takes = allowed_rate(case, callee.target), request_rate(case, callee.target), _quickest(case, worker)
    parallel = sure_parallel_work(case.diff)
    claim = f"{target} gets more calls than it takes while the jobs last"
    if (
        allowed is not None
        and today is not None
        and takes is not None
        and copies.most is not None
        and copies.evidence is not None
        and parallel > 1
    ):
        most = copies.most * parallel / takes.value
        total, limit = most + today.value, allowed.per_second
        if total <= OPEN_FROM * limit:
            return harm(
                f"{claim}: {copies.most:g} × {parallel:g} at once make at most {most:,.3g} calls a second at {takes.value:.3g} s a job, on top of {today.value:,.3g} "
                f"at its peak; it takes {allowed.said}",
                allowed.reading, today, takes, copies.evidence, comparison=compare(round(total, 4), ">", limit, "1/s"),
            )  # fmt: skip
    return unknown(
        Role.HARM, claim, f"How many jobs of {worker.name} start at once, how many run side by side, and how many calls a second does {target} take?",
        f'max_over_time(rate(http_requests_total{{job="{target}"}}[1m])[7d:1m])', takes, today, allowed.reading if allowed is not None else None,
    )  # fmt: skip


def _quickest(case: Case, worker: Resource) -> Reading | None:
    """The usual time of a job: more calls a second come only from shorter ones."""
    fast, _ = service_times(case, worker.id, worker.id)
    return fast
