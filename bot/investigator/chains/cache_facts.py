"""What a cache saves in production: its hit ratio, its lookups, and what a miss costs whatever answers it."""

import re
from collections.abc import Sequence
from typing import Protocol

from bot.investigator.asking import Reading, metric, number
from bot.investigator.case import Case
from bot.investigator.facts.callees import is_database, own_workloads, workload_of
from bot.investigator.facts.headroom import cpu_percent, percent
from bot.investigator.facts.latencies import Latency, latencies
from bot.investigator.facts.placing import downstream, governed
from bot.investigator.facts.rates import request_rate
from gonogo.evidence import MetricEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place, Relation, Resource
from heuristics.runtime.cache_change import CacheChange, Loss
from heuristics.runtime.instances import size_of

_HITS = ("CacheHitRate", pattern(r"(?i).*cache.*hit.*(rate|ratio|percent).*|.*hit_?(rate|ratio).*"))
_LOOKUPS = ("GetTypeCmdsPerSecond", "GetTypeCmds", "CmdGet", pattern(r"(?i).*cache.*(lookups|requests|gets).*"))
_MISS_COST = pattern(r"(?i)quer|load|db|sql|render|fetch|origin|miss|compute|build|backend")
_EDGES = pattern(r"cloudfront|cdn|fastly|cloudflare\.(zone|worker)|apigateway|akamai")
_SERVERS = pattern(r"(?i)(?:.*[-_])?(?:redis|valkey|memcached?|dragonfly|keydb)(?![a-z])")
_CACHES = pattern(r"elasticache|redis|memcache|memorystore|memorydb|valkey|kv_namespace|upstash")


class OfCache(Protocol):
    """What is changed of a cache, and where."""

    @property
    def place(self) -> Place:
        """The line that says it."""
        ...

    @property
    def declared(self) -> Declared | None:
        """The declaration that sets it; None when code does."""
        ...

    @property
    def is_http(self) -> bool:
        """Whether shared HTTP caches obey it."""
        ...


class Saved(Record):
    """Everything that was read about one cache. None: not read."""

    workload: Resource | None
    cache: Resource | None
    origin: Resource | None
    hit: Reading | None
    """Share of hits in percent."""
    lookups: Reading | None
    origin_rate: Reading | None
    cpu: Reading | None
    """Peak CPU of the origin in percent."""
    cheap: Reading | None
    """What a miss usually costs, in seconds."""
    dear: Reading | None
    """What a miss costs at most of the times that were read."""
    keys: Reading | None

    @property
    def hit_share(self) -> float | None:
        """Between 0 and 0.999."""
        return None if self.hit is None else min(max(self.hit.value / 100, 0.0), 0.999)

    @property
    def cores(self) -> float:
        """Virtual processors of the origin by its class; one when that is unknown, which is careful when harm is denied."""
        for key in ("instance_class", "node_type"):
            name = self.origin.attributes.get(key) if self.origin is not None else None
            size = size_of(name) if isinstance(name, str) else None
            if size is not None:
                return size.vcpus
        return 1.0

    def resources(self) -> tuple[Resource, ...]:
        """Those whose telemetry bears on it."""
        return tuple(r for r in (self.origin, self.workload, self.cache) if r is not None)


