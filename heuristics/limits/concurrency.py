"""Concurrency, pools, workers and throughput that a change raises or lowers."""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from enum import StrEnum

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared
from heuristics.code import is_ci_path, is_production_code
from heuristics.code.word_sets import words as word_set
from heuristics.limits.changed import Changed, as_number, changed_numbers, words_of
from heuristics.rule import RuleContext


class Bounds(StrEnum):
    """What a number bounds."""

    RESERVED = "reserved"
    """Concurrent runs of a function."""
    PROVISIONED = "provisioned"
    """Runs of a function that are kept warm."""
    SOURCE = "source"
    """Concurrent runs of a function for one event source."""
    POOL = "pool"
    """Connections that one process may hold."""
    WORKERS = "workers"
    """Threads, processes or tasks side by side in one instance."""
    INSTANCES = "instances"
    """Copies of a workload."""
    CEILING = "ceiling"
    """The most copies of a workload that an autoscaler may run."""
    READS = "reads"
    WRITES = "writes"
    """Capacity units of a table."""
    RATE = "rate"
    """Requests a second that a gateway lets through."""
    SHARDS = "shards"
    """Shards of a stream."""
    CONNECTIONS = "connections"
    """Connections that a database takes."""


class Bound(Record):
    """One changed bound. A missing `new` means that the bound is gone."""

    changed: Changed
    bounds: Bounds
    old: float | None
    new: float | None
    fills_at_start: bool = False
    """True for a pool that opens all its connections when the process starts."""

    @property
    def is_raised(self) -> bool:
        """Whether more is allowed than before."""
        return self.new is None or (self.old is not None and self.new > self.old)

    @property
    def is_lowered(self) -> bool:
        """Whether less is allowed than before; a bound where there was none lowers too, but runs that are kept warm bound nothing."""
        if self.old is None and self.bounds is Bounds.PROVISIONED:
            return False
        return self.new is not None and (self.old is None or self.new < self.old)


def changed_bounds(context: RuleContext) -> Iterator[Bound]:
    """Every bound on concurrency, connections and throughput that differs."""
    for changed in changed_numbers(context):
        if changed.is_unknown or changed.old == changed.new or (changed.old is None and changed.new is None):
            continue
        found = _of_manifest(changed) if changed.declared is not None else None
        if found is None and (changed.declared is None or changed.key.startswith(("environment.", "data."))):
            found = _of_code(changed)
        if found is not None:
            yield found
    yield from _warm_runs_gone(context)


def _warm_runs_gone(context: RuleContext) -> Iterator[Bound]:
    """Terraform keeps runs warm by a resource of its own, which may go as a whole."""
    for change in context.settings:
        kept = (
            change.before.settings.get("provisioned_concurrency") if change.before is not None and change.after is None else None
        )
        if kept is None or change.key or change.before is None or not change.before.kind.startswith("aws.lambda.provisioned"):
            continue
        number = as_number(kept.value)
        changed = Changed(
            key="provisioned_concurrency", name="provisioned_concurrency", file=change.before.file, base_line=kept.line, head_line=None,
            old=number, new=None, old_text=kept.text or str(kept.value), new_text=None, declared=change.before,
        )  # fmt: skip
        yield Bound(changed, Bounds.PROVISIONED, number, None)


def parallel_work(context: RuleContext) -> float:
    """The most that any setting of the head's code lets one instance do side by side; 1 when nothing says so."""
    return max((value for _, value in _parallel_settings(context)), default=1.0)


def sure_parallel_work(context: RuleContext) -> float:
    """What one instance does side by side at the least, where every setting that starts processes or threads says the same; else 1."""
    found = {value for line, value in _parallel_settings(context) if not re.search(r"(?i)prefetch", line)}
    return min(found) if len(found) == 1 else 1.0


def _parallel_settings(context: RuleContext) -> Iterator[tuple[str, float]]:
    for places in context.head.search(_PARALLEL_WORDS).values():
        for place in places[:50]:
            if not is_production_code(place.file) or is_ci_path(place.file):
                continue
            lines = (context.head.text(place.file) or "").split("\n")
            line = lines[place.line - 1][:2000] if place.line <= len(lines) else ""
            for found in _PARALLEL.finditer(line):
                yield line, float(found[1])


