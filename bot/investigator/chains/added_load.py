"""What calls a second, added to what a resource takes today, are held against: its rate limit, provisioned units, or CPU."""

import re

from bot.investigator.asking import Reading, config, metric, number
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, unknown
from bot.investigator.facts.callees import Callee, caches, called, databases, short
from bot.investigator.facts.headroom import OPEN_FROM, cpu_percent
from bot.investigator.facts.named_targets import named_target
from bot.investigator.facts.rate_limits import allowed_rate
from bot.investigator.facts.rates import request_rate
from bot.investigator.facts.runners import runners
from bot.investigator.facts.traffic import traffic_of
from gonogo.evidence import Evidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place, Relation
from gonogo.trajectory import Link, Role
from heuristics.hot.loads import Outside
from heuristics.limits.changed import Changed

_QUERIES = (
    "Queries", "QueriesPerSecond", "queries_per_second", "TransactionsPerSecond", pattern(r"(?i)(db_|pg_|mysql_)?(queries|transactions|statements|tps|qps|xact_commit|commits)(_?total|_?count)?(_?per_?second|_rate)?"),
)  # fmt: skip
_COMMANDS = (
    "GetTypeCmds",
    pattern(r"(?i)(redis_)?(commands?|ops|instantaneous_ops|cmds|gets|reads)(_?(processed|total|count))?(_?per_?sec(ond)?)?"),
)
_LEAST_CPU = 15.0
"""Below this share of a CPU its use says too little about what it could take."""
_DEAREST_S = {"http": 0.05, "database": 0.01, "cache": 0.0005}
"""More CPU time than a plain look-up costs: what it takes even so fits for sure."""


_TRIFLE = 2.0
"""Percent of one CPU that any database or cache has to spare."""


class Target(Record):
    """The resource that answers the added calls; None in `resource` when several could be meant."""

    resource: str | None
    name: str
    how: Callee | None = None


def target_of(case: Case, kind: Outside, place: Place, callee: str) -> Target:
    """Which live resource a call goes to."""
    named = _named(case, kind, place, callee)
    if named is not None:
        return Target(named.target, short(case, named.target), named)
    line = Changed(callee, callee.rpartition(".")[2], place.file, place.line, place.line, None, None, None, None, call=callee)
    if kind == "http":
        found = called(case, line)
    elif kind == "database":
        found = _named_tables(case, place, callee) or databases(case) or _tables(case)
    else:
        found = caches(case)
    targets = {one.target for one in found}
    if len(targets) == 1 and found[0].is_certain:
        return Target(found[0].target, short(case, found[0].target), found[0])
    label = {"http": "the service that it calls", "database": "the database", "cache": "the cache"}[kind]
    return Target(None, " or ".join(sorted(short(case, t) for t in targets)) or label)


_NAMED: dict[Outside, tuple[str, ...]] = {
    "http": ("kubernetes.deployment", "kubernetes.statefulset", "aws.ecs.service", "aws.lambda.function"),
    "database": ("aws.dynamodb.table", "aws.rds"),
    "cache": ("aws.elasticache", "aws.memorydb"),
}


def _named(case: Case, kind: Outside, place: Place, callee: str) -> Callee | None:
    """The target that code or manifests name, and which the graph does not know to be called yet."""
    found = named_target(case, place, callee, _NAMED[kind])
    caller = next(iter(runners(case, place.file)), None)
    if found is None or caller is None or found.id == caller.id:
        return None
    relation = next((e.relation for e in case.out_of(caller.id) if e.target == found.id), Relation.CONNECTS_TO)
    return Callee(caller, found.id, relation, is_certain=True)


def _tables(case: Case) -> tuple[Callee, ...]:
    """DynamoDB tables, when the code uses one of them only."""
    found = [
        Callee(r, e.target, e.relation, is_certain=True)
        for r in case.deployed()
        for e in case.out_of(r.id)
        if ":dynamodb:" in e.target or e.target.startswith("dynamodb:")
    ]
    return tuple(found) if len({one.target for one in found}) == 1 else ()


