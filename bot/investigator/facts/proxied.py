"""How long what stands behind a proxy takes: by the proxy's own measurements, those of the service, or the proxy's access log."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from bot.investigator.asking import Reading, captures, edge, log_count
from bot.investigator.case import Case
from bot.investigator.facts.callees import short
from bot.investigator.facts.latencies import Answer, Judgement, Latency, judged, latencies
from bot.investigator.facts.rates import request_rate
from bot.investigator.facts.traffic import Counted, count_of, dimensions_of
from gonogo.evidence import GraphEvidence
from gonogo.record import Record
from gonogo.resource import Edge, Relation
from heuristics.limits.changed import normal_name
from heuristics.limits.proxied import Scope

_TO = (Relation.ROUTES_TO, Relation.INVOKES, Relation.CONNECTS_TO)
_FIRST_BYTE = re.compile(r"(?i)header|first_?byte|ttfb")
_FIELDS = (
    (r"(?:uht|upstream_header_time|ttfb|time_to_first_byte|urt|upstream_response_time|backend_response_time|OriginDuration|upstream_service_time)", 1.0),
    (r"(?:rt|request_time|response_time|duration|took|elapsed|latency)", 1.0),
)  # fmt: skip
_ENOUGH_LINES = 20


class Behind(Record):
    """Whose time was judged, how that is known, and the requests a second of what the scope covers."""

    measured: str
    judgement: Judgement
    how: tuple[GraphEvidence | None, ...] = ()
    rate: Reading | None = None


def behind(case: Case, proxy: str, scope: Scope, limit_s: float, *, per_second: float | None) -> Behind:
    """What is known of the answers that a time-out of the proxy cuts off."""
    edges = case.out_of(proxy, *_TO)
    meant = [e for e in edges if normal_name(short(case, e.target)) in {normal_name(n) for n in scope.names}]
    if scope.is_everything or (not meant and len({e.target for e in edges}) == 1):
        meant = list(edges)
    rate = _rate(case, proxy, scope, meant)
    mean = rate.mean.value if rate is not None else per_second
    own = _of_scope(case, latencies(case, proxy), scope, is_sole=len({e.target for e in edges}) <= 1)
    first_bytes = [one for one in own if _FIRST_BYTE.search(one.series.metric)]
    for found in (first_bytes, own):
        judgement = _judged(found, limit_s, scope, mean)
        if judgement.answer in (Answer.EXCEEDED, Answer.FITS):
            return Behind(proxy, judgement, (), rate.peak if rate is not None else None)
    answers = [(e, _judged(_of_service(case, e.target, scope), limit_s, scope, mean)) for e in meant]
    settled = _settled(answers)
    if settled is not None:
        edge_, judgement = settled
        return Behind(
            edge_.target,
            judgement,
            (edge(case, edge_.source, edge_.target, edge_.relation),),
            rate.peak if rate is not None else None,
        )
    logged = _logged(case, proxy, scope, limit_s)
    close = next((j for j in (_judged(own, limit_s, scope, mean), *(j for _, j in answers)) if j.answer is Answer.CLOSE), logged)
    return Behind(proxy, logged if logged.answer is not Answer.UNREAD else close, (), rate.peak if rate is not None else None)


def _settled(answers: Sequence[tuple[Edge, Judgement]]) -> tuple[Edge, Judgement] | None:
    """One service that takes longer settles it; that everything fits only when all of them do."""
    worst = next(((e, j) for e, j in answers if j.answer is Answer.EXCEEDED), None)
    if worst is not None:
        return worst
    if answers and all(j.answer is Answer.FITS for _, j in answers):
        return max(answers, key=lambda pair: pair[1].reading.value if pair[1].reading else 0.0)
    return None


def _judged(found: Sequence[Latency], limit_s: float, scope: Scope, mean: float | None) -> Judgement:
    """The labelled series of the scope stand for themselves; of everything behind the proxy each label is judged by itself."""
    groups: dict[str, list[Latency]] = {}
    for one in found:
        groups.setdefault(one.labels if scope.is_everything else "", []).append(replace(one, labels=""))
    judgements = [judged(group, limit_s, per_second=mean) for group in groups.values()]
    for answer in (Answer.EXCEEDED, Answer.CLOSE):
        one = next((j for j in judgements if j.answer is answer), None)
        if one is not None:
            return one
    fits = [j for j in judgements if j.answer is Answer.FITS]
    return max(fits, key=lambda j: j.reading.value if j.reading else 0.0) if fits else Judgement(Answer.UNREAD)


def _of_scope(case: Case, found: Iterable[Latency], scope: Scope, *, is_sole: bool) -> list[Latency]:
    every = list(found)
    if scope.is_everything:
        return every
    named = [one for one in every if one.labels and _is_of(scope, one.labels)]
    del case
    return named or [one for one in every if not one.labels and is_sole]


def _of_service(case: Case, service: str, scope: Scope) -> list[Latency]:
    """The service's own times: of the routes that the proxy sends there, where they are told apart."""
    own = latencies(case, service, outgoing=False)
    by_path = [one for one in own if one.labels and scope.paths and _has_path(scope, one.labels)]
    if by_path:
        return by_path
    bare = [one for one in own if not one.labels]
    return bare or list(own if scope.is_everything else ())