_PARALLEL_WORDS = (
    "concurrency", "CONCURRENCY", "worker_concurrency", "WEB_CONCURRENCY", "maxConcurrency", "max_concurrency", "prefetch", "prefetch_count", "prefetchCount",
    "PREFETCH", "PREFETCH_COUNT", "workers", "WORKERS", "max_workers", "maxWorkers", "MAX_WORKERS", "threads", "THREADS", "parallelism", "poolSize", "processes",
)  # fmt: skip
_PARALLEL = pattern(
    r"(?i)(?:concurrency|prefetch(?:_?count)?|max_?workers|workers|threads|parallel(?:ism)?|poolSize|processes)[\"']?\s{0,3}(?:=>|[=:(,])\s{0,3}[\"']?(\d{1,4})\b"
)
_MANIFEST: tuple[tuple[str, str, Bounds], ...] = (
    ("aws.lambda.", "reserved_concurrency", Bounds.RESERVED),
    ("aws.lambda.", "provisioned_concurrency", Bounds.PROVISIONED),
    ("aws.lambda.", "event_source_maximum_concurrency", Bounds.SOURCE),
    ("cloudflare.", "event_source_maximum_concurrency", Bounds.SOURCE),
    ("aws.dynamodb.", "read_capacity", Bounds.READS),
    ("aws.dynamodb.", "read_capacity_units", Bounds.READS),
    ("aws.dynamodb.", "max_read_capacity", Bounds.READS),
    ("aws.dynamodb.", "write_capacity", Bounds.WRITES),
    ("aws.dynamodb.", "write_capacity_units", Bounds.WRITES),
    ("aws.dynamodb.", "max_write_capacity", Bounds.WRITES),
    ("aws.apigateway.", "throttle_rate_limit", Bounds.RATE),
    ("aws.apigateway.", "default_route_settings.throttling_rate_limit", Bounds.RATE),
    ("aws.apigateway.", "settings.throttling_rate_limit", Bounds.RATE),
    ("aws.apigateway.", "throttle_settings.rate_limit", Bounds.RATE),
    ("aws.apigateway.", "throttle.rate_limit", Bounds.RATE),
    ("aws.kinesis.", "shard_count", Bounds.SHARDS),
    ("aws.rds.", "parameter.max_connections", Bounds.CONNECTIONS),
    ("aws.rds.", "max_connections", Bounds.CONNECTIONS),
    ("google.sql", "max_connections", Bounds.CONNECTIONS),
    ("kubernetes.deployment", "replicas", Bounds.INSTANCES),
    ("kubernetes.statefulset", "replicas", Bounds.INSTANCES),
    ("aws.ecs.service", "desired_count", Bounds.INSTANCES),
    ("compose", "replicas", Bounds.INSTANCES),
    ("helm.", "replicas", Bounds.INSTANCES),
    ("kubernetes.horizontalpodautoscaler", "max_replicas", Bounds.CEILING),
    ("kubernetes.scaledobject", "max_replicas", Bounds.CEILING),
    ("helm.", "max_replicas", Bounds.CEILING),
    ("aws.autoscaling.target", "max_replicas", Bounds.CEILING),
    ("aws.autoscaling.group", "max_replicas", Bounds.CEILING),
    ("google.cloud.run", "template.scaling.max_instance_count", Bounds.CEILING),
    ("kubernetes.service", "spec.template.metadata.annotations.autoscaling.knative.dev/max_scale", Bounds.CEILING),
)


def _of_manifest(changed: Changed) -> Bound | None:
    kind = changed.declared.kind if changed.declared is not None else ""
    for start, key, bounds in _MANIFEST:
        if changed.key == key and kind.startswith(start):
            return Bound(changed, bounds, changed.old, changed.new)
    return None


_SIZES = word_set("size max maximum maxsize limit conns connections count open total maxopenconns")
_NOT_POOLS = word_set(
    "min minimum idle timeout lifetime thread threads worker workers wait ms seconds string interval ttl evict recycle http adapter block"
)
_WORKING = word_set(
    "concurrency concurrent workers worker threads parallel parallelism writers readers processes consumers inflight goroutines"
)
_NOT_WORKING = word_set(
    "timeout seconds ms delay interval wait queue name version port memory min idle stack size priority per batch retries attempts ttl id test "
    "thread_id grace limit_bytes age boost connections requests tmp class"
)


def _of_code(changed: Changed) -> Bound | None:
    if (
        any(v is not None and (v != int(v) or not 0 < v <= 100_000) for v in (changed.old, changed.new))
        or changed.old is None
        or changed.new is None
    ):
        return None
    if changed.old_seconds is not None or changed.new_seconds is not None:
        return None
    words, around = set(changed.words), set(changed.path_words)
    if (copies := _COPIES.get(changed.words)) is not None and not around & _NOT_COPIES:
        return Bound(changed, copies, changed.old, changed.new)
    if words >= {"reserved", "concurrent", "executions"}:
        return Bound(changed, Bounds.RESERVED, changed.old, changed.new)
    if _is_pool(words, around, changed.call):
        fills = bool({"hikari"} & around) or "hikari" in changed.file.lower()
        return Bound(changed, Bounds.POOL, changed.old, changed.new, fills_at_start=fills)
    if _is_of_workers(words, around, changed) and not words & _NOT_WORKING:
        return Bound(changed, Bounds.WORKERS, changed.old, changed.new)
    return None


