"""More or less at the same time: against measured concurrency, the connections of the database and the throughput of a table."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gonogo.evidence import Evidence
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.limits.changed import words_of
from heuristics.limits.concurrency import Bound, Bounds, changed_bounds, scales_by_itself

from bot.investigator.asking import Reading, config, edge, metric, number, quote, statistic_reading
from bot.investigator.callees import Callee, databases, own_workloads, short, workload_of
from bot.investigator.case import Case
from bot.investigator.chain import Cited, compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.connections import Connections, connections_of, instances_of
from bot.investigator.consumers import backlog, queues_of
from bot.investigator.latencies import latencies
from bot.investigator.playbook import PlaybookInfo
from bot.investigator.rates import request_rate

INFO = PlaybookInfo(id="concurrency", question="Is there room for that much at the same time, or is more needed than is left?")

_RUNNING = ("ConcurrentExecutions", "ConcurrentExecutions.max", "ConcurrentExecutions.maximum")
_BUSY = re.compile(r"(?i).*(busy|active|in_?use|used|checked_?out).*(workers?|threads?|processes|connections?|conns?).*|.*(workers?|threads?|connections?|pool).*(busy|active|in_?use|used|checked_?out).*")
_WAITING = re.compile(r"(?i).*(pool|connections?|hikaricp).*(pending|waiting|queued?).*")
_NEAR = 0.9
_PER_SHARD = 1000.0


@dataclass(frozen=True)
class _Held:
    """One comparison: what it would come to, against what there is."""

    claim: str
    observed: float
    limit: float
    unit: str
    cited: tuple[Cited, ...]
    is_certain: bool
    """Whether the demand for it was read, too."""
    resource: str

    @property
    def exceeds(self) -> bool:
        """Whether there is too little."""
        return self.observed > self.limit


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a changed bound."""
    for found in changed_bounds(case.diff):
        match found.bounds:
            case Bounds.RESERVED | Bounds.PROVISIONED | Bounds.SOURCE if found.is_lowered:
                yield from _function_lowered(case, found)
            case Bounds.RESERVED | Bounds.SOURCE:
                yield from _function_raised(case, found)
            case Bounds.POOL if found.is_raised:
                yield from _pool_raised(case, found)
            case Bounds.POOL:
                yield from _pool_lowered(case, found)
            case Bounds.WORKERS if found.is_raised:
                yield from _workers_raised(case, found)
            case Bounds.WORKERS:
                yield from _workers_lowered(case, found)
            case Bounds.READS | Bounds.WRITES | Bounds.RATE | Bounds.SHARDS if found.is_lowered:
                yield from _throughput(case, found)
            case _:
                pass


# -- functions ----------------------------------------------------------------------------------


def _function_lowered(case: Case, found: Bound) -> Iterator[Trajectory]:
    live = _live(case, found)
    new = found.new or 0.0
    name = short(case, live) if live else _declared_name(found)
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
    elif running.value <= new * _NEAR or (running.value > new and not is_warm):
        last = harm(f"{name} runs more than {new:g} at the same time: {running.value:.4g} at the peak", running, usual,
                    comparison=compare(running.value, ">", new, "runs"))  # fmt: skip
    else:
        last = unknown(
            Role.HARM, f"{name} runs up to {running.value:.4g} at the same time, with {new:g} left", "How much longer does a cold start take, and who waits for it?"
            if is_warm else f"How many copies of {name} will run at the peak of the coming month?",
            "aws logs insights: filter @type = 'REPORT' | stats max(@initDuration), count(@initDuration) by bin(1h)", running,
        )  # fmt: skip
    yield _trajectory(
        case, found, live, title=f"{name} is throttled at {new:g} concurrent runs" if not is_warm else f"{name} starts cold above {new:g} concurrent runs",
        metric_name="Throttles", how=ends, last=last,
        make_safe=f"Keep at least {_upward(max(new, running.value if running else 0) * 1.3):g}, 30 % above the measured peak.",
    )  # fmt: skip


