"""More or less at the same time: against measured concurrency, the connections of the database and the throughput of a table."""

import re
from collections.abc import Iterator

from bot.investigator.asking import Reading, metric, number, statistic_reading
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, unknown
from bot.investigator.chains.cold_starts import no_longer_warm
from bot.investigator.chains.more_instances import pool_of_process, processes_of
from bot.investigator.chains.rate_room import rate_rooms
from bot.investigator.chains.room import (
    NEAR,
    Held,
    ask_use,
    busiest,
    by_measure,
    chain_of_bound,
    chain_of_held,
    connection_query,
    connections_after,
    declared_name,
    last_of,
    live_of,
    metric_of,
    upward,
)
from bot.investigator.facts.callees import databases, own_workloads, short, workload_of
from bot.investigator.facts.connections import connections_of, instances_of
from bot.investigator.facts.consumers import backlog, queues_of
from bot.investigator.facts.latencies import latencies
from bot.investigator.facts.rates import request_rate
from bot.investigator.playbook import PlaybookInfo
from gonogo.resource import Resource
from gonogo.trajectory import Role, Trajectory
from heuristics.limits.changed import words_of
from heuristics.limits.concurrency import Bound, Bounds, changed_bounds
from heuristics.limits.pools import is_process_name

INFO = PlaybookInfo(id="concurrency", question="Is there room for that much at the same time, or is more needed than is left?")