def saved(case: Case, found: CacheChange) -> Saved:
    """Read what there is about the cache that the change names."""
    workload = workload_with_cache(case, found)
    cache = cache_of(case, found, workload)
    is_edge = found.is_http and cache is not None and _EDGES.search(cache.kind) is not None
    origin = (
        _behind(case, cache)
        if is_edge and found.declared is not None
        else workload
        if is_edge
        else _origin(case, found, workload, cache)
    )
    sources = [r.id for r in (cache, workload) if r is not None]
    hit = next((r for s in sources if (r := hit_ratio(case, s)) is not None), None)
    lookups = next((r for s in sources if (r := _lookups(case, s)) is not None), None)
    costs = _miss_costs(case, workload, origin) if workload is not None and not is_edge else ()
    keys = None
    if cache is not None:
        keys = number(case, cache.id, "key_count", "keys") or metric(
            case, cache.id, ("CurrItems", "key_count", re.compile(r"(?i)redis_db_keys.*")), "mean"
        )
    return Saved(
        workload=workload, cache=cache, origin=origin, hit=hit, lookups=lookups,
        origin_rate=request_rate(case, origin.id) if origin is not None and is_edge else None,
        cpu=cpu_percent(case, origin.id) if origin is not None else None,
        cheap=_by_value([o.typical() for o in costs])[0],
        dear=_by_value([o.peak() for o in costs])[1],
        keys=keys,
    )  # fmt: skip


def shares_after(found: CacheChange, known: Saved) -> float | None:
    """The share of hits that is left: none without a store; with a shorter life, what random arrivals give.

    A key that is asked for at rate r and kept for T seconds is found with probability rT / (1 + rT).
    """
    share = known.hit_share
    if share is None:
        return None
    if found.loss is not Loss.LIFE:
        return 0.0
    if not found.old_s or found.new_s is None:
        return None
    per_key = share / (1 - share) / found.old_s
    if known.keys is not None and known.keys.value > 0 and known.lookups is not None and found.old_s < 86_400:
        per_key = max(per_key, known.lookups.value / known.keys.value)
    return per_key * found.new_s / (1 + per_key * found.new_s)


def workload_with_cache(case: Case, found: OfCache) -> Resource | None:
    """The workload whose code works with the cache."""
    if found.declared is not None:
        return None
    by_file = workload_of(case, found.place.file)
    if by_file is not None:
        return by_file
    programs = [r for r in own_workloads(case) if not is_cache(case, r) and not is_database(case, r.id)]
    with_cache = [r for r in programs if any(is_cache(case, store) for store in downstream(case, r.id))]
    return next((only[0] for only in (programs, with_cache) if len(only) == 1), None)


def cache_of(case: Case, found: OfCache, workload: Resource | None) -> Resource | None:
    """The store that keeps what the workload caches."""
    if found.declared is not None:
        own = governed(case, found.declared)
        if own is not None:
            return own
    if workload is None:
        edges = case.affected_of_kind("aws.cloudfront", "cloudflare.zone")
        return edges[0] if found.is_http and len(edges) == 1 else None
    if found.is_http:
        for edge in case.into(workload.id, Relation.ROUTES_TO, Relation.INVOKES, Relation.CONNECTS_TO):
            other = case.production.resource(edge.source)
            if other is not None and _EDGES.search(other.kind):
                return other
            for further in case.into(edge.source, Relation.ROUTES_TO):
                before = case.production.resource(further.source)
                if before is not None and _EDGES.search(before.kind):
                    return before
    stores = [r for r in downstream(case, workload.id) if is_cache(case, r)]
    named = _named_near(case, found.place.file, stores) if len(stores) > 1 else stores
    return named[0] if len(named) == 1 else None


def is_cache(case: Case, found: Resource) -> bool:
    """By its kind, or by what a workload runs as: its engine, its eviction policy, its name, metrics of Redis and Memcached."""
    if _CACHES.search(found.kind) or _CACHES.search(str(found.attributes.get("engine", ""))):
        return True
    if not found.kind.startswith(("kubernetes.", "aws.ecs", "aws.ec2", "docker", "nomad", "host")):
        return False
    is_named = _SERVERS.search(found.name or "") is not None or "maxmemory_policy" in found.attributes
    return is_named or any(_SERVERS.match(s.metric) for s in case.production.series_of(found.id))


