"""A CORS origin or a TLS version is accepted no more: do clients still come with it?"""

import re
from collections.abc import Callable, Iterator, Sequence

from bot.investigator.asking import quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, trigger, unknown
from bot.investigator.facts.route_calls import serving
from bot.investigator.facts.traffic import Counted, counted_by, lines_like, per_second, upstream
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import LogEvidence
from gonogo.pattern import pattern
from gonogo.resource import Relation, Resource
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from heuristics.access import NarrowedTls, RemovedOrigin, narrowed_tls, removed_origins

INFO = PlaybookInfo(
    id="removed-origin", question="Do clients still come with the origin or TLS version that is accepted no more?"
)

_ORIGIN_KEYS = pattern(r"(http_?)?(origin|referer|referrer|client|host)")
_TLS_KEYS = pattern(r"(ssl_?|tls_?)?(protocol|version)|tls|ssl_protocol")


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for every origin, and for every listener that asks for a newer TLS version."""
    for removed in case.diff.once(removed_origins)[:40]:
        yield _origin(case, removed)
    for narrowed in case.diff.once(narrowed_tls)[:20]:
        yield _tls(case, narrowed)


def _origin(case: Case, removed: RemovedOrigin) -> Trajectory:
    resources = serving(case, removed.place.file)
    where = quote_removed(case, removed.place.file, removed.place.line)
    if removed.kept_by is not None:
        at = quote(case, removed.kept_by.file, removed.kept_by.line)
        links = [
            harm(
                f"{removed.origin} would be refused; {removed.kept_by.file} still allows it",
                refuting=(at,),
                refutation=Refutation.UNCHANGED,
            )
        ]
    else:
        bare = removed.origin.rstrip("/").lower()
        answers = [
            _seen(case, r, _ORIGIN_KEYS, lambda v: v.rstrip("/").lower() in (bare, bare.partition("://")[2])) for r in resources
        ]
        pattern = rf"(?i)origin[\"=:\s]+{re.escape(bare)}(?![\w.-])"
        logged = next((found for r in resources if (found := lines_like(case, r.id, pattern)) is not None), None)
        question = f"Do pages of {removed.origin} still call this API?"
        query = f"count the requests of the last 7 days with Origin: {removed.origin}"
        links = _settled(answers, logged, f"requests of pages of {removed.origin}", question, query)
    return _told(
        case,
        resources,
        title=f"{removed.origin} is an allowed origin no more",
        links=[
            trigger(
                f"{removed.origin} goes from the allowed origins ({removed.place.file} line {removed.place.line} before the change)",
                *where,
            ),
            *links,
        ],
        metric="http_requests",
        make_safe=f"Keep `{removed.origin}` until no request comes with it.",
    )


def _tls(case: Case, narrowed: NarrowedTls) -> Trajectory:
    change = narrowed.change
    resources = _behind(case, narrowed)
    place = change.declared.place(change.new, "head")
    at = quote(case, place.file, place.line)
    lost = tuple(f"1.{v[-1]}" for v in narrowed.lost)
    answers = [
        _seen(case, r, _TLS_KEYS, lambda v: any(re.fullmatch(rf"(?i)TLS[_ v]*{re.escape(one)}", v) or v == one for one in lost))
        for r in resources
    ]
    pattern = r"TLSv(?:" + "|".join(re.escape(one) for one in lost) + r")(?!\.?\d)"
    logged = next((found for r in resources if (found := lines_like(case, r.id, pattern)) is not None), None)
    versions = " and ".join(lost)
    question = f"How many clients still connect with TLS {versions}?"
    query = "fields ssl_protocol of the load balancer's access logs: SELECT ssl_protocol, count(*) FROM alb_logs GROUP BY 1"
    links = _settled(answers, logged, f"connections with TLS {versions}", question, query)
    return _told(
        case,
        resources,
        title=f"{resources[0].name if resources else change.declared.address} asks for TLS {narrowed.new} or newer",
        links=[
            trigger(
                f"{change.key} goes from {change.old.value if change.old else ''} to {change.new.value if change.new else ''}: TLS {versions} is refused",
                at,
            ),
            *links,
        ],
        metric="ClientTLSNegotiationErrorCount",
        make_safe=f"Log the TLS versions of clients first, move those with TLS {versions}, then tighten the policy.",
    )


def _seen(
    case: Case, resource: Resource, keys: re.Pattern[str], matches: Callable[[str], bool]
) -> tuple[list[Counted], list[Counted]]:
    return counted_by(case, resource.id, keys, matches)


def _settled(
    answers: Sequence[tuple[list[Counted], list[Counted]]], logged: LogEvidence | None, what: str, question: str, query: str
) -> list[Link]:
    hits = [c for found, _ in answers for c in found]
    others = [c for _, found in answers for c in found if c.total > 0]
    best = max(hits, key=lambda c: c.total, default=None)
    if best is not None and (best.total > 0 or logged is None):
        return [
            harm(
                f"{what} come {per_second(best.mean.value)} on average and are refused from now on",
                best.mean,
                logged,
                comparison=compare(best.mean, ">", 0),
            )
        ]
    if logged is not None and logged.count >= 3:
        return [
            harm(
                f"{logged.count} sampled lines are {what}; they are refused from now on",
                logged,
                comparison=compare(logged.count, ">", 0, "sampled lines"),
            )
        ]
    if len(others) >= 2:
        return [
            harm(
                f"{what} would be refused; requests are counted by it, and none is of this kind",
                refuting=[o.mean for o in others[:3]],
            )
        ]
    return [unknown(Role.HARM, f"{what} are refused from now on", question, query, logged)]


def _behind(case: Case, narrowed: NarrowedTls) -> list[Resource]:
    """The listener's load balancer (or what the setting stands on), where it is live."""
    declared = narrowed.change.declared
    live = [case.diff.live_of(declared)]
    for edge in case.diff.declared["head"].edges:
        if edge.source == declared.address and edge.relation in (Relation.DEPENDS_ON, Relation.ROUTES_TO):
            target = next((d for d in case.diff.declared["head"].resources if d.address == edge.target), None)
            live.append(case.diff.live_of(target) if target is not None else None)
    found = [r for one in live if one is not None and (r := case.production.resource(one)) is not None]
    found.sort(key=lambda r: "loadbalancer" not in r.kind)
    return (
        found
        or [r for r in case.deployed() if r.kind.startswith(("aws.elb.loadbalancer", "aws.cloudfront", "cloudflare.zone"))][:1]
    )


def _told(
    case: Case, resources: Sequence[Resource], *, title: str, links: Sequence[Link], metric: str, make_safe: str
) -> Trajectory:
    target = resources[0].id if resources else case.repository
    safe = any(link.refuting or (link.comparison is not None and not link.comparison.holds()) for link in links)
    is_open = any(link.question for link in links)
    above = [r for one in resources for u in upstream(case, one.id) if (r := case.production.resource(u)) is not None]
    return Trajectory(
        title=title
        + (
            " and nothing comes with it"
            if safe
            else " and clients may still need the old"
            if is_open
            else " and clients that need it are refused"
        ),
        impact=Impact.LOW if safe else Impact.MEDIUM if is_open else Impact.HIGH,
        resource=target,
        metric=metric,
        links=tuple(links),
        make_safe=make_safe,
        undo="Put the old value back and deploy it.",
        path=tuple(dict.fromkeys((target, *(r.id for r in (*resources, *above))))),
    )