def _by_little(case: Case, function: str) -> Reading | None:
    """Runs at the same time: runs a second times how long one takes; a lower bound, by the median duration and the peak rate."""
    rate = request_rate(case, function)
    usual = next((t for t in latencies(case, function, outgoing=False) if t.percentile in ("p50", "mean")), None)
    typical = usual.typical() if usual else None
    return Reading(rate.value * typical.value, "runs", rate.evidence) if rate is not None and typical is not None else None


def _function_raised(case: Case, found: Bound) -> Iterator[Trajectory]:
    live = _live(case, found)
    function = case.production.resource(live) if live else None
    if function is None or found.new is None or found.old is None:
        return
    users = [c for c in databases(case) if c.caller.id == function.id]
    if len({c.target for c in users}) != 1:
        return
    user, room = users[0], connections_of(case, users[0].target)
    added = found.new - found.old
    running = metric(case, function.id, _RUNNING, "max")
    wants_more = running is not None and running.value >= found.old * 0.95
    if running is not None and running.value < found.old * 0.7:
        held = _Held(f"{function.name} uses more than it may today: {running.value:g} run at the peak, {found.old:g} may", running.value, found.old, "runs",
                     (running,), is_certain=True, resource=user.target)  # fmt: skip
    else:
        held = _connections(case, room, added, f"{function.name} opens a connection a run, {added:g} more", (running,), is_certain=wants_more)
    yield _from_held(case, found, user, held, room, function, f"each of up to {found.new:g} runs of {function.name} holds a connection of its own")


# -- pools and workers ----------------------------------------------------------------------------


def _pool_raised(case: Case, found: Bound) -> Iterator[Trajectory]:
    workload, user = _workload_and_database(case, found)
    if workload is None or user is None or found.old is None or found.new is None:
        return
    room = connections_of(case, user.target)
    count, counted = instances_of(case, workload)
    waiting = metric(case, workload.id, [_WAITING], "max")
    wants_more = found.fills_at_start or (waiting is not None and waiting.value > 0) or _is_full(room, found.old * count)
    others = max(0.0, (room.peak.value if room.peak else 0.0) - found.old * count)
    total = found.new * count + others
    both = 2 * found.new * count + (room.peak.value if room.peak else 0.0)
    claim = f"{count:g} instances with a pool of {found.new:g} need {found.new * count:g} connections" + (f", others hold {others:.0f}" if others else "")
    held = None
    if room.most is not None and (total > room.most or both <= room.most):
        exceeds = total > room.most
        held = _Held(f"{claim}; {user_name(case, user)} takes {room.most:g}", total if exceeds else both, room.most, "connections",
                     (room.peak, room.limit, counted), is_certain=wants_more and counted is not None, resource=user.target)  # fmt: skip
    yield _from_held(case, found, user, held, room, workload, claim)


def _is_full(room: Connections, held: float) -> bool:
    return room.peak is not None and room.peak.value >= held * _NEAR


def _pool_lowered(case: Case, found: Bound) -> Iterator[Trajectory]:
    workload, user = _workload_and_database(case, found)
    if workload is None or found.new is None:
        return
    count, counted = instances_of(case, workload)
    used = _busiest(case, workload.id, "connection")
    room = connections_of(case, user.target) if user else None
    last: Link
    if used is not None:
        last = _by_measure(f"{workload.name} uses up to {used.value:.3g} connections of a pool of {found.new:g}", used, found.new, "connections", "in use at the same time in one instance")
    elif room is not None and room.peak is not None and counted is not None and room.peak.value <= found.new * count * _NEAR:
        last = harm(f"{workload.name} needs more than {found.new * count:g} connections: all clients together held {room.peak.value:g}", room.peak, counted,
                    comparison=compare(room.peak.value, ">", found.new * count, "connections"))  # fmt: skip
    else:
        last = _ask_use(f"{workload.name} needs more than {found.new:g} connections at the same time in an instance", workload.name, "connections of the pool are in use")
    yield _trajectory(
        case, found, workload.id, title=f"Requests of {workload.name} wait for one of {found.new:g} connections", metric_name="connections_pending",
        how="work that needs a connection waits when all of the pool are in use", last=last,
        make_safe=f"Keep the pool above the measured use; {found.old:g} until then.", cited=(counted,),
    )  # fmt: skip