_TABLE = pattern(
    r"""(?:\.Table|TableName|table_name|tableName|getTable|table)\b[^\n]{0,120}?["'`](?P<name>[\w.-]{2,100})["'`]\s*\)?"""
)


def _named_tables(case: Case, place: Place, callee: str) -> tuple[Callee, ...]:
    """The DynamoDB table whose name is given to what the call is made on, or stands beside the call."""
    lines = (case.diff.head.text(place.file) or "").split("\n")
    first = re.match(r"(?:self\.|this\.|c\.|s\.)?(\w+)\.", callee)
    receiver = first[1] if first is not None else ""
    own = [line for line in lines if receiver and re.search(rf"(?<!\w){re.escape(receiver)}\s*(?::\s*[\w.]+\s*)?=(?!=)", line)]
    near = own or lines[max(0, place.line - 1) : place.line + 6]
    named = {m["name"] for line in near for m in re.finditer(_TABLE, line)} | {
        word for line in near if "Table" in line or "TABLE" in line for word in re.findall(r"""["'`]([\w.-]{2,100})["'`]""", line)
    }
    found = [
        Callee(r, e.target, e.relation, is_certain=True)
        for r in case.deployed()
        for e in case.out_of(r.id)
        if ":dynamodb:" in e.target and e.target.rpartition("/")[2] in named
    ]
    return tuple(found) if len({one.target for one in found}) == 1 else ()


class Added(Record):
    """Calls a second: at least (measured or a careful share) and at most."""

    low: float
    high: float | None
    cited: tuple[Reading | Evidence | None, ...]
    said: str
    """How the number comes about: `51 requests a second × 20 items`."""
    is_consistent: bool = False
    """Strongly consistent reads of DynamoDB cost a whole unit each, others half of one."""
    is_write: bool = False
    """Writes of DynamoDB are held against its write units."""


def harm_of(case: Case, kind: Outside, target: Target, added: Added) -> tuple[Link, str]:
    """The harm link, and the metric that shows it."""
    resource = target.resource
    if resource is None:
        if added.high is not None and kind != "http" and 100 * added.high * _DEAREST_S[kind] < _TRIFLE:
            return _cheap(kind, target, added, None), _metric(None, kind)
        return _open(target, added, "Which service answers these calls, and how many a second can it take?"), "Requests"
    today = _calls_today(case, kind, resource, is_write=added.is_write)
    limit, what, cited = _limit_of(case, resource, today, added)
    metric_name = _metric(today or (cited[0] if cited else None), kind)
    now = today.value if today is not None else 0.0
    if limit is not None:
        least, most = now + added.low, now + added.high if added.high is not None else None
        citations = (*added.cited, today, *cited)
        if least > limit:
            claim = f"{target.name} gets {least:,.3g} calls a second ({now:,.3g} today and {added.said}), more than {what}"
            return harm(claim, *citations, comparison=compare(least, ">", limit, "1/s")), metric_name
        if most is not None and most < OPEN_FROM * limit:
            claim = f"{target.name} gets {most:,.3g} calls a second ({now:,.3g} today and {added.said}), more than {what}"
            return harm(claim, *citations, comparison=compare(most, ">", limit, "1/s")), metric_name
    busy = cpu_percent(case, resource)
    is_trifle = added.high is not None and kind != "http" and 100 * added.high * _DEAREST_S[kind] < _TRIFLE
    if added.high is not None and (busy is not None or added.high < 0.05 or is_trifle):
        free = 100 - busy.value if busy is not None else 100.0
        if 100 * added.high * _DEAREST_S[kind] < free / 4 and free > 15:
            return _cheap(kind, target, added, busy), _metric(busy, kind)
    question = f"How many calls a second can {target.name} take beside those of today?"
    return _open(target, added, question, *(c for c in (today, busy, *cited) if c is not None)), metric_name


