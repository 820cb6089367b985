"""More copies of a workload, each with a pool of its own, against the connections that the database takes."""

import math

from bot.investigator.asking import quote_place
from bot.investigator.case import Case
from bot.investigator.chains.room import NEAR, Held, live_of
from bot.investigator.facts.callees import Callee, databases, short, workload_of
from bot.investigator.facts.connections import Connections, connections_of, instances_of, open_connections
from bot.investigator.facts.headroom import copies
from gonogo.evidence import Evidence, FileEvidence
from gonogo.record import Record
from gonogo.resource import Resource
from heuristics.limits.concurrency import Bound, Bounds, scales_by_itself
from heuristics.limits.pool_floor import pool_floor
from heuristics.limits.pools import Shape, pool_shape

_SURGE = 0.25
"""What a rolling update of Kubernetes adds to the copies while it runs, unless it is told otherwise."""


class Grown(Record):
    """What more copies come to: who grows, on which database, and the comparison; `held` is None when a number is missing."""

    workload: Resource
    user: Callee
    room: Connections
    held: Held | None
    claim: str


def grown(case: Case, found: Bound) -> Grown | None:
    """None where no live workload, no sole database or no way to count is known: then there is nothing concrete to tell."""
    declared, new = found.changed.declared, found.new
    if new is None or found.old is None or _is_overridden(case, found):
        return None
    if found.bounds is Bounds.INSTANCES and scales_by_itself(case.diff, declared, "replicas"):
        return None
    workload = _workload(case, found)
    mine = [u for u in databases(case) if workload is not None and u.caller.id == workload.id]
    if workload is None or len({u.target for u in mine}) != 1:
        return None
    user, room = mine[0], connections_of(case, mine[0].target)
    if room.most is None:
        return None
    count, counted = _today(case, found, workload)
    shape = pool_shape(case.diff)
    if shape.has_pooler:
        return None
    lines = tuple(quote_place(case, p) for p in shape.places)
    kept = _kept_open(case, found, Grown(workload, user, room, None, ""), count, counted)
    if kept is not None:
        return kept
    return _judged(case, found, Grown(workload, user, room, None, ""), count, counted, shape, lines)


def _judged(
    case: Case, found: Bound, about: Grown, count: float, counted: Evidence | None, shape: Shape, lines: tuple[FileEvidence, ...]
) -> Grown | None:
    workload, user, room = about.workload, about.user, about.room
    new, most, peak = found.new or 0.0, room.most or 0.0, room.peak
    least = open_connections(case, user.target, "min")
    is_flat = peak is not None and least is not None and least.value >= peak.value * NEAR and _is_sole(case, user)
    has_reached = found.bounds is Bounds.INSTANCES or count >= (found.old or 0.0) * NEAR
    name = short(case, user.target)
    surge = new * 2 if workload.kind.startswith("aws.ecs") else new + math.ceil(new * _SURGE)
    each = shape.each
    if each is not None and (peak is None or peak.value <= each * count / NEAR or not is_flat):
        others = max(0.0, peak.value - each * count) if peak is not None else 0.0
        is_all = peak is not None and each * count * NEAR <= peak.value <= each * count / NEAR
        is_full = is_all or (shape.fills and peak is not None and peak.value >= each * count * NEAR)
        claim = f"{new:g} copies of {workload.name} with {_said(shape)} hold up to {each * new:,.0f} connections" + (
            f", others {others:,.0f}" if others else ""
        )
        fits = each * surge + others <= most
        observed = each * (surge if fits else new) + others
        claim += f", {each * surge:,.0f} while a new version rolls out" if fits else ""
        is_certain = is_full and has_reached and counted is not None
        cited = (peak, room.limit, counted, *lines)
    elif peak is not None and count > 0:
        observed = peak.value / count * new
        fits = peak.value / count * surge <= most * NEAR
        observed = peak.value / count * surge if fits else observed
        claim = (
            f"{count:g} copies of {workload.name} hold {peak.value:,.0f} connections"
            + (" at any hour" if is_flat else " at the most")
            + f", so {new:g} hold {observed:,.0f}"
        )
        is_certain = is_flat and has_reached and counted is not None and count > 1
        cited = (peak, least, room.limit, counted)
    else:
        return None
    said = f"{claim}; {name} takes {most:,.0f}"
    if not fits and observed <= most:
        if each is None:
            return None
        close = Held(said, observed, most, "connections", cited, is_certain=False, resource=user.target, is_close=True)
        return Grown(workload, user, room, close, claim)
    return Grown(
        workload, user, room, Held(said, observed, most, "connections", cited, is_certain=is_certain, resource=user.target), claim
    )