_RUNNING = ("ConcurrentExecutions", "ConcurrentExecutions.max", "ConcurrentExecutions.maximum")


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a changed bound."""
    for found in changed_bounds(case.diff):
        match found.bounds:
            case Bounds.RESERVED | Bounds.PROVISIONED | Bounds.SOURCE if found.is_lowered:
                yield from _function_lowered(case, found)
            case Bounds.PROVISIONED if found.new is None and found.old:
                yield from no_longer_warm(case, found)
            case Bounds.RESERVED | Bounds.SOURCE:
                yield from _function_raised(case, found)
            case Bounds.WORKERS if found.is_raised:
                yield from _workers_raised(case, found)
            case Bounds.WORKERS:
                yield from _workers_lowered(case, found)
            case Bounds.INSTANCES if found.is_raised:
                yield from _copies_raised(case, found)
            case _:
                pass


# -- functions ----------------------------------------------------------------------------------


def _function_lowered(case: Case, found: Bound) -> Iterator[Trajectory]:
    live = live_of(case, found)
    new = found.new or 0.0
    name = short(case, live) if live else declared_name(found)
    running = metric(case, live, _RUNNING, "max") if live else None
    usual = metric(case, live, _RUNNING, "mean") if live else None
    is_pulled = bool(live and queues_of(case, live))
    if found.bounds is Bounds.SOURCE or (found.bounds is Bounds.RESERVED and is_pulled and new > 0):
        return  # the queue takes up what is not run at once: the playbook of growing queues settles it
    is_warm = found.bounds is Bounds.PROVISIONED
    ends = "further runs start cold" if is_warm else "further runs are refused with 429 (throttled)"
    if running is None and live:
        running, usual = _by_little(case, live), None
    if running is None:
        last = unknown(
            Role.HARM, f"{name} runs more than {new:g} at the same time", f"How many copies of {name} run at the same time at the peak?",
            f"aws cloudwatch get-metric-statistics --namespace AWS/Lambda --metric-name ConcurrentExecutions --dimensions Name=FunctionName,Value={name} --statistics Maximum",
        )  # fmt: skip
    elif running.value <= new * NEAR or (running.value > new and not is_warm):
        last = harm(f"{name} runs more than {new:g} at the same time: {running.value:.4g} at the peak", running, usual,
                    comparison=compare(running.value, ">", new, "runs"))  # fmt: skip
    else:
        last = unknown(
            Role.HARM, f"{name} runs up to {running.value:.4g} at the same time, with {new:g} left", "How much longer does a cold start take, and who waits for it?"
            if is_warm else f"How many copies of {name} will run at the peak of the coming month?",
            "filter @type = 'REPORT' | stats max(@initDuration), count(@initDuration) by bin(1h)  # CloudWatch Logs Insights", running,
        )  # fmt: skip
    yield chain_of_bound(
        case, found, live, title=f"{name} is throttled at {new:g} concurrent runs" if not is_warm else f"{name} starts cold above {new:g} concurrent runs",
        metric_name="Throttles", how=ends, last=last,
        make_safe=f"Keep at least {upward(max(new, running.value if running else 0) * 1.3):g}, 30 % above the measured peak.",
    )  # fmt: skip


def _by_little(case: Case, function: str) -> Reading | None:
    """Runs at the same time: runs a second times how long one takes; a lower bound, by the median duration and the peak rate."""
    rate = request_rate(case, function)
    usual = next((t for t in latencies(case, function, outgoing=False) if t.percentile in ("p50", "mean")), None)
    typical = usual.typical() if usual else None
    return Reading(rate.value * typical.value, "runs", rate.evidence) if rate is not None and typical is not None else None


def _function_raised(case: Case, found: Bound) -> Iterator[Trajectory]:
    live = live_of(case, found)
    function = case.production.resource(live) if live else None
    if function is None or found.new is None or found.old is None:
        return
    limited = list(rate_rooms(case, function, found.old, found.new))
    if limited:
        yield _of_rates(case, found, function, limited, "runs")
    users = [c for c in databases(case) if c.caller.id == function.id]
    if len({c.target for c in users}) != 1:
        return
    user, room = users[0], connections_of(case, users[0].target)
    added = found.new - found.old
    running = metric(case, function.id, _RUNNING, "max")
    wants_more = running is not None and running.value >= found.old * 0.95
    if running is not None and running.value < found.old * 0.7:
        held = Held(f"{function.name} uses more than it may today: {running.value:g} run at the peak, {found.old:g} may", running.value, found.old, "runs",
                     (running,), is_certain=True, resource=user.target)  # fmt: skip
    else:
        held = connections_after(
            case, room, added, f"{function.name} opens a connection a run, {added:g} more", (running,), is_certain=wants_more
        )
    yield chain_of_held(
        case,
        found,
        user,
        held,
        room,
        function,
        f"each of up to {found.new:g} runs of {function.name} holds a connection of its own",
    )


# -- pools and workers ----------------------------------------------------------------------------


def _workers_raised(case: Case, found: Bound) -> Iterator[Trajectory]:
    workload = _worker(case, found)
    if workload is None or found.old is None or found.new is None:
        return
    count, counted = instances_of(case, workload)
    factor = found.new / max(1.0, found.old)
    held = [*_table_room(case, found, workload, factor), *rate_rooms(case, workload, found.old, found.new, count)]
    users = [c for c in databases(case) if c.caller.id == workload.id]
    if len({c.target for c in users}) == 1:
        room = connections_of(case, users[0].target)
        each, lines = pool_of_process(case) if is_process_name(found.changed.name, found.changed.file) else processes_of(case)
        added = (found.new - found.old) * count * each
        waits = any((b := backlog(case, q)) is not None and b.value > 0 for q in queues_of(case, workload.id))
        one = connections_after(
            case,
            room,
            added,
            f"{count:g} instances with {found.new:g} instead of {found.old:g} workers need up to {added:g} more",
            (counted, *lines),
            is_certain=waits or (each > 1 and room.peak is not None and room.peak.value >= found.old * count * each * NEAR),
        )
        held += [one] if one is not None else []
    worst = max(held, key=lambda h: h.observed / max(h.limit, 1e-9), default=None)
    if worst is None and (factor < 2 or not users):
        return
    target = worst.resource if worst else users[0].target if users else workload.id
    name = short(case, target)
    cited = tuple(c for h in held for c in h.cited if not h.exceeds) if worst and not worst.exceeds else ()
    yield chain_of_bound(
        case, found, target, title=f"{found.new:g} workers of {workload.name} ask more of {name} than it has",
        metric_name=metric_of(worst), how=f"each worker has a request under way: {factor:.2g} times as many at the same time",
        last=last_of(worst, f"{name} has no room for {factor:.2g} times the work of {workload.name}", f"How much of {name} does {workload.name} use today, and where is its limit?",
                   connection_query(name)),
        make_safe=f"Raise it in steps and watch {name}, or bound the rate (`{found.changed.name} = {found.old:g}` until then).",
        cited=(counted, *cited), more=(workload.id,), source=workload.id,
    )  # fmt: skip


def _copies_raised(case: Case, found: Bound) -> Iterator[Trajectory]:
    """More copies of what works off a queue call a limited side more often; those of a web service get the same requests."""
    live = live_of(case, found)
    workload = case.production.resource(live) if live else None
    if workload is None or found.old is None or found.new is None or not queues_of(case, workload.id):
        return
    limited = list(rate_rooms(case, workload, found.old, found.new))
    if limited:
        yield _of_rates(case, found, workload, limited, "copies")


def _of_rates(case: Case, found: Bound, workload: Resource, limited: list[Held], what: str) -> Trajectory:
    worst = max(limited, key=lambda h: h.observed / max(h.limit, 1e-9))
    name = short(case, worst.resource)
    return chain_of_bound(
        case, found, worst.resource, title=f"{found.new:g} {what} of {workload.name} call {name} more often than it allows",
        metric_name=metric_of(worst), how=f"{(found.new or 0) / max(1.0, found.old or 1.0):.2g} times as many {what} have a call under way at the same time",
        last=last_of(worst, f"{name} refuses calls", f"How many calls a second does {name} allow?", f"the contract or the rate-limit headers of {name}"),
        make_safe=f"Bound the rate before the call (a token bucket at {worst.limit:.3g} a second), or keep `{found.changed.name} = {found.old:g}`.",
        more=(workload.id,), source=workload.id,
    )  # fmt: skip


def _workers_lowered(case: Case, found: Bound) -> Iterator[Trajectory]:
    workload = _worker(case, found)
    if workload is None or found.new is None or queues_of(case, workload.id):
        return
    count, counted = instances_of(case, workload)
    used = busiest(case, workload.id, "worker") or busiest(case, workload.id, "thread")
    rate = request_rate(case, workload.id)
    slowest = next(iter(latencies(case, workload.id, outgoing=False)), None)
    peak = slowest.peak() if slowest else None
    if used is not None:
        last = by_measure(
            case,
            f"{workload.name} has up to {used.value:.3g} workers busy",
            used,
            found.new,
            "workers",
            "busy at the same time in one instance",
        )
    elif rate is not None and peak is not None and counted is not None and rate.value * peak.value / count <= found.new * 0.7:
        at_once = rate.value * peak.value / count
        last = harm(f"{workload.name} works on more than {found.new:g} requests at the same time in an instance: {at_once:.3g} by rate times {slowest.percentile if slowest else ''} latency",
                    rate, peak, counted, comparison=compare(at_once, ">", found.new, "requests"))  # fmt: skip
    else:
        last = ask_use(
            f"{workload.name} works on more than {found.new:g} requests at the same time in an instance",
            workload.name,
            "workers are busy",
        )
    yield chain_of_bound(
        case, found, workload.id, title=f"Requests of {workload.name} queue for {found.new:g} workers", metric_name="busy_workers",
        how="a request waits when all workers of its instance are busy", last=last,
        make_safe=f"Keep `{found.changed.name}` above the measured use; {found.old:g} until then.", cited=(counted,),
    )  # fmt: skip


def _table_room(case: Case, found: Bound, workload: Resource, factor: float) -> Iterator[Held]:
    """Tables with provisioned capacity: what this workload takes of it today, told by a label that names it."""
    for edge_ in case.out_of(workload.id):
        if (
            not edge_.target.startswith("arn:aws:dynamodb")
            and "dynamodb" not in (case.production.resource(edge_.target) or workload).kind
        ):
            continue
        for what, key in (("Write", "write_capacity"), ("Read", "read_capacity")):
            limit = number(case, edge_.target, key, f"{key}_units")
            mine = _own_share(case, found, workload, edge_.target, f"Consumed{what}CapacityUnits")
            if limit is not None and limit.value > 0 and mine is not None:
                yield Held(
                    f"{workload.name} takes {mine.value:,.0f} {what.lower()} units a second at the peak; {factor:.3g} times as many are {mine.value * factor:,.0f} of {limit.value:,.0f}",
                    mine.value * factor, limit.value, "units/s", (mine, limit), is_certain=True, resource=edge_.target,
                )  # fmt: skip


def _own_share(case: Case, found: Bound, workload: Resource, table: str, name: str) -> Reading | None:
    """The series whose label names the workload or the file; the whole only when no one else uses the table."""
    mine = {"-".join(words_of(workload.name)), "-".join(words_of(found.changed.file.rpartition("/")[2].partition(".")[0]))}
    for series in case.production.series_of(table):
        label = re.fullmatch(re.escape(name) + r"\{[\w.-]+=\"?([^}\"]+)\"?\}", series.metric)
        if label and "-".join(words_of(label[1])) in mine:
            return statistic_reading(series, "max")
    users = {e.source for e in case.into(table)} - {case.repository}
    return metric(case, table, [name], "max") if users == {workload.id} else None


def _worker(case: Case, found: Bound) -> Resource | None:
    """The workload that the setting belongs to; a runner's own file (sidekiq.yml, celeryconfig.py) belongs to the workload named after it."""
    sole = workload_of(case, found.changed.file)
    if sole is not None:
        return sole
    runner = next(
        (w for w in ("sidekiq", "celery", "worker", "resque", "puma", "gunicorn", "unicorn") if w in found.changed.file.lower()),
        None,
    )
    stem = set(words_of(found.changed.file.rpartition("/")[2].partition(".")[0]))
    mine = own_workloads(case)
    by_runner = [r for r in mine if runner and runner in words_of(r.name)]
    by_file = [r for r in mine if stem and stem <= set(words_of(r.name))]
    chosen = by_runner if len(by_runner) == 1 else by_file
    return chosen[0] if len(chosen) == 1 else None
