"""A DNS record points elsewhere or goes: is the new target ready, and how long does the way back take?"""

from collections.abc import Iterator

from bot.investigator.asking import metric, quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import Cited, compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.hosts import HostTraffic, host_traffic
from bot.investigator.facts.traffic import per_second, traffic_of
from bot.investigator.playbook import PlaybookInfo
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.access import MovedRecord, moved_records

INFO = PlaybookInfo(id="moved-dns", question="Does the new target serve, and how fast can the record be turned back?")

LONG_TTL_S = 3600
"""Above this the way back takes longer than an incident should."""


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for every record that moves or goes."""
    for moved in case.diff.once(moved_records):
        yield _chain(case, moved)


def _chain(case: Case, moved: MovedRecord) -> Trajectory:
    zone = _zone(case, moved)
    old = _behind(case, moved.old_target, zone)
    new = _behind(case, moved.new_target, None) if moved.new_target else None
    traffic = host_traffic(case, _host(moved, zone)) if not moved.new_target else None
    gone = _gone(case, moved, traffic, zone) if traffic is not None else []
    links = [*_kept(case, moved), *_exposed(case, moved, old), *(gone or _served(case, moved, new))]
    target = zone.id if zone is not None else old.id if old is not None else case.repository
    safe = any(link.refuting or (link.comparison is not None and not link.comparison.holds()) for link in links)
    seen = [ResourceId(c.resource) for c in traffic.calls] if traffic is not None else []
    seen += [traffic.lines.resource] if traffic is not None and traffic.lines is not None else []
    where = f"from {moved.old_target} to {moved.new_target}" if moved.new_target else f"from {moved.old_target} to nothing"
    return Trajectory(
        title=f"{moved.name} moves {where}",
        impact=Impact.LOW if safe else Impact.HIGH,
        resource=target,
        metric="RequestCount",
        links=(
            trigger(
                f"{moved.name} pointed to {moved.old_target} and points {('to ' + moved.new_target) if moved.new_target else 'nowhere'}",
                *_lines(case, moved),
            ),
            *links,
        ),
        make_safe="Lower the TTL first, verify the new target with real traffic (a weight, or a host override), and raise the TTL when it has proved itself.",
        undo=f"Point the record back; resolvers keep the answer for up to {moved.new_ttl_s or moved.old_ttl_s or 300:g} s.",
        path=tuple(dict.fromkeys(r for r in (target, old.id if old else None, new.id if new else None, *seen) if r is not None)),
    )


def _kept(case: Case, moved: MovedRecord) -> list[Link]:
    if moved.after is None or moved.new_ttl_s is None:
        return []
    setting = moved.after.settings.get("ttl")
    place = moved.after.place(setting, "head")
    claim = f"resolvers keep the new answer for {moved.new_ttl_s:g} s, so the way back takes as long"
    return [mechanism(claim, quote(case, place.file, place.line))]


def _exposed(case: Case, moved: MovedRecord, old: Resource | None) -> list[Link]:
    rate = traffic_of(case, old.id) if old is not None else None
    if old is None or rate is None:
        return []
    return [exposure(f"{old.name}, where {moved.name} points today, is called {per_second(rate.value)} at its peak", rate)]


def _host(moved: MovedRecord, zone: Resource | None) -> str:
    """The whole host name: records may be written relative to their zone."""
    name = moved.name.rstrip(".").lower()
    root = zone.name.rstrip(".").lower() if zone is not None and "." in zone.name else ""
    if not root or name == root or name.endswith("." + root):
        return name
    return root if name in ("@", "") else f"{name}.{root}"


def _gone(case: Case, moved: MovedRecord, traffic: HostTraffic, zone: Resource | None) -> list[Link]:
    """A record that goes: whether anybody still resolves the host or comes for it."""
    host, best = _host(moved, zone), traffic.busiest
    if moved.covered_by is not None:
        at = quote(case, moved.covered_by.file, moved.covered_by.line)
        claim = f"{host} cannot be resolved any more; {moved.covered_by.name} answers for it with the same target"
        return [harm(claim, refuting=(at,), refutation=Refutation.UNCHANGED)]
    if traffic.is_used is False and best is not None:
        claim = f"{host} would be missed; nobody resolved it or came for it in {best.counted.days:.2g} days"
        cited = [c.counted.peak for c in traffic.calls[:4]]
        return [harm(claim, *cited, comparison=compare(best.counted.peak.value, ">", 0))]
    if traffic.is_used and best is not None:
        what = "resolved" if best.is_queries else "called"
        claim = f"{host} is {what} {per_second(best.counted.mean.value)} on average and leads nowhere from now on"
        return [harm(claim, best.counted.mean, best.recent, comparison=compare(best.counted.mean.value, ">", 0))]
    if traffic.lines is not None:
        claim = f"{traffic.lines.count} sampled requests are for {host}, which leads nowhere from now on"
        return [harm(claim, traffic.lines, comparison=compare(traffic.lines.count, ">", 0, "sampled requests"))]
    query = f"count the DNS queries of {host} over 7 days (resolver query log)"
    claim, question = f"{host} cannot be resolved any more", f"Does anybody still resolve {host}?"
    return [unknown(Role.HARM, claim, question, query, best.counted.mean if best is not None else None)]


def _served(case: Case, moved: MovedRecord, new: Resource | None) -> list[Link]:
    if new is not None:
        healthy = metric(case, new.id, ("HealthyHostCount", "healthy_hosts", "kube_deployment_status_replicas_ready"), "max")
        if healthy is not None and healthy.value <= 0:
            claim = f"{new.name} has no healthy host, so {moved.name} answers with errors"
            return [harm(claim, healthy, comparison=compare(healthy, "<=", 0, "healthy hosts"))]
        rate = traffic_of(case, new.id, "mean")
        if rate is not None and rate.value > 0 and (moved.new_ttl_s is None or moved.new_ttl_s <= LONG_TTL_S):
            claim = f"{new.name} would not serve; it is called {per_second(rate.value)} on average already"
            return [harm(claim, rate, comparison=compare(rate, "<=", 0))]
    question = f"Does {moved.new_target} answer for {moved.name}, with its certificate, at today's load?"
    query = f"curl --resolve {moved.name}:443:$(dig +short {moved.new_target} | tail -1) https://{moved.name}/ -o /dev/null -w '%{{http_code}}'"
    return [unknown(Role.HARM, f"{moved.new_target} may not serve {moved.name}", question, query)]


def _behind(case: Case, target: str, zone: Resource | None) -> Resource | None:
    """The live resource that a target is: by its address, its name in the provider's host name, or the zone's only edge."""
    host = target.rstrip(".").lower()
    for resource in case.production.resources:
        known = [
            str(resource.attributes.get(k) or "").lower().rstrip(".")
            for k in ("dns_name", "domain_name", "endpoint", "hostname", "address", "ip")
        ]
        if host and (host in known or resource.id.lower() == host):
            return resource
    first = host.partition(".")[0].removeprefix("dualstack").strip(".-").removeprefix("internal-")
    for resource in case.production.resources:
        name = resource.name.lower()
        is_named = len(name) > 2 and (first == name or first.startswith(name + "-"))
        if is_named and ("." in host or host == name):
            return resource
    declared = next(
        (d for side in ("head", "base") for d in case.diff.declared[side].resources if d.address and d.address in target), None
    )
    live = case.live_of(declared)
    if live is not None:
        return live
    routed = case.out_of(zone.id) if zone is not None else ()
    return case.production.resource(routed[0].target) if len(routed) == 1 else None


def _zone(case: Case, moved: MovedRecord) -> Resource | None:
    live = case.live_of(moved.before)
    if live is not None:
        return live
    written = moved.before.settings.get("zone") or moved.before.settings.get("zone_id")
    zones = [r for r in case.production.resources if r.kind.endswith((".zone", ".hosted_zone", ".managed_zone", ".dns_zone"))]
    for zone in zones:
        if written is not None and isinstance(written.value, str) and written.value and zone.id.endswith(written.value):
            return zone
    name = moved.name.rstrip(".")
    named = [z for z in zones if name == z.name.rstrip(".") or name.endswith("." + z.name.rstrip("."))]
    return max(named, key=lambda z: len(z.name), default=zones[0] if len(zones) == 1 else None)


def _lines(case: Case, moved: MovedRecord) -> tuple[Cited, ...]:
    if moved.after is None:
        return quote_removed(case, moved.before.file, moved.before.line)
    new, old = moved.after.place(moved.change.new, "head"), moved.before.place(moved.change.old, "base")
    return (quote(case, new.file, new.line), quote(case, old.file, old.line, side="base"))