def _cheap(kind: Outside, target: Target, added: Added, busy: Reading | None) -> Link:
    """The added calls need next to nothing even at the dearest; `busy` is the CPU of what answers them, where it was read."""
    high = added.high or 0.0
    cost, free = 100 * high * _DEAREST_S[kind], 100 - busy.value if busy is not None else 100.0
    claim = (
        f"{high:,.3g} calls a second more need {cost:,.2g} % of one CPU at {_DEAREST_S[kind] * 1000:g} ms each, "
        f"more than the {free:,.3g} % that {target.name} has free"
    )
    return harm(claim, *added.cited, busy, comparison=compare(cost, ">", free, "%"))


_SCALING = (
    "autoscaling", "autoscaling_enabled", "read_autoscaling", "write_autoscaling", "autoscaling_targets", "scalable_targets", "auto_scaling",
    "read_max_capacity", "autoscaling_max_capacity", "max_read_capacity", "scaling_policies",
)  # fmt: skip


def _grows(case: Case, resource: str) -> bool:
    """Whether the units of a table are scaled, or billed by the request."""
    found = case.production.resource(resource)
    scaling = config(case, resource, *_SCALING)
    by_request = found is not None and str(found.attributes.get("billing_mode", "")).upper() in ("PAY_PER_REQUEST", "ON_DEMAND")
    by_scaler = any(
        "autoscal" in (r.kind if (r := case.production.resource(e.source)) is not None else "") for e in case.into(resource)
    )
    return (
        by_request
        or by_scaler
        or (scaling is not None and scaling.value not in (False, None, "disabled", "off", "none", 0) and bool(scaling.value))
    )


def _limit_of(case: Case, resource: str, today: Reading | None, added: Added) -> tuple[float | None, str, tuple[Reading, ...]]:
    allowed = allowed_rate(case, resource)
    if allowed is not None:
        return allowed.per_second, f"its limit of {allowed.said}", (allowed.reading,)
    units = number(case, resource, *(_WRITE_UNITS if added.is_write else _READ_UNITS))
    if units is not None and units.value > 0 and not _grows(case, resource):
        each = 1 if added.is_consistent or added.is_write else 2
        return units.value * each, f"{units.value:g} provisioned {'write' if added.is_write else 'read'} units allow", (units,)
    busy = cpu_percent(case, resource)
    if today is not None and busy is not None and busy.value >= _LEAST_CPU:
        room = today.value * 100 / busy.value
        return room, f"the {room:,.4g} at which its CPU, {busy.value:.3g} % now, is full", (busy,)
    return None, "", ()


_READ_UNITS = ("read_capacity", "read_capacity_units", "provisioned_read_capacity", "provisioned_read_capacity_units", "rcu")
_WRITE_UNITS = ("write_capacity", "write_capacity_units", "provisioned_write_capacity", "provisioned_write_capacity_units", "wcu")


def _calls_today(case: Case, kind: Outside, resource: str, *, is_write: bool) -> Reading | None:
    names = {"database": _QUERIES, "cache": _COMMANDS}.get(kind)
    if names is not None:
        units = metric(case, resource, (f"Consumed{'Write' if is_write else 'Read'}CapacityUnits",), "max")
        found = units if units is not None and units.unit == "1/s" else metric(case, resource, names, "max")
        return found if found is not None and found.unit == "1/s" else None
    return request_rate(case, resource) or traffic_of(case, resource)


def _open(target: Target, added: Added, question: str, *cited: Reading) -> Link:
    most = f" (at most {added.high:,.3g})" if added.high is not None and added.high != added.low else ""
    return unknown(
        Role.HARM,
        f"{target.name} gets about {added.low:,.3g} calls a second more{most}: {added.said}",
        question,
        f"load test {target.name}, or compare its requests a second with its CPU at the peak of the last 7 days",
        *added.cited,
        *cited,
    )


def _metric(reading: Reading | None, kind: Outside) -> str:
    if reading is not None and reading.evidence.kind == "metric":
        return reading.evidence.metric
    return {"http": "Requests", "database": "CPUUtilization", "cache": "EngineCPUUtilization"}[kind]
