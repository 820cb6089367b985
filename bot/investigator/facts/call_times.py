"""How long the calls of one service to another take, wherever that is measured: at the caller, at the callee, or line by line in the logs."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.investigator.asking import Reading, captures
from bot.investigator.case import Case
from bot.investigator.facts.callees import PLAIN_NAMES, Callee, called_services, short
from bot.investigator.facts.latencies import Answer, Judgement, Latency, judged, latencies
from bot.investigator.facts.rate_limits import is_about
from bot.investigator.facts.traffic import dimensions_of
from context_graph.readings import log_window
from gonogo.pattern import pattern
from heuristics.code import is_production_code
from heuristics.limits.changed import normal_name, words_of

_ROUTE = pattern(r"/[\w\-./]+")
_LABEL_VALUES = pattern(r"=\"?([\w.\-]+)")
_INCOMING = pattern(r"(?i)(^|_|\.)(source|src|from|caller|origin|consumer|user_agent|remote_addr)(_|\.|$)")
_LINE_ROUTE = pattern(r"(?:^|[\s\"'=:])(/[A-Za-z][\w.-]*(?:/[A-Za-z][\w.-]*){0,3})")
"""The fixed beginning of a path in a log line."""
_MANY_ROUTES = 40
_ENOUGH_LINES = 40
_SLOW_ONLY = pattern(r"(?i)\bslow|threshold|exceed|took too long|longer than|over budget")
_TIMES = (
    (r"[\"']?(?:\w+_)?(?:duration|latency|elapsed|took|time|rt|response|request)_?(?:ms|millis|milliseconds)[\"']?[=: ]+[\"']?(?P<t>\d+(?:\.\d+)?)", 1e-3),
    (r"(?<![\w.])(?P<t>\d+(?:\.\d+)?) ?(?:ms|milliseconds|millis)\b", 1e-3),
    (r"\b(?:request_time|upstream_response_time|rt|urt)[=: ]+[\"']?(?P<t>\d+\.\d+)", 1.0),
    (r"\b(?:duration|latency|elapsed|took|in|after|time)(?:_s|_seconds|_secs)?[\"']?[=: ]+[\"']?(?P<t>\d+\.\d+) ?(?:s|sec|seconds)?\b", 1.0),
)  # fmt: skip
"""Where a log line tells how long a request took, and its unit in seconds."""
_REQUEST = r"(?=.*(?:\b(?:GET|POST|PUT|PATCH|DELETE|HEAD)\b|\b(?:request|call|response|status|handled|answered|served|rpc|grpc|http|outgoing|outbound|upstream|reply|replied|fetched|fetch)\b|https?://| /\w))"
"""Such a line is about a request."""


def time_of_calls(case: Case, callee: Callee, file: str, limit_s: float, *, per_second: float | None) -> Judgement:
    """What is known of the calls' time against a limit: metrics first, and log lines where there are none."""
    judgement = judged(_measured(case, callee, file), limit_s, per_second=per_second)
    return judgement if judgement.answer is not Answer.UNREAD else _logged(case, callee, limit_s)


def _measured(case: Case, callee: Callee, file: str) -> tuple[Latency, ...]:
    """What the caller measures of these calls; else the callee's own, of the routes that the code names; else what may only be them."""
    mine = latencies(case, callee.caller.id)
    about = [one for one in mine if one.labels and _is_about_calls_to(case, one, callee.target)]
    if about:
        return _of_one_kind(case, about, file)
    named = [one for one in mine if _is_named_after(case, one, callee)]
    if named:
        return tuple(replace(one, labels="") for one in named)
    own = latencies(case, callee.target, outgoing=False) or latencies(case, callee.target)
    if own:
        return _of_one_kind(case, own, file)
    sole = {other.target for other in called_services(case)} == {callee.target}
    return tuple(one for one in mine if one.is_outgoing and not one.labels) if sole else ()


def _is_about_calls_to(case: Case, one: Latency, target: str) -> bool:
    if any(_INCOMING.search(key) for key in dimensions_of(f"x{one.labels}")):
        return False
    name = normal_name(short(case, target))
    return is_about(case, f"x{one.labels}", target) or name in {
        normal_name(v.split(".")[0]) for v in _LABEL_VALUES.findall(one.labels)
    }


def _is_named_after(case: Case, one: Latency, callee: Callee) -> bool:
    """`eta_client_latency_ms` is of the calls to `eta-engine`, when no other service that is called has that word."""
    words = set(words_of(one.series.metric.partition("{")[0]))
    wanted = set(words_of(short(case, callee.target))) - PLAIN_NAMES
    others = {w for other in called_services(case) if other.target != callee.target for w in words_of(short(case, other.target))}
    mine = set(words_of(callee.caller.name))
    shared = (words & wanted) - others - mine
    return bool(shared) and not one.labels and (wanted <= words or (one.is_outgoing and any(len(w) > 2 for w in shared)))


