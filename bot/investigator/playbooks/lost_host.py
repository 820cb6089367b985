"""A host name leaves a certificate, a route or the DNS while people still come for it."""

from collections.abc import Iterator, Sequence
from typing import cast

from bot.investigator.asking import edge, quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import Cited, compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.hosts import HostTraffic, answering, host_traffic, lacking
from bot.investigator.facts.traffic import per_second
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import ConfigEvidence, Evidence
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.access.hosts import LostHost, Named, lost_hosts, named_in, secrets_of

INFO = PlaybookInfo(id="lost-host", question="Does anybody still come for the host name that goes?")

_MOST = 20
_TLS_KEYS = (
    "tls_secret", "tls_secrets", "tls_secret_name", "secret_name", "tls", "certificate", "certificates", "certificate_arn", "certificate_arns",
    "acm_certificate_arn", "ssl_certificates", "tls.secret_name",
)  # fmt: skip


class _User:
    """What uses the certificate for the host, and what says so."""

    def __init__(self, resource: Resource, proofs: Sequence[Evidence]) -> None:
        self.resource, self.proofs = resource, tuple(proofs)


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a host that leaves; hosts that something still answers for are told together."""
    kept: dict[str, list[LostHost]] = {}
    for lost in case.diff.once(lost_hosts)[:_MOST]:
        if lost.covered_by is not None:
            kept.setdefault(lost.declared.address, []).append(lost)
            continue
        found = _chain(case, lost)
        if found is not None:
            yield found
    for together in kept.values():
        found = _covered(case, together)
        if found is not None:
            yield found


def _covered(case: Case, together: Sequence[LostHost]) -> Trajectory | None:
    live = case.live_of(together[0].declared)
    known = [lost for lost in together if lost.covered_by is not None and answering(case, lost.host)]
    lost = next(iter(known), together[0])
    if lost.covered_by is None or lost.is_all_gone or (live is None and not known):
        return None
    by = lost.covered_by
    at = quote(case, by.declared.file, _line_of(case, by))
    claim = f"{lost.host} would not be answered for; {by.host} in {by.declared.file} line {at.line} covers it"
    link = harm(claim, refuting=(at,), refutation=Refutation.UNCHANGED)
    return _told(case, lost, [link], (), live, is_safe=True)


def _line_of(case: Case, named: Named) -> int:
    lines = (case.diff.head.text(named.declared.file) or "").split("\n")
    spot = range(max(1, named.line), min(len(lines), named.declared.end_line + 1) + 1)
    return next((n for n in spot if named.host in lines[n - 1].lower()), named.line)


def _chain(case: Case, lost: LostHost) -> Trajectory | None:
    live = case.live_of(lost.declared)
    if lost.what in ("certificate", "tls"):
        users = _users(case, lost, live)
        owners = tuple(u.resource for u in users)
    else:
        users = []
        owners = (live,) if live is not None else ()
    traffic = host_traffic(case, lost.host, owners)
    links = _links(case, lost, live, users, traffic)
    if links is None:
        return None
    return _told(case, lost, links, _path(users, traffic), users[0].resource if users else live, is_safe=_is_safe(links))


def _users(case: Case, lost: LostHost, live: Resource | None) -> list[_User]:
    """Who answers for the host with this certificate: by a live edge, a live setting, or a manifest at head."""
    found: list[_User] = []
    for resource, listed in answering(case, lost.host):
        proofs: list[Evidence] = [listed]
        if live is not None and resource.id != live.id:
            joined = [e for e in (*case.out_of(resource.id), *case.into(resource.id)) if live.id in (e.source, e.target)]
            proofs += [shown for e in joined if (shown := edge(case, e.source, e.target, e.relation)) is not None]
        proofs += [c for key in _TLS_KEYS if (c := _holds(resource, key, lost.secrets)) is not None]
        proofs += [quote(case, one.declared.file, one.line) for one in _declared_users(case, lost, resource)]
        if len(proofs) > 1 or (live is not None and resource.id == live.id):
            found.append(_User(resource, proofs))
    return found


def _holds(resource: Resource, key: str, secrets: Sequence[str]) -> ConfigEvidence | None:
    value = resource.attributes.get(key)
    texts = cast("list[object]", value) if isinstance(value, list | tuple) else [value]
    wanted = {s.rpartition("/")[2] for s in secrets}
    is_held = any(isinstance(t, str) and t.rpartition("/")[2] in wanted for t in texts)
    return ConfigEvidence(resource=resource.id, key=key, value=value) if is_held else None


def _declared_users(case: Case, lost: LostHost, resource: Resource) -> Iterator[Named]:
    for declared in case.diff.declared["head"].resources:
        found = case.live_of(declared)
        if found is None or found.id != resource.id or not set(secrets_of(declared)) & set(lost.secrets):
            continue
        one = next((n for n in named_in(declared) if n.host == lost.host), None)
        if one is not None:
            yield one


def _links(case: Case, lost: LostHost, live: Resource | None, users: Sequence[_User], traffic: HostTraffic) -> list[Link] | None:
    links: list[Link] = []
    is_tied = lost.what not in ("certificate", "tls") or bool(users)
    if users and lost.what in ("certificate", "tls"):
        names = ", ".join(u.resource.name for u in users[:3])
        claim = f"{names} answers for {lost.host} with this certificate, and clients refuse the name from the next issue on"
        links.append(mechanism(claim, *users[0].proofs))
    used, best = traffic.is_used, traffic.busiest
    if used is False and best is not None:
        claim = f"{lost.host} would be missed; nobody came for it in {best.counted.days:.2g} days"
        cited = [c.counted.peak for c in traffic.calls[:3]]
        return [*links, harm(claim, *cited, comparison=compare(best.counted.peak.value, ">", 0))]
    how = "fails the check of its certificate" if lost.what in ("certificate", "tls") else "finds nobody who answers"
    if used and is_tied:
        if best is not None:
            counted = best.counted
            links.append(exposure(f"{lost.host} is called {per_second(counted.peak.value)} at its peak", counted.peak))
            claim = f"{lost.host} is called {per_second(counted.mean.value)} on average and {how}"
            return [*links, harm(claim, counted.mean, best.recent, comparison=compare(counted.mean.value, ">", 0))]
        if traffic.lines is not None:
            claim = f"{traffic.lines.count} sampled requests are for {lost.host}; it {how}"
            return [*links, harm(claim, traffic.lines, comparison=compare(traffic.lines.count, ">", 0, "sampled requests"))]
    if (gone := _nobody(case, lost, live)) and used is None:
        claim = (
            f"{lost.host} would be missed; what uses {lost.declared.name or lost.declared.address} answers for other hosts only"
        )
        return [*links, harm(claim, refuting=gone)]
    if not users and used is None and (live is None or not answering(case, lost.host)):
        return None  # nothing in production knows the host
    cited = [best.counted.mean] if best is not None else []
    return [*links, _ask(lost, *cited)]


def _nobody(case: Case, lost: LostHost, live: Resource | None) -> list[ConfigEvidence]:
    """The lists of everything that is joined to the certificate, when none has the host."""
    if live is None or lost.what != "certificate":
        return []
    joined = [*(e.source for e in case.into(live.id)), *(e.target for e in case.out_of(live.id))]
    known = [r for one in dict.fromkeys(joined) if (r := case.production.resource(one)) is not None]
    users = [r for r in known if not r.kind.startswith(("github", "team"))]
    lists = [c for r in users if (c := lacking(case, r, lost.host)) is not None and c.absent]
    return lists if users and len(lists) == len(users) else []


def _ask(lost: LostHost, *cited: Cited) -> Link:
    query = f"openssl s_client -connect {lost.host}:443 -servername {lost.host} </dev/null | openssl x509 -noout -ext subjectAltName; requests by host over 7 days"
    return unknown(
        Role.HARM, f"{lost.host} is not answered for any more", f"Does anybody still come for {lost.host}?", query, *cited
    )


def _is_safe(links: Sequence[Link]) -> bool:
    return any(link.refuting or (link.comparison is not None and not link.comparison.holds()) for link in links)


def _path(users: Sequence[_User], traffic: HostTraffic) -> tuple[ResourceId, ...]:
    seen = [ResourceId(c.resource) for c in traffic.calls] + [u.resource.id for u in users]
    return (*seen, *((traffic.lines.resource,) if traffic.lines is not None else ()))


def _told(
    case: Case, lost: LostHost, links: Sequence[Link], path: Sequence[ResourceId], resource: Resource | None, *, is_safe: bool
) -> Trajectory:
    live = case.live_of(lost.declared)
    target = resource.id if resource is not None else path[0] if path else case.repository
    more = [ResourceId(e.resource) for link in links for e in (*link.evidence, *link.refuting) if isinstance(e, ConfigEvidence)]
    name = lost.declared.name or lost.declared.address
    where = {
        "certificate": f"the certificate {name}",
        "tls": f"the TLS block of {name}",
        "route": name,
        "address": f"the DNS name of {name}",
    }[lost.what]
    is_covered = any(link.refutation is not None for link in links)
    is_open = any(link.question for link in links)
    safe = "and is still answered for" if is_covered else "and nobody misses it"
    end = safe if is_safe else "and may be in use" if is_open else "while it is in use"
    return Trajectory(
        title=f"{lost.host} leaves {where} {end}",
        impact=Impact.LOW if is_safe else Impact.HIGH,
        resource=target,
        metric="RequestCount",
        links=(trigger(f"{lost.host} leaves {where}", *quote_removed(case, lost.place.file, lost.place.line)), *links),
        make_safe=f"Move what comes for {lost.host} elsewhere first, and take the name away when nobody has come for it for a week.",
        undo="Put the name back and apply; a certificate is then issued anew, which takes minutes.",
        path=tuple(dict.fromkeys((target, *((live.id,) if live is not None else ()), *path, *more))),
    )
