"""A bigger pool of clients behind a pooler: the database sees the pooler's connections, so the clients are held against what the pooler takes."""

from bot.investigator.asking import config, edge, metric, number
from bot.investigator.case import Case
from bot.investigator.chain import Cited
from bot.investigator.chains.more_instances import processes_of
from bot.investigator.chains.room import Held, chain_of_bound, last_of
from bot.investigator.facts.callees import workload_of
from bot.investigator.facts.connections import connections_of, instances_of
from gonogo.pattern import pattern
from gonogo.resource import Relation, Resource
from gonogo.trajectory import Trajectory
from heuristics.limits.concurrency import Bound

_POOLER = pattern(
    r"(?i)(?:^|.*[^a-z])(pgbouncer|pgcat|odyssey|proxysql|supavisor|pooler|rds\.?(?:db)?_?proxy|db_?proxy|maxscale|hyperdrive|pgpool)(?![a-z]).*"
)
_CLIENTS = ("max_client_conn", "max_client_connections", "client_max_connections", "max_clients", "max_connections")
_SERVERS = ("max_db_connections", "default_pool_size", "pool_size", "max_server_connections")
_MULTIPLEXED = ("transaction", "statement")
_OPEN_CLIENTS = (pattern(r"(?i).*client.*(active|open|total)?.*connections.*|.*cl_active.*"),)


def chain_behind_pooler(case: Case, found: Bound) -> Trajectory | None:
    """The chain of a raised pool whose workload connects to exactly one pooler that shares connections; None for all others."""
    workload = workload_of(case, found.changed.file)
    pooler = _pooler(case, workload) if workload is not None else None
    if workload is None or pooler is None or found.new is None or found.old is None:
        return None
    mode = config(case, pooler.id, "pool_mode", "pooling_mode", "mode")
    takes = number(case, pooler.id, *_CLIENTS)
    if mode is None or str(mode.value).lower() not in _MULTIPLEXED or takes is None or takes.value <= 0:
        return None
    copies, copied = instances_of(case, pooler)
    count, counted = instances_of(case, workload)
    mine = found.new * count * processes_of(case)[0]
    open_now = metric(case, pooler.id, _OPEN_CLIENTS, "max")
    level = open_now.evidence.value if open_now is not None and open_now.evidence.kind == "metric" else 0.0
    both, limit = 2 * mine + level, takes.value * copies
    claim = f"{count:g} instances with a pool of {found.new:g} are {mine:g} clients, {both:g} while they are exchanged; {pooler.name} takes {limit:g}"
    held = None
    if mine > limit or both <= limit:
        observed = mine if mine > limit else both
        held = Held(claim, observed, limit, "connections", (takes, copied, counted, mode, open_now, *_behind(case, pooler)), is_certain=found.fills_at_start, resource=pooler.id)  # fmt: skip
    return chain_of_bound(
        case, found, pooler.id, title=f"{workload.name} has more clients than {pooler.name} takes", metric_name="client_connections",
        how=f"{pooler.name} gives a connection of the database to a client for one {mode.value} at a time, and refuses clients beyond its own limit",
        last=last_of(held, claim, f"How many clients does {pooler.name} have at the peak?", "SHOW CLIENTS; SHOW POOLS;  -- on the pooler", takes, mode),
        make_safe=f"Keep instances × pool below {limit:g}, or raise the pooler's own limit first.",
        cited=(edge(case, workload.id, pooler.id, Relation.CONNECTS_TO),), more=(workload.id,), source=workload.id,
    )  # fmt: skip


def _pooler(case: Case, workload: Resource) -> Resource | None:
    """The one pooler that the workload connects to; None when it connects to a database itself, too."""
    targets = [r for e in case.out_of(workload.id, Relation.CONNECTS_TO) if (r := case.production.resource(e.target)) is not None]
    poolers = [r for r in targets if is_pooler(r)]
    beside = [r for r in targets if case.production.database(r.id) is not None]
    return poolers[0] if len(poolers) == 1 and not beside else None


def is_pooler(resource: Resource) -> bool:
    """By its kind, its name, or the settings that only poolers have."""
    return (
        _POOLER.fullmatch(resource.kind) is not None
        or _POOLER.fullmatch(resource.name) is not None
        or {"pool_mode", "max_client_conn"} <= resource.attributes.keys()
    )


def _behind(case: Case, pooler: Resource) -> tuple[Cited, ...]:
    """The connections that the pooler itself opens, and those that are open at the database."""
    databases = [e.target for e in case.out_of(pooler.id, Relation.CONNECTS_TO)]
    room = connections_of(case, databases[0]) if len(databases) == 1 else None
    return (number(case, pooler.id, *_SERVERS), room.peak if room is not None else None)