_COPIES: dict[tuple[str, ...], Bounds] = {
    ("replica", "count"): Bounds.INSTANCES,
    ("replicas",): Bounds.INSTANCES,
    ("desired", "count"): Bounds.INSTANCES,
    ("num", "instances"): Bounds.INSTANCES,
    ("max", "replicas"): Bounds.CEILING,
    ("max", "task", "count"): Bounds.CEILING,
    ("max", "instances"): Bounds.CEILING,
}
_NOT_COPIES = word_set(
    "shard shards elasticsearch opensearch index kafka topic etcd redis postgres mysql test reader readers db database"
)


_AT_ONCE = (("max", "jobs"), ("max", "tasks"), ("num", "procs"), ("numprocs",))
"""What arq and supervisor call the work that one of them does at a time."""


def is_pool_name(name: str, path: str, call: str) -> bool:
    """Whether a setting says how many connections to a database a process may hold."""
    return _is_pool(set(words_of(name)), frozenset(words_of(path) + words_of(call)), call)


_DATABASES = word_set(
    "db database databases sql pg postgres postgresql pgx mysql mariadb mssql sqlserver oracle jdbc datasource rds gorm sqlx ecto prisma"
)
_OPEN_CONNECTIONS = word_set("max maximum open conn conns connection connections limit total active count")
_OF_A_SERVER = word_set("parameter parameters conf server primary command args")


def _is_pool(words: set[str], around: AbstractSet[str], called: str) -> bool:
    if words & _NOT_POOLS or around & {"adapter", "httpadapter", "agent", "redis", "jedis", "lettuce"}:
        return False
    call = called.rpartition(".")[2].lower()
    if call in ("setmaxopenconns", "max_connections", "setmaximumpoolsize", "poolsize", "maxpoolsize"):
        return True
    if "pool" in words and (words & _SIZES or words <= {"pool", "db", "database", "rails"}):
        return not around & {"thread", "threads", "threadpool", "executor", "worker", "workers"}
    if words in ({"connection", "limit"}, {"connections", "limit"}):
        return True
    if _is_of_open_connections(words, around):
        return True
    in_pool = bool(around & {"pool", "hikari", "datasource", "database", "sqlalchemy", "knex", "sequelize"})
    return (
        in_pool
        and bool(words & {"max", "maximum", "connections", "overflow", "limit"})
        and words <= {"max", "maximum", "connections", "active", "overflow", "connection", "limit", "total", "size"}
    )


def _is_of_open_connections(words: set[str], around: AbstractSet[str]) -> bool:
    """`maxOpenConns`, `DB_MAX_OPEN_CONNS`, `PG_MAX_CONNECTIONS`, `database.maxConns`: how many a client may open."""
    if not words & {"conn", "conns", "connection", "connections"} or not words & {"max", "maximum", "limit"}:
        return False
    if around & _OF_A_SERVER or not words <= _OPEN_CONNECTIONS | _DATABASES:
        return False
    return "open" in words or bool((words | around) & _DATABASES)


def _is_of_workers(words: set[str], around: set[str], changed: Changed) -> bool:
    call = changed.call.rpartition(".")[2].lower()
    if call in (
        "plimit",
        "semaphore",
        "boundedsemaphore",
        "newweighted",
        "setlimit",
        "pmap",
        "newfixedthreadpool",
        "threadpoolexecutor",
        "maplimit",
        "eachlimit",
    ):
        return True
    if words & _WORKING or changed.words in _AT_ONCE:
        return True
    if changed.file.endswith((".exs", ".ex")) and re.search(r"(^|\.)queues\.[^.]+$", changed.key):  # Oban's
        return True
    if "prefetch" in words:
        return True
    return (
        bool(words & {"max", "maximum", "limit"})
        and words <= {"max", "maximum", "limit"}
        and bool(around & {"threads", "workers", "concurrency"})
    )


def scales_by_itself(context: RuleContext, declared: Declared | None, what: str) -> bool:
    """Whether an autoscaler of head moves this number, so that the written one is only where it starts."""
    sides = context.declared.get("head")
    if sides is None or declared is None:
        return False
    for one in sides.resources:
        if one.kind == "aws.autoscaling.target" and {"replicas": "DesiredCount"}.get(what, what) in str(
            one.settings["scalable_dimension"].text if "scalable_dimension" in one.settings else ""
        ):
            return True
        if one.kind in ("kubernetes.horizontalpodautoscaler", "kubernetes.scaledobject") and what == "replicas":
            target = one.settings.get("target")
            if target is not None and str(target.value) == declared.name:
                return True
    return False