def _workers_raised(case: Case, found: Bound) -> Iterator[Trajectory]:
    workload = _worker(case, found)
    if workload is None or found.old is None or found.new is None:
        return
    count, counted = instances_of(case, workload)
    factor = found.new / max(1.0, found.old)
    held = [*_table_room(case, found, workload, factor), *_rate_room(case, workload, factor)]
    users = [c for c in databases(case) if c.caller.id == workload.id]
    if len({c.target for c in users}) == 1:
        room, added = connections_of(case, users[0].target), (found.new - found.old) * count
        waits = any((b := backlog(case, q)) is not None and b.value > 0 for q in queues_of(case, workload.id))
        one = _connections(case, room, added, f"{count:g} instances with {found.new:g} instead of {found.old:g} workers need up to {added:g} more", (counted,), is_certain=waits)
        held += [one] if one is not None else []
    worst = max(held, key=lambda h: h.observed / max(h.limit, 1e-9), default=None)
    if worst is None and factor < 2:
        return
    target = worst.resource if worst else users[0].target if users else workload.id
    name = short(case, target)
    cited = tuple(c for h in held for c in h.cited if not h.exceeds) if worst and not worst.exceeds else ()
    yield _trajectory(
        case, found, target, title=f"{found.new:g} workers of {workload.name} ask more of {name} than it has",
        metric_name=_metric_of(worst), how=f"each worker has a request under way: {factor:.2g} times as many at the same time",
        last=_last(worst, f"{name} has no room for {factor:.2g} times the work of {workload.name}", f"How much of {name} does {workload.name} use today, and where is its limit?",
                   _connection_query(name)),
        make_safe=f"Raise it in steps and watch {name}, or bound the rate (`{found.changed.name} = {found.old:g}` until then).",
        cited=(counted, *cited), more=(workload.id,), source=workload.id,
    )  # fmt: skip


def _workers_lowered(case: Case, found: Bound) -> Iterator[Trajectory]:
    workload = _worker(case, found)
    if workload is None or found.new is None or queues_of(case, workload.id):
        return
    count, counted = instances_of(case, workload)
    used = _busiest(case, workload.id, "worker") or _busiest(case, workload.id, "thread")
    rate = request_rate(case, workload.id)
    slowest = next(iter(latencies(case, workload.id, outgoing=False)), None)
    peak = slowest.peak() if slowest else None
    if used is not None:
        last = _by_measure(f"{workload.name} has up to {used.value:.3g} workers busy", used, found.new, "workers", "busy at the same time in one instance")
    elif rate is not None and peak is not None and counted is not None and rate.value * peak.value / count <= found.new * 0.7:
        at_once = rate.value * peak.value / count
        last = harm(f"{workload.name} works on more than {found.new:g} requests at the same time in an instance: {at_once:.3g} by rate times {slowest.percentile if slowest else ''} latency",
                    rate, peak, counted, comparison=compare(at_once, ">", found.new, "requests"))  # fmt: skip
    else:
        last = _ask_use(f"{workload.name} works on more than {found.new:g} requests at the same time in an instance", workload.name, "workers are busy")
    yield _trajectory(
        case, found, workload.id, title=f"Requests of {workload.name} queue for {found.new:g} workers", metric_name="busy_workers",
        how="a request waits when all workers of its instance are busy", last=last,
        make_safe=f"Keep `{found.changed.name}` above the measured use; {found.old:g} until then.", cited=(counted,),
    )  # fmt: skip


