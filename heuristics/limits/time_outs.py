"""Time-outs that a change lowers, raises or adds, and what each of them cuts off."""

import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import pairwise

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.code import language_of
from heuristics.code.word_sets import words as word_set
from heuristics.limits.changed import Changed, changed_numbers, words_of
from heuristics.limits.directives import directives
from heuristics.limits.session_limits import session_limits
from heuristics.rule import RuleContext


class Cuts(StrEnum):
    """What a time-out ends when it passes."""

    CALL = "call"
    """A request to another service."""
    STATEMENT = "statement"
    """A statement in a database."""
    CACHE = "cache"
    """A command of a cache."""
    CONNECT = "connect"
    """Opening a connection."""
    POOL = "pool"
    """Waiting for a connection of a pool."""
    OWN = "own"
    """The function, task or request handler itself."""
    PROXY = "proxy"
    """The answer of what stands behind a load balancer, gateway or proxy."""


class TimeOut(Record):
    """A changed time-out in seconds; None on a side means that there was no such limit."""

    changed: Changed
    cuts: Cuts
    old_s: float | None
    new_s: float | None

    @property
    def is_lowered(self) -> bool:
        """Whether something that had longer has less time now."""
        return self.new_s is not None and self.new_s > 0 and (self.old_s is None or self.old_s == 0 or self.new_s < self.old_s)

    @property
    def is_raised(self) -> bool:
        """Whether something has more time now."""
        return self.old_s is not None and self.new_s is not None and self.new_s > self.old_s > 0


def time_outs(context: RuleContext) -> Iterator[TimeOut]:
    """Every time-out of the change whose value is known on the head side."""
    seen: set[tuple[str, int | None, int | None]] = set()
    for changed in (*directives(context), *changed_numbers(context)):
        place = (changed.file, changed.base_line, changed.head_line)
        if place in seen:
            continue
        found = _of_manifest(changed) if changed.declared is not None else _of_code(changed, context)
        if found is not None and found.new_s is not None:
            seen.add(place)
            yield found
    for changed, old_s, new_s in session_limits(context):
        if (changed.file, changed.base_line, changed.head_line) not in seen:
            yield TimeOut(changed, Cuts.STATEMENT, old_s, new_s)


_ROUTES = pattern(
    r"kubernetes\.(virtualservice|httproute|grpcroute|httpproxy|ingress|ingressroute|serverstransport|backendconfig|gcpbackendpolicy|backendtrafficpolicy|mapping|apisixroute|kongingress)"
)
_PHASE_OF_ROUTE = pattern(
    r"(?i)(^|\.)(timeout|timeouts?\.(request|backend_?request|http\.request_timeout)|timeout_?policy\.response|timeout_?sec|timeout_ms|forwarding_?timeouts\.response_?header_?timeout|read_?timeout)$"
    r"|annotations\..*(proxy[-_]read[-_]timeout|timeout[-_]server|read[-_]timeout|response[-_]timeout|request[-_]timeout)$"
)


def _is_of_a_route(kind: str, key: str) -> bool:
    """How long objects that route requests wait for the answer."""
    return _ROUTES.match(kind) is not None and _PHASE_OF_ROUTE.search(key) is not None


_MANIFEST: dict[tuple[str, str], tuple[Cuts, float]] = {
    # kind's start, key → what it cuts, seconds in one unit
    ("aws.lambda.function", "timeout_s"): (Cuts.OWN, 1),
    ("aws.stepfunctions.state_machine", "timeout_s"): (Cuts.OWN, 1),
    ("google.", "timeout_s"): (Cuts.OWN, 1),
    ("google.", "timeout_seconds"): (Cuts.OWN, 1),
    ("google.", "template.timeout"): (Cuts.OWN, 1),
    ("google.", "template.spec.timeout_seconds"): (Cuts.OWN, 1),
    ("google.", "service_config.timeout_seconds"): (Cuts.OWN, 1),
    ("aws.elb.", "idle_timeout_s"): (Cuts.PROXY, 1),
    ("aws.elb.", "idle_timeout"): (Cuts.PROXY, 1),
    ("aws.apigateway.", "timeout_ms"): (Cuts.PROXY, 1e-3),
    ("aws.apigateway.", "timeout_milliseconds"): (Cuts.PROXY, 1e-3),
    ("aws.apigateway.", "timeout_in_millis"): (Cuts.PROXY, 1e-3),
    ("aws.cloudfront.", "origin_read_timeout"): (Cuts.PROXY, 1),
    ("aws.cloudfront.", "origin.origin_read_timeout"): (Cuts.PROXY, 1),
    ("aws.cloudfront.", "origin.custom_origin_config.origin_read_timeout"): (Cuts.PROXY, 1),
    ("google.compute.backend_service", "timeout_sec"): (Cuts.PROXY, 1),
    ("google.compute.backend_service", "timeout_s"): (Cuts.PROXY, 1),
    ("kubernetes.ingress", "proxy_read_timeout_s"): (Cuts.PROXY, 1),
    ("kubernetes.ingress", "proxy_send_timeout_s"): (Cuts.PROXY, 1),
    ("aws.rds.", "parameter.statement_timeout"): (Cuts.STATEMENT, 1e-3),
    ("aws.rds.", "parameter.max_execution_time"): (Cuts.STATEMENT, 1e-3),
    ("kubernetes.job", "active_deadline_s"): (Cuts.OWN, 1),
    ("kubernetes.cronjob", "active_deadline_s"): (Cuts.OWN, 1),
}


