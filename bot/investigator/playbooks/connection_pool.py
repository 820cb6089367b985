"""Bigger and smaller connection pools against what the database takes and what is in use."""

from collections.abc import Iterator

from bot.investigator.asking import metric
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm
from bot.investigator.chains.more_instances import grown, processes_of
from bot.investigator.chains.pooled import chain_behind_pooler
from bot.investigator.chains.room import NEAR, Held, ask_use, busiest, by_measure, chain_of_bound, chain_of_held, live_of
from bot.investigator.facts.callees import Callee, databases, short, workload_of
from bot.investigator.facts.connections import Connections, connections_of, instances_of
from bot.investigator.playbook import PlaybookInfo
from gonogo.pattern import pattern
from gonogo.resource import Resource
from gonogo.trajectory import Link, Trajectory
from heuristics.limits.concurrency import Bound, Bounds, changed_bounds

INFO = PlaybookInfo(
    id="connection-pool", question="Does the database have that many connections, or the pool as many as are in use?"
)

_WAITING = pattern(
    r"(?i).*(pool|connections?|hikaricp).*(pending|waiting|waiters?|queued?).*|.*(sql|db|pool|connections?|pgx|gorm).*_wait(_?count|s|ed)?(_total)?(_rate|_per_second)?"
    r"|.*(empty_?acquire|acquire_?wait|awaiting_?(connection|acquire)).*"
)


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a pool whose size changes."""
    for found in changed_bounds(case.diff):
        if found.bounds is Bounds.POOL:
            yield from _pool_raised(case, found) if found.is_raised else _pool_lowered(case, found)
        elif found.bounds is Bounds.CONNECTIONS and found.is_lowered:
            yield _fewer_connections(case, found)
        elif found.bounds in (Bounds.INSTANCES, Bounds.CEILING) and found.is_raised and (more := grown(case, found)) is not None:
            yield chain_of_held(case, found, more.user, more.held, more.room, more.workload, more.claim)


def _pool_raised(case: Case, found: Bound) -> Iterator[Trajectory]:
    behind = chain_behind_pooler(case, found)
    if behind is not None:
        yield behind
        return
    workload, user = workload_and_database(case, found)
    if workload is None or user is None or found.old is None or found.new is None:
        return
    room = connections_of(case, user.target)
    count, counted = instances_of(case, workload)
    waiting = metric(case, workload.id, [_WAITING], "max")
    wants_more = (
        found.fills_at_start
        or (waiting is not None and waiting.value > 0)
        or _is_full(room, found.old * processes_of(case)[0] * count)
    )
    processes, lines = processes_of(case)
    pools = count * processes
    others = max(0.0, (room.peak.value if room.peak else 0.0) - found.old * pools)
    total = found.new * pools + others
    both = 2 * found.new * pools + (room.peak.value if room.peak else 0.0)
    each = f"{processes:g} pools" if processes > 1 else "a pool"
    claim = f"{count:g} instances with {each} of {found.new:g} need {found.new * pools:g} connections" + (
        f", others hold {others:.0f}" if others else ""
    )
    held = None
    if room.most is not None and (total > room.most or both <= room.most):
        exceeds = total > room.most
        held = Held(f"{claim}; {short(case, user.target)} takes {room.most:g}", total if exceeds else both, room.most, "connections",
                     (room.peak, room.limit, counted, *lines), is_certain=wants_more and counted is not None, resource=user.target)  # fmt: skip
    yield chain_of_held(case, found, user, held, room, workload, claim)


def _is_full(room: Connections, held: float) -> bool:
    return room.peak is not None and room.peak.value >= held * NEAR


def _pool_lowered(case: Case, found: Bound) -> Iterator[Trajectory]:
    workload, user = workload_and_database(case, found)
    if workload is None or found.new is None:
        return
    count, counted = instances_of(case, workload)
    used = busiest(case, workload.id, "connection")
    room = connections_of(case, user.target) if user else None
    last: Link
    if used is not None:
        last = by_measure(
            case,
            f"{workload.name} uses up to {used.value:.3g} connections of a pool of {found.new:g}",
            used,
            found.new,
            "connections",
            "in use at the same time in one instance",
        )
    elif room is not None and room.peak is not None and counted is not None and room.peak.value <= found.new * count * NEAR:
        last = harm(f"{workload.name} needs more than {found.new * count:g} connections: all clients together held {room.peak.value:g}", room.peak, counted,
                    comparison=compare(room.peak.value, ">", found.new * count, "connections"))  # fmt: skip
    else:
        last = ask_use(
            f"{workload.name} needs more than {found.new:g} connections at the same time in an instance",
            workload.name,
            "connections of the pool are in use",
        )
    yield chain_of_bound(
        case, found, workload.id, title=f"Requests of {workload.name} wait for one of {found.new:g} connections", metric_name="connections_pending",
        how="work that needs a connection waits when all of the pool are in use", last=last,
        make_safe=f"Keep the pool above the measured use; {found.old:g} until then.", cited=(counted,),
    )  # fmt: skip


def _fewer_connections(case: Case, found: Bound) -> Trajectory:
    """The server itself takes fewer: held against what is open at the peak."""
    live = live_of(case, found)
    servers = case.affected_of_kind("aws.rds", "gcp.sql", "postgres", "mysql")
    if (live is None or connections_of(case, live).peak is None) and len(servers) == 1:
        live = servers[0].id
    new, name = found.new or 0.0, short(case, live) if live else "the database"
    peak = connections_of(case, live).peak if live else None
    if peak is None:
        last = ask_use(f"{name} needs more than {new:g} connections", name, "connections are open")
    else:
        last = by_measure(
            case, f"{name} has up to {peak.value:g} connections open", peak, new, "connections", "open at the same time"
        )
    return chain_of_bound(
        case, found, live, title=f"{name} refuses connections beyond {new:g}", metric_name="DatabaseConnections",
        how="a client that asks for one more is refused (53300 too many connections)", last=last,
        make_safe="Lower the pools of the clients, or put a pooler before it, first.",
    )  # fmt: skip


def workload_and_database(case: Case, found: Bound) -> tuple[Resource | None, Callee | None]:
    """The workload that holds the pool and its only database; of several workloads, those that share one database count by the largest."""
    users = databases(case)
    workload = workload_of(case, found.changed.file)
    mine = [u for u in users if workload is None or u.caller.id == workload.id]
    if len({u.target for u in mine}) != 1:
        return workload, None
    best = max(mine, key=lambda u: instances_of(case, u.caller)[0])
    return workload or best.caller, best