def _table_room(case: Case, found: Bound, workload: Resource, factor: float) -> Iterator[_Held]:
    """Tables with provisioned capacity: what this workload takes of it today, told by a label that names it."""
    for edge_ in case.out_of(workload.id):
        if not edge_.target.startswith("arn:aws:dynamodb") and "dynamodb" not in (case.production.resource(edge_.target) or workload).kind:
            continue
        for what, key in (("Write", "write_capacity"), ("Read", "read_capacity")):
            limit = number(case, edge_.target, key, f"{key}_units")
            mine = _own_share(case, found, workload, edge_.target, f"Consumed{what}CapacityUnits")
            if limit is not None and limit.value > 0 and mine is not None:
                yield _Held(
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


def _rate_room(case: Case, workload: Resource, factor: float) -> Iterator[_Held]:
    for edge_ in case.out_of(workload.id):
        allowed = number(case, edge_.target, "rate_limit_rps", "rate_limit_per_second")
        rate = request_rate(case, edge_.target)
        if allowed is not None and rate is not None:
            yield _Held(f"{short(case, edge_.target)} gets {rate.value * factor:.3g} requests a second and takes {allowed.value:g}", rate.value * factor, allowed.value,
                        "1/s", (rate, allowed), is_certain=rate.value * factor > allowed.value * 1.5, resource=edge_.target)  # fmt: skip


# -- throughput -------------------------------------------------------------------------------------


def _throughput(case: Case, found: Bound) -> Iterator[Trajectory]:
    declared = found.changed.declared
    what = {Bounds.READS: "Read", Bounds.WRITES: "Write"}.get(found.bounds)
    if what and scales_by_itself(case.diff, declared, f"{what}CapacityUnits"):
        return
    live, new = _live(case, found), found.new or 0.0
    name = short(case, live) if live else _declared_name(found)
    per, names = {
        Bounds.READS: ("read units a second", ("ConsumedReadCapacityUnits",)), Bounds.WRITES: ("write units a second", ("ConsumedWriteCapacityUnits",)),
        Bounds.SHARDS: ("records a second", ("IncomingRecords",)),
    }.get(found.bounds, ("requests a second", ()))  # fmt: skip
    used = (metric(case, live, names, "max") if names else request_rate(case, live)) if live else None
    usual = (metric(case, live, names, "p50") if names else request_rate(case, live, "p50")) if live else None
    limit = new * _PER_SHARD if found.bounds is Bounds.SHARDS else new
    if live and config(case, live, "billing_mode") and str((config(case, live, "billing_mode") or _NOTHING).value) == "PAY_PER_REQUEST" and found.old is not None:
        return
    if used is None or used.unit != "1/s":
        last = unknown(Role.HARM, f"{name} is asked for more than {limit:g} {per}", f"How many {per} does {name} serve at the peak?",
                       f"aws cloudwatch get-metric-statistics --metric-name {names[0] if names else 'Count'} --statistics Sum --period 60  -- of {name}")  # fmt: skip
    elif used.value > limit or used.value <= limit * _NEAR:
        last = harm(f"{name} is asked for more than {limit:,.0f} {per}: {used.value:,.0f} at the peak", used, usual, comparison=compare(used, ">", limit, "1/s"))
    else:
        last = unknown(Role.HARM, f"{name} is asked for up to {used.value:,.0f} of {limit:,.0f} {per}; five-minute sums hide the peaks between", f"How many {per} at the peak of a minute?",
                       f"aws cloudwatch get-metric-statistics --metric-name {names[0] if names else 'Count'} --statistics Sum --period 60  -- of {name}", used)  # fmt: skip
    yield _trajectory(
        case, found, live, title=f"{name} is throttled at {new:g} {'shards' if found.bounds is Bounds.SHARDS else per}",
        metric_name=f"{what}ThrottleEvents" if what else "ThrottledRequests", how="what is asked beyond it is refused, and callers retry or fail", last=last,
        make_safe=f"Keep {_upward(max(limit, used.value if used else 0) * 1.3):,.0f} {per}, use auto scaling with that as the minimum, or on-demand mode.",
    )  # fmt: skip


class _Nothing:
    value = None


_NOTHING = _Nothing()


# -- shared -----------------------------------------------------------------------------------------


def _connections(case: Case, room: Connections, added: float, claim: str, cited: Sequence[Cited], *, is_certain: bool) -> _Held | None:
    if room.peak is None or room.most is None:
        return None
    return _Held(
        f"{claim}, on top of {room.peak.value:g} at the peak; {short(case, room.database)} takes {room.most:g}", room.peak.value + added, room.most, "connections",
        (room.peak, room.limit, *cited), is_certain=is_certain, resource=room.database,
    )  # fmt: skip


def _from_held(case: Case, found: Bound, user: Callee, held: _Held | None, room: Connections, source: Resource, how: str) -> Trajectory:
    name = user_name(case, user)
    return _trajectory(
        case, found, user.target, title=f"{source.name} takes the last connections of {name}", metric_name="DatabaseConnections", how=how,
        last=_last(held, f"{source.name} needs more connections than {name} has left", f"How many connections does {name} take, and how many are open at the peak?", _connection_query(name),
                   room.peak, room.limit),
        make_safe="Put a pooler (RDS Proxy, PgBouncer) before the database, or keep instances × pool below max_connections minus what others hold"
        + (f": {room.most:g}." if room.most else "."),
        cited=(edge(case, user.caller.id, user.target, user.relation),), more=(source.id,), source=source.id,
    )  # fmt: skip


def user_name(case: Case, user: Callee) -> str:
    """The name of what is used."""
    return short(case, user.target)


def _last(held: _Held | None, claim: str, question: str, query: str, *known: Cited) -> Link:
    """True and demanded means harm; false means none; true without a sign of demand stays a question."""
    if held is None:
        return unknown(Role.HARM, claim, question, query, *known)
    if held.exceeds and not held.is_certain:
        return unknown(Role.HARM, f"{held.claim}, if all of it is used", "Is there work waiting that would use all of it (backlog, pending, busy workers)?", query, *held.cited)
    return harm(held.claim, *held.cited, comparison=compare(held.observed, ">", held.limit, held.unit))


def _by_measure(claim: str, used: Reading, new: float, unit: str, what: str) -> Link:
    if used.value > new or used.value <= new * _NEAR:
        return harm(f"{claim} ({what})", used, comparison=compare(used.value, ">", new, unit))
    return unknown(Role.HARM, f"{claim}, which leaves almost none", f"How many are {what} in the busiest hour?", f"max_over_time({used.evidence.kind}[30d])", used)


def _ask_use(claim: str, name: str, what: str) -> Link:
    return unknown(Role.HARM, claim, f"How many {what} in an instance of {name} at the peak?", f'max_over_time({{job="{name}", __name__=~".*(busy|active|in_use).*"}}[7d])')


def _busiest(case: Case, workload: str, what: str) -> Reading | None:
    names = [s.metric for s in case.production.series_of(workload) if _BUSY.fullmatch(s.metric) and what in s.metric.lower().replace("conns", "connection")]
    found = metric(case, workload, names, "max")
    return found if found is not None and found.unit != "1/s" else metric_level(case, workload, names)


def metric_level(case: Case, workload: str, names: Sequence[str]) -> Reading | None:
    """The same series as a level: a count of busy workers is no number of events."""
    for series in case.production.series_of(workload):
        if series.metric in names and (found := statistic_reading(series, "max")) is not None:
            return Reading(found.evidence.value if found.evidence.kind == "metric" else found.value, "", found.evidence)
    return None


def _workload_and_database(case: Case, found: Bound) -> tuple[Resource | None, Callee | None]:
    """The workload that holds the pool and its only database; of several workloads, those that share one database count by the largest."""
    users = databases(case)
    workload = workload_of(case, found.changed.file)
    mine = [u for u in users if workload is None or u.caller.id == workload.id]
    if len({u.target for u in mine}) != 1:
        return workload, None
    best = max(mine, key=lambda u: instances_of(case, u.caller)[0])
    return workload or best.caller, best


def _worker(case: Case, found: Bound) -> Resource | None:
    """The workload that the setting belongs to; a runner's own file (sidekiq.yml, celeryconfig.py) belongs to the workload named after it."""
    sole = workload_of(case, found.changed.file)
    if sole is not None:
        return sole
    runner = next((w for w in ("sidekiq", "celery", "worker", "resque", "puma", "gunicorn", "unicorn") if w in found.changed.file.lower()), None)
    stem = set(words_of(found.changed.file.rpartition("/")[2].partition(".")[0]))
    mine = own_workloads(case)
    by_runner = [r for r in mine if runner and runner in words_of(r.name)]
    by_file = [r for r in mine if stem and stem <= set(words_of(r.name))]
    chosen = by_runner if len(by_runner) == 1 else by_file
    return chosen[0] if len(chosen) == 1 else None


def _live(case: Case, found: Bound) -> str | None:
    declared = found.changed.declared
    if declared is None:
        return None
    live = case.diff.live_of(declared)
    if live is not None or declared.kind == "aws.lambda.function":
        return live
    sides = case.diff.declared.get("head")
    wanted = {str(s.value) for k in ("function", "function_name", "target", "table", "name") if (s := declared.settings.get(k)) is not None and s.value}
    for one in sides.resources if sides else ():
        if (one.name in wanted or one.address in wanted) and (live := case.diff.live_of(one)) is not None:
            return live
    return None


def _declared_name(found: Bound) -> str:
    declared = found.changed.declared
    return (declared.name or declared.address) if declared is not None else found.changed.file


def _metric_of(held: _Held | None) -> str:
    for cited in held.cited if held else ():
        if isinstance(cited, Reading) and cited.evidence.kind == "metric":
            return cited.evidence.metric
    return "Throttles"


def _connection_query(name: str) -> str:
    return f"SHOW max_connections; SELECT count(*) FROM pg_stat_activity;  -- on {name}"


def _upward(value: float) -> float:
    return float(math.ceil(value))


def _trajectory(
    case: Case,
    found: Bound,
    resource: str | None,
    *,
    title: str,
    metric_name: str,
    how: str,
    last: Link,
    make_safe: str,
    cited: Sequence[Evidence | Reading | None] = (),
    more: Sequence[str] = (),
    source: str | None = None,
) -> Trajectory:
    place = found.changed.place
    line = quote(case, place.file, place.line, side=place.side)
    mine = own_workloads(case)
    known = resource or (mine[0].id if mine else case.repository)
    was = f"goes from {found.old:g} to" if found.old is not None else "is now"
    rate = request_rate(case, source or known)
    said = f"{short(case, source or known)} works in production" + (f" at up to {rate.value:,.3g} a second" if rate else "")
    evidence = [c for c in (rate, *cited, *last.evidence) if c is not None]
    met = exposure(said, *evidence) if resource else unknown(
        Role.EXPOSURE, said, "Which resource in production has this bound?", "aws lambda list-functions; kubectl get deploy -A", rate
    )  # fmt: skip
    return Trajectory(
        title=title,
        impact=Impact.HIGH,
        resource=ResourceId(known),
        metric=metric_name,
        links=(trigger(f"`{found.changed.name}` {was} {f'{found.new:g}' if found.new is not None else 'no bound'}", line), mechanism(how, line), met, last),
        make_safe=make_safe,
        path=tuple(ResourceId(r) for r in dict.fromkeys((known, *more))),
        undo=f"Set `{found.changed.name}` back" + (f" to {found.old:g}" if found.old is not None else "") + " and deploy.",
    )