def _of_manifest(changed: Changed) -> TimeOut | None:
    declared = changed.declared
    kind = declared.kind if declared is not None else ""
    for (start, key), (cuts, factor) in _MANIFEST.items():
        if changed.key == key and kind.startswith(start):
            return TimeOut(
                changed, cuts, _scaled(changed.old, changed.old_text, factor), _scaled(changed.new, changed.new_text, factor)
            )
    if _is_of_a_route(kind, changed.key):
        factor = (
            1.0
            if "sec" in changed.words
            or kind.startswith("kubernetes.backendconfig")
            or "read_timeout" in changed.key.replace("-", "_")
            else None
        )
        old, new = (_scaled(n, text, factor) for n, text in ((changed.old, changed.old_text), (changed.new, changed.new_text)))
        return TimeOut(changed, Cuts.PROXY, old, new)
    if changed.key.startswith(("environment.", "data.", "parameter.")):
        return _of_variable(changed)
    return None


def _of_variable(changed: Changed) -> TimeOut | None:
    """A variable of a workload, like `RATES_TIMEOUT_MS: "800"`: only when its name says the unit."""
    if not _is_time_out(changed.words):
        return None
    unit = next((factor for word, factor in _UNIT_WORDS.items() if word in changed.words[-2:]), None)
    old, new = (_scaled(n, text, unit) for n, text in ((changed.old, changed.old_text), (changed.new, changed.new_text)))
    cuts = _what_it_cuts(changed, "")
    return TimeOut(changed, cuts, old, new) if cuts is not None and new is not None else None


_UNIT_WORDS = {"ms": 1e-3, "millis": 1e-3, "milliseconds": 1e-3, "s": 1.0, "sec": 1.0, "secs": 1.0, "seconds": 1.0}