def _is_of(scope: Scope, labels: str) -> bool:
    values = dimensions_of(labels).values()
    wanted = {normal_name(n) for n in scope.names}
    return any(scope.has_path(v) or normal_name(re.split(r"[.:@|]", v)[0]) in wanted for v in values)


def _has_path(scope: Scope, labels: str) -> bool:
    return any(scope.has_path(v) for v in dimensions_of(labels).values())


def _rate(case: Case, proxy: str, scope: Scope, meant: Sequence[Edge]) -> Counted | None:
    """Requests a second of the scope, at the proxy or at the one service that it is for."""
    matches: Callable[[str], bool] = (lambda _: True) if scope.is_everything else lambda labels: _is_of(scope, labels)
    for resource in (proxy, *(e.target for e in meant[:1])):
        found = [
            c
            for s in case.production.series_of(resource)
            if "{" in s.metric and matches(s.metric) and (c := count_of(s)) is not None
        ]
        if found:
            return max(found, key=lambda c: c.mean.value)
        if resource != proxy and request_rate(case, resource) is not None:
            return next((c for s in case.production.series_of(resource) if (c := count_of(s)) is not None), None)
    return None


def _logged(case: Case, proxy: str, scope: Scope, limit_s: float) -> Judgement:
    """Times in the access log, for the paths of the scope; lines are a sample, so only the median and a wide margin decide."""
    paths = [re.escape(p.rstrip("/*").partition("{")[0]) for p in sorted(scope.paths)] or [""]
    for path in paths:
        for fields, _ in _FIELDS:
            for unit, factor in ((r"ms\b", 1e-3), (r"s?\b(?!ms)", 1.0)):
                tried = (
                    rf"(?i)\b(?:GET|POST|PUT|PATCH|DELETE) \S*{path}.*?\b{fields}[\"']?[=:]\s?[\"']?(?P<took>\d+(?:\.\d+)?){unit}"
                )
                judgement = _of_lines(case, proxy, tried, factor, limit_s)
                if judgement.answer is not Answer.UNREAD:
                    return judgement
    return Judgement(Answer.UNREAD)


def _of_lines(case: Case, proxy: str, tried: str, factor: float, limit_s: float) -> Judgement:
    counted = log_count(case, proxy, tried)
    usual, slowest = (captures(case, proxy, tried, "took", s, factor=factor, unit="s") for s in ("p50", "max"))
    if counted is None or usual is None or slowest is None or counted.count < _ENOUGH_LINES:
        return Judgement(Answer.UNREAD)
    if usual.value > limit_s:
        return Judgement(Answer.EXCEEDED, usual, "median", f"at least half of the {counted.count} logged answers", slowest)
    if slowest.value <= limit_s / 3:
        return Judgement(Answer.FITS, slowest, "slowest logged")
    return Judgement(Answer.CLOSE, slowest, "slowest logged")