def _of_one_kind(case: Case, found: Sequence[Latency], file: str) -> tuple[Latency, ...]:
    """Without labels where there are some without; else the routes that the code names; else all, and as one when they are of one kind."""
    if any(not one.labels for one in found):
        named = _of_named_routes(case, [one for one in found if one.labels], file)
        return named or tuple(found)
    named = _of_named_routes(case, found, file)
    if named:
        return named
    kinds = {one.labels for one in found}
    return tuple(replace(one, labels="") for one in found) if len(kinds) == 1 else tuple(found)


def _of_named_routes(case: Case, found: Sequence[Latency], file: str) -> tuple[Latency, ...]:
    routes = {route for one in found if (route := _route(one.labels)) is not None}
    if not routes:
        return ()
    text = (case.diff.head.text(file) or "")[:200_000]
    named = {route for route in routes if route in text}
    if not named:
        places = case.diff.head.search(routes)
        named = {route for route in routes if any(is_production_code(place.file) for place in places.get(route, ()))}
    return tuple(replace(one, labels="") for one in found if _route(one.labels) in named)


def _route(labels: str) -> str | None:
    """The fixed beginning of a path among the labels: `/v1/orders` of `{route=GET /v1/orders/{id}}`."""
    found = _ROUTE.search(labels)
    return found[0].rstrip("/") if found and len(found[0]) > 2 else None


# -- line by line ----------------------------------------------------------------------------------


def _logged(case: Case, callee: Callee, limit_s: float) -> Judgement:
    """Lines of the caller that name the callee; else the callee's own lines of requests. A handful of lines proves nothing."""
    name = re.escape(short(case, callee.target))
    route = _logged_route(case, callee.target)
    for resource, about in (
        (callee.caller.id, rf"(?i)(?=.*\b{name}\b){_REQUEST}"),
        (callee.target, rf"(?i){route}{_REQUEST}" if route is not None else ""),
    ):
        for tried, factor in _TIMES:
            judgement = _of_lines(case, resource, rf"{about}.*?{tried}", factor, limit_s) if about else Judgement(Answer.UNREAD)
            if judgement.answer is not Answer.UNREAD:
                return judgement
    return Judgement(Answer.UNREAD)


def _logged_route(case: Case, target: str) -> str | None:
    """The part of a pattern for lines of the routes that the code calls; empty when all lines are of one route, None when it cannot be told."""
    seen = {
        m[1].rstrip("/")
        for line in case.production.logs
        if line.resource == target and (m := _LINE_ROUTE.search(line.message[:1_000])) is not None
    }
    if len(seen) < 2:
        return ""
    if len(seen) > _MANY_ROUTES:
        return None
    places = case.diff.head.search(seen)
    named = sorted(route for route in seen if any(is_production_code(place.file) for place in places.get(route, ())))
    return rf"(?=.*(?:{'|'.join(re.escape(route) for route in named)}))" if named else None


def _of_lines(case: Case, resource: str, tried: str, factor: float, limit_s: float) -> Judgement:
    usual, high, slowest = (captures(case, resource, tried, "t", s, factor=factor, unit="s") for s in ("p50", "p95", "max"))
    if usual is None or high is None or slowest is None:
        return Judgement(Answer.UNREAD)
    count = usual.evidence.count if usual.evidence.kind == "log" else 0
    if count < _ENOUGH_LINES or _tells_slow_ones_only(case, resource, tried):
        return Judgement(Answer.CLOSE, high, "p95 of the logged ones")
    for reading, share in ((usual, "at least half"), (high, "at least 5 %")):
        if reading.value > limit_s:
            return Judgement(Answer.EXCEEDED, reading, "logged", f"{share} of the {count} logged calls", _other(slowest, reading))
    if slowest.value <= limit_s / 2:
        return Judgement(Answer.FITS, slowest, "slowest logged")
    return Judgement(Answer.CLOSE, high, "p95 of the logged ones")


def _other(slowest: Reading, reading: Reading) -> Reading | None:
    return slowest if slowest.value != reading.value else None


def _tells_slow_ones_only(case: Case, resource: str, tried: str) -> bool:
    """Whether the lines are written because a call was slow: then they say nothing of the others."""
    lines = [line for line in case.production.logs if line.resource == resource]
    shape = re.compile(tried)
    told = [line for line in lines if shape.search(line.message[:2_000])] if log_window(lines) is not None else []
    odd = sum(
        line.severity.upper() in ("WARN", "WARNING", "ERROR") or _SLOW_ONLY.search(line.message) is not None for line in told
    )
    return odd * 10 > len(told)