def _scaled(number: float | None, text: str | None, factor: float | None) -> float | None:
    if number is not None:
        return number * factor if factor is not None else None
    found = re.fullmatch(r"\s*[\"']?(\d{1,9}(?:\.\d{1,6})?)\s*(ms|s|m|h)[\"']?\s*", text or "")
    return float(found[1]) * {"ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}[found[2]] if found else None


_NOT_CALLS = word_set(
    "session cache lock lease idle alive visibility shutdown graceful grace drain termination health healthcheck probe liveness readiness "
    "startup poll heartbeat debounce throttle retry backoff interval login token otp cooldown eviction evict leak validation lifetime linger "
    "stop kill rebalance stale ttl expiry expire page toast animation hover cookie ban block lockout deploy rollout build ci "
    "keepalive refresh reconnect jwt minutes fixture snooze modal notification tooltip autosave inactivity"
)
_CALLEES = pattern(
    r"(^|\.)(AbortSignal\.timeout|context\.WithTimeout|context\.WithTimeoutCause|wait_for|fail_after|move_on_after|asyncio\.timeout"
    r"|Timeout\.timeout|withTimeout\w*|timeLimiter|orTimeout|completeOnTimeout|timeout_at|tokio::time::timeout|Timeout)$"
)
_STATEMENT = pattern(r"statement|query|execution|command|socket")
_DATABASE = pattern(
    r"(?i)postgres|mysql|maria|jdbc|sqlalchemy|datasource|database|hikari|sequelize|typeorm|knex|prisma|activerecord|psycopg|pgx|\bpg\b|\bdb\b|mongo"
)
_CACHE = pattern(r"(?i)redis|memcache|lettuce|jedis|valkey|dragonfly")


def _of_code(changed: Changed, context: RuleContext) -> TimeOut | None:
    if changed.new_seconds is None and changed.old_seconds is None:
        return _unnamed_unit(changed, context)
    if not (_is_time_out(changed.words) or _CALLEES.search(changed.call)):
        if "timeout" not in changed.call.lower() or not _aborts(changed, context):
            return None
    elif (
        changed.call.endswith(("setTimeout", "set_timeout"))
        and not _aborts(changed, context)
        and changed.name in ("setTimeout", "delay")
    ):
        return None
    cuts = _what_it_cuts(changed, _line(changed, context))
    return TimeOut(changed, cuts, changed.old_seconds, changed.new_seconds) if cuts is not None else None


def _unnamed_unit(changed: Changed, context: RuleContext) -> TimeOut | None:
    """A number whose unit nothing says: milliseconds for databases and the JVM, else what numbers of that size are in."""
    is_named = _is_time_out(changed.words) or bool(
        {"timeout", "timeouts"} & changed.path_words and changed.words and changed.words[-1] in _PHASES
    )
    if changed.new is None or changed.new <= 0 or not is_named:
        return None
    line = _line(changed, context)
    cuts = _what_it_cuts(changed, line)
    factor = _usual_unit(changed, max(changed.old or 0.0, changed.new))
    if cuts is None or factor is None:
        return None
    return TimeOut(changed, cuts, changed.old * factor if changed.old is not None else None, changed.new * factor)


_PHASES = word_set("request response read total call socket overall send body headers pool connect")


def _usual_unit(changed: Changed, largest: float) -> float | None:
    is_of_a_server = changed.words[-2:] in (("statement", "timeout"), ("execution", "time"), ("query", "timeout"))
    language = language_of(changed.file) or ""
    if (
        is_of_a_server
        or "hikari" in changed.path_words
        or language in ("typescript", "tsx", "javascript", "java", "kotlin", "properties")
    ):
        return 1e-3
    if language in ("python", "ruby", "php"):
        return 1.0
    if largest >= 1000:
        return 1e-3
    return 1.0 if largest <= 300 else None


def _is_time_out(words: tuple[str, ...]) -> bool:
    pairs = {a + b for a, b in pairwise(words)}
    return bool({"timeout", "deadline", "timeouts"} & {*words, *pairs}) or bool({"timelimit", "executiontime"} & pairs)


_DEPLOYS = pattern(
    r"\s*(?:run:\s*|exec\s+|sudo\s+|-\s+)?(?:helm|kubectl|oc|terraform|tofu|aws|gcloud|az|docker|skaffold|argocd|flux|eksctl|ansible\S*)\s"
)
"""Commands that somebody waits for while a change is rolled out: they limit nothing in production."""


def _what_it_cuts(changed: Changed, line: str) -> Cuts | None:
    words = set(changed.words)
    around = f"{changed.key} {changed.call} {changed.scope} {changed.file}"
    is_pool = bool({"hikari", "pool", "acquire", "checkout"} & changed.path_words)
    if words & (_NOT_CALLS - ({"idle"} if "socket" in words else set())):
        return None
    if _DEPLOYS.match(line):
        return None
    if words & {"connection", "acquire", "checkout", "pool"} and is_pool:
        return Cuts.POOL
    if words & {"connect", "connection", "connecting", "open", "dial", "handshake", "tls", "dns", "resolve"}:
        return Cuts.CONNECT
    if _CACHE.search(around) or _CACHE.search(line):
        return Cuts.CACHE
    if words & {"statement", "query", "execution"} or (_STATEMENT.search(" ".join(words)) and _DATABASE.search(around)):
        return Cuts.STATEMENT
    if re.search(
        r"(?i)nginx|envoy|haproxy|traefik|caddy|kong|apisix|krakend|tyk|varnish", changed.file
    ) or changed.name.startswith(("proxy_", "fastcgi_", "uwsgi_", "scgi_", "grpc_read", "timeout server")):
        return Cuts.PROXY
    if re.search(r"(?i)gunicorn|puma|unicorn|hypercorn|uvicorn", f"{changed.file} {line}") or _is_of_a_server(changed, words):
        return Cuts.OWN
    if re.search(r"(^|\.)(\w*Function|\w*StateMachine)$", changed.call):
        return Cuts.OWN
    return Cuts.CALL


def _is_of_a_server(changed: Changed, words: set[str]) -> bool:
    if words & {"task", "job", "worker", "service", "soft", "hard", "write"} and (words & {"limit", "timeout", "task", "job"}):
        return (
            bool(words & {"task", "job", "soft", "hard"})
            or "server" in changed.path_words
            or "rack" in words_of(changed.file + changed.key)
        )
    callee = changed.call.rpartition(".")[2].lower()
    return callee == "server" or "server" in words_of(changed.key) or changed.call.lower().endswith("http.server")


def _line(changed: Changed, context: RuleContext) -> str:
    tree = context.head if changed.head_line else context.base
    lines = (tree.text(changed.file) or "").split("\n")
    at = (changed.head_line or changed.base_line or 1) - 1
    return lines[at] if 0 <= at < len(lines) else ""


def _aborts(changed: Changed, context: RuleContext) -> bool:
    """Whether a timer ends a call: the line, or its neighbours, abort, cancel or reject."""
    tree = context.head if changed.head_line else context.base
    lines = (tree.text(changed.file) or "").split("\n")
    at = (changed.head_line or changed.base_line or 1) - 1
    return bool(re.search(r"(?i)abort|cancel|reject|destroy\(", "\n".join(lines[max(0, at - 2) : at + 2])))