def _kept_open(case: Case, found: Bound, about: Grown, count: float, counted: Evidence | None) -> Grown | None:
    """What the copies open at their start and keep, where that alone is too much and the server shows today that they keep it."""
    floor, least = case.diff.once(pool_floor), open_connections(case, about.user.target, "min")
    new, most, room = found.new or 0.0, about.room.most or 0.0, about.room
    if floor is None or least is None or counted is None or new * floor.value <= most:
        return None
    if found.bounds is not Bounds.INSTANCES or count <= 1 or least.value < count * floor.value * NEAR:
        return None
    claim = f"{new:g} copies of {about.workload.name} open {floor.value:g} connections each at their start and keep them: {new * floor.value:,.0f}"
    said = f"{claim}; {short(case, about.user.target)} takes {most:,.0f}, and {count:g} copies never had fewer than {least.value:,.0f}"
    cited = (least, room.peak, room.limit, counted, quote_place(case, floor.place))
    held = Held(said, new * floor.value, most, "connections", cited, is_certain=True, resource=about.user.target)
    return Grown(about.workload, about.user, room, held, claim)


def _said(shape: Shape) -> str:
    pool = shape.pool.value if shape.pool is not None else 0
    return f"a pool of {pool:g}" + (f" in each of {shape.processes.value:g} processes" if shape.processes is not None else "")


def _today(case: Case, found: Bound, workload: Resource) -> tuple[float, Evidence | None]:
    """How many copies run: as a metric shows at the peak, as production is configured, else what base says."""
    ran = copies(case, workload.id)
    if ran is not None and ran.value > 0:
        return ran.value, ran.evidence
    count, counted = instances_of(case, workload)
    return (count, counted) if counted is not None else (found.old or 1.0, None)


def _workload(case: Case, found: Bound) -> Resource | None:
    live = live_of(case, found)
    own = case.production.resource(live) if live is not None else None
    if own is not None and any(u.caller.id == own.id for u in databases(case)):
        return own
    declared = found.changed.declared
    for key in ("target", "resource_id", "name"):
        target = declared.settings.get(key) if declared is not None else None
        named = [
            u.caller for u in databases(case) if target is not None and u.caller.name == str(target.value).rpartition("/")[2]
        ]
        if named:
            return named[0]
    return workload_of(case, found.changed.file)


def _is_sole(case: Case, user: Callee) -> bool:
    """Whether no other resource is known to use the database."""
    return {e.source for e in case.into(user.target) if not e.source.startswith(("github:", "team:"))} <= {user.caller.id}


def _is_overridden(case: Case, found: Bound) -> bool:
    """Whether a values file of production sets what a default file changes."""
    declared = found.changed.declared
    if declared is None or declared.environment is not None or not declared.kind.startswith("helm."):
        return False
    sides = case.diff.declared.get("head")
    return any(
        d.address == declared.address
        and d.kind == declared.kind
        and (d.environment or "").startswith(("prod", "live"))
        and found.changed.key in d.settings
        for d in (sides.resources if sides else ())
    )


def processes_of(case: Case) -> tuple[float, tuple[Evidence, ...]]:
    """Processes of one instance and the lines that say so; one when nothing does."""
    shape = pool_shape(case.diff)
    if shape.processes is None:
        return 1.0, ()
    return shape.processes.value, tuple(quote_place(case, p) for p in shape.processes.places)


def pool_of_process(case: Case) -> tuple[float, tuple[Evidence, ...]]:
    """Connections that one process may hold and the lines that say so; one when nothing does."""
    shape = pool_shape(case.diff)
    if shape.pool is None or shape.has_pooler:
        return 1.0, ()
    return shape.pool.value, tuple(quote_place(case, p) for p in shape.pool.places)