def _origin(case: Case, found: CacheChange, workload: Resource | None, cache: Resource | None) -> Resource | None:
    """What answers a miss: the one thing that the code around the cache names, the one database, else the one other thing that the workload works on."""
    if workload is None:
        return None
    others = [r for r in downstream(case, workload.id) if r.id != (cache.id if cache else None) and not is_cache(case, r)]
    databases = [r for r in others if re.search(r"rds|sql|postgres|mysql|mongo|dynamodb|docdb|opensearch|aurora", r.kind)]
    named = _named_near(case, found.place.file, others) if len(others) > 1 else []
    if len(named) == 1 and not (databases and named[0] not in databases and _queries_near(case, found.place.file)):
        return named[0]
    if len(databases) == 1:
        return databases[0]
    return others[0] if len(others) == 1 else None


def _near(case: Case, path: str) -> str:
    """The text of a file and of those beside it that it names."""
    text = case.diff.head.text(path) or ""
    folder = path.rpartition("/")[0]
    beside = [p for p in case.diff.head.paths() if p != path and p.rpartition("/")[0] == folder]
    named = [p for p in beside if re.search(rf"(?<!\w){re.escape(p.rpartition('/')[2].partition('.')[0])}(?!\w)", text)]
    return "\n".join([text, *((case.diff.head.text(p) or "")[:50_000] for p in named[:8])])


def _named_near(case: Case, path: str, others: Sequence[Resource]) -> list[Resource]:
    """Those whose name or host stands in the code of the cache, also as the name of a variable."""
    text = re.sub(r"[^a-z0-9\n]", "", _near(case, path).lower())
    return [r for r in others if len(r.name) > 4 and re.sub(r"[^a-z0-9]", "", r.name.lower()) in text]


def _queries_near(case: Case, path: str) -> bool:
    return (
        re.search(r"(?i)\bselect\b[^\n]{1,200}\bfrom\b|\.query\(|\.objects\.|session\.execute|\bprisma\.", _near(case, path))
        is not None
    )


def _behind(case: Case, cache: Resource | None) -> Resource | None:
    """What a CDN asks on a miss; a load balancer is looked through."""
    at = cache
    for _ in range(3):
        targets = (
            [r for e in case.out_of(at.id, Relation.ROUTES_TO, Relation.INVOKES) if (r := case.production.resource(e.target))]
            if at
            else []
        )
        if len(targets) != 1:
            break
        at = targets[0]
    return at if at is not None and cache is not None and at.id != cache.id else None


def hit_ratio(case: Case, resource: str) -> Reading | None:
    """Share of lookups that are answered, in percent."""
    found = percent(case, resource, _HITS, "mean")
    if found is not None:
        return found
    hits = metric(case, resource, ("CacheHits", "GetHits", re.compile(r"(?i).*(cache|keyspace)_?hits.*")), "mean")
    misses = metric(case, resource, ("CacheMisses", "GetMisses", re.compile(r"(?i).*(cache|keyspace)_?misses.*")), "mean")
    if hits is None or misses is None or hits.value + misses.value <= 0:
        return None
    return Reading(100 * hits.value / (hits.value + misses.value), "%", misses.evidence)


def _lookups(case: Case, resource: str) -> Reading | None:
    found = metric(case, resource, _LOOKUPS, "max")
    return found if found is not None and found.unit == "1/s" else request_rate(case, resource)


def _miss_costs(case: Case, workload: Resource, origin: Resource | None) -> Sequence[Latency]:
    mine = [one for one in latencies(case, workload.id) if _MISS_COST.search(one.series.metric)]
    theirs = list(latencies(case, origin.id)) if origin is not None and not mine else []
    return [one for one in (mine or theirs) if one.active()]


def _by_value(readings: Sequence[Reading | None]) -> tuple[Reading | None, Reading | None]:
    """The lowest and the highest of those that were read."""
    known = sorted((r for r in readings if r is not None), key=lambda r: r.value)
    return (known[0], known[-1]) if known else (None, None)


def metric_name(reading: Reading | None, otherwise: str) -> str:
    """The metric of a reading."""
    return reading.evidence.metric if reading is not None and isinstance(reading.evidence, MetricEvidence) else otherwise
