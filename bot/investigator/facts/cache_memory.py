"""How a cache fills its memory: what is used, how many keys that is, how many come a second, how much there may be."""

import re
from collections.abc import Iterator

from bot.investigator.asking import Reading, captures, config, metric, number, quote
from bot.investigator.case import Case
from bot.investigator.facts.rates import Names
from gonogo.change import Side
from gonogo.context import Statistic
from gonogo.evidence import Evidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Resource
from heuristics.code import is_test_path
from heuristics.runtime.instances import size_of
from heuristics.stages import names_other_stage

_MIB = 1024.0**2
_USED: Names = (
    "redis_memory_used_bytes", "BytesUsedForCache", "BytesUsedForCacheItems", "used_memory", "memcached_current_bytes",
    pattern(r"(?i)((redis|valkey|memcached|cache)_?)?(memory_?used|used_?memory|current_?bytes|bytes_?used|memory_?usage|usage_?bytes)(_?dataset)?(_?bytes)?([{].*)?|bytes"),
)  # fmt: skip
_USED_PERCENT: Names = ("DatabaseMemoryUsagePercentage", "DatabaseCapacityUsagePercentage", pattern(r"(?i).*memory.*(usage|used|utili[sz]ation).*(percent\w*|ratio|pct)?([{].*)?"))  # fmt: skip
_KEYS: Names = ("redis_db_keys", "CurrItems", "key_count", "curr_items", pattern(r"(?i)((redis|valkey|memcached|cache)_?)?(db_?)?(keys|curr(ent)?_?items|key_?count|num_?keys|keyspace_?keys|dbsize)([{].*)?"))  # fmt: skip
_GONE = r"(_?(keys|items))?(_?total)?(_?per_?second|_?rate|_?per_?sec)?([{].*)?"
_EXPIRED: Names = ("Reclaimed", pattern(rf"(?i)((redis|valkey|memcached|cache)_?)?(items_?)?(expired|reclaimed|expirations|expiries){_GONE}"))  # fmt: skip
_EVICTED: Names = ("Evictions", pattern(rf"(?i)((redis|valkey|memcached|cache)_?)?(items_?)?(evicted|evictions){_GONE}"))
_MISSES: Names = ("CacheMisses", "GetMisses", pattern(r"(?i).*(cache|keyspace)_?miss(es)?(_?total)?(_?per_?second|_?rate|_?per_?sec)?([{].*)?"))  # fmt: skip
_LIMIT: Names = ("redis_memory_max_bytes", "redis_config_maxmemory", "memcached_limit_bytes", pattern(r"(?i)((redis|valkey|memcached|cache)_?)?(config_?)?(max_?memory|memory_?max|limit_?max_?bytes)(_?bytes)?([{].*)?"))  # fmt: skip
_LIMIT_KEYS = (
    "maxmemory_bytes", "maxmemory", "max_memory_bytes", "parameter.maxmemory", "memory_limit_bytes", "limit_maxbytes", "maxmemory_mb", "maxmemory_mib", "max_memory_mb",
    "maxmemory_gb", "maxmemory_gib", "max_memory_gb", "memory_size_gb", "memorysizegb",
)  # fmt: skip
_POLICY_KEYS = ("maxmemory_policy", "maxmemory-policy", "parameter.maxmemory-policy", "eviction_policy", "maxmemorypolicy")
_POLICY = r"(?:noeviction|allkeys-\w+|volatile-\w+)"
_POLICY_TEXT = pattern(rf"maxmemory-?_?[pP]olicy[\"']?[^\n]{{0,20}}?(?:\n[^\n]{{0,40}})??(?<![\w-])(?P<policy>{_POLICY})")
_LIMIT_TEXT = pattern(r"(?i)maxmemory[\"']?(?!-)[\s=:\"',]{1,6}(?P<size>\d{1,14}\s?(?:[kmg]b?)?)\b")
_TEXTS = (".tf", ".tfvars", ".yaml", ".yml", ".json", ".conf", ".sh", ".env", ".toml", ".ts", ".py", "Dockerfile")
_UNITS = {"": 1.0, "b": 1.0, "k": 1e3, "kb": 1024.0, "m": 1e6, "mb": _MIB, "mi": _MIB, "mib": _MIB, "g": 1e9, "gb": 1024.0**3, "gi": 1024.0**3, "gib": 1024.0**3}  # fmt: skip
"""As redis.conf reads them: `1k` is 1,000 bytes, `1kb` is 1,024."""
_SIZE_LOGGED = r"(?i)^(?=.*cache)(?:.*[^\w])?(?:value_?)?(?:bytes|size|length|len|size_?bytes)[\"']?\s?[=:]\s?[\"']?(?P<size>\d{1,12})(?![\w.])"


class Limit(Record):
    """How much memory there is, in the unit of what is used; `least` and `most` differ where only the class of the machine is known."""

    least: float
    most: float
    cited: tuple[Evidence, ...]


class Filling(Record):
    """What was read of a cache. Bytes, or percent of its memory (`unit`); keys; seconds."""

    used: Reading
    used_most: float
    unit: str
    keys: Reading | None
    inserts: float | None
    """New keys a second on average: in a steady state as many as go."""
    inserts_most: float | None
    cited: tuple[Reading, ...]
    value_bytes: Reading | None
    """The size of a value as logs say it."""

    def held(self, life_s: float | None) -> float | None:
        """How many keys are held: counted, else as many as come within a life."""
        if self.keys is not None and self.keys.value > 0:
            return self.keys.value
        return self.inserts * life_s if self.inserts and life_s else None

    def coming(self, life_s: float | None) -> float | None:
        """New keys a second: measured, else as many as are held come within a life."""
        if self.inserts:
            return self.inserts
        return self.keys.value / life_s if self.keys is not None and life_s else None


def filling(case: Case, cache: Resource, workload: Resource | None) -> Filling | None:
    """None when nobody says how much memory is used."""
    used = _bytes(case, cache.id, "mean")
    most = _bytes(case, cache.id, "max")
    if used is None or most is None:
        used, most = (_percent(case, cache.id, s) for s in ("mean", "max"))
    if used is None or most is None or used.value <= 0:
        return None
    keys = metric(case, cache.id, _KEYS, "mean") or number(case, cache.id, "key_count", "keys", "curr_items")
    sources = [cache.id, *([workload.id] if workload is not None else [])]
    gone, gone_most = (_gone(case, cache.id, s) for s in ("mean", "max"))
    if not gone:
        misses = [next((r for s in sources if (r := _rate(case, s, _MISSES, stat)) is not None), None) for stat in _STATISTICS]
        gone, gone_most = ([m] if m is not None else [] for m in misses)
    return Filling(
        used=used, used_most=most.value, unit=used.unit, keys=keys,
        inserts=sum(r.value for r in gone) or None, inserts_most=sum(r.value for r in gone_most) or None,
        cited=tuple(r for r in (used, keys, *gone) if r is not None),
        value_bytes=captures(case, workload.id, _SIZE_LOGGED, "size", "mean", unit="B") if workload is not None else None,
    )  # fmt: skip


_STATISTICS: tuple[Statistic, ...] = ("mean", "max")


def limit_of(case: Case, cache: Resource, known: Filling) -> Limit | None:
    """What the server itself is limited to, else what the class of its machine has; None when neither was read.

    Of an ElastiCache node of a class, between half and all of the memory is for data: cache.t4g.small has 2 GiB, of which 1.37 are
    (docs.aws.amazon.com, Redis node-type specific parameters), less what is reserved.
    """
    if known.unit == "%":
        return Limit(100.0, 100.0, (known.used.evidence,))
    larger = _enlarged(case)
    for key in _LIMIT_KEYS:
        cited = config(case, cache.id, key)
        size = _size(str(cited.value), key) if cited is not None and not isinstance(cited.value, bool) else None
        if cited is not None and size:
            return Limit(size * larger, size * larger, (cited,))
    live = metric(case, cache.id, _LIMIT, "max")
    if live is not None and live.unit == "B" and live.value > 0:
        return Limit(live.value * larger, live.value * larger, (live.evidence,))
    share, most = (metric(case, cache.id, _USED_PERCENT, s) for s in _STATISTICS)
    if share is not None and most is not None and share.unit == "%" and share.value > 1:
        size = known.used.value * 100 / share.value
        return Limit(size, size, (share.evidence,))
    node = config(case, cache.id, "node_type", "instance_type", "instance_class", "cache_node_type")
    sized = size_of(node.value) if node is not None and isinstance(node.value, str) else None
    if node is not None and sized is not None and sized.memory_gib:
        shards = number(case, cache.id, "num_node_groups", "shards", "num_shards", "node_groups")
        whole = sized.memory_gib * 1024**3
        return Limit(whole / 2, whole * max(1.0, shards.value if shards is not None else 1.0), (node,))
    return None


class EvictionPolicy(Record):
    """What the server does when its memory is full."""

    name: str
    cited: Evidence

    def evicts(self, *, has_life: bool) -> bool:
        """Whether it makes room for a new key; with `volatile-…` only keys that have a life go."""
        return self.name.startswith("allkeys") or self.name == "lru" or (self.name.startswith("volatile") and has_life)


def policy_of(case: Case, cache: Resource) -> EvictionPolicy | None:
    """As it is live, or as the one configuration in the repository says it from now on; None when neither was found."""
    stated = list(_stated(case, "head"))
    is_changed = {name for name, _ in stated} != {name for name, _ in _stated(case, "base")}
    live = config(case, cache.id, *_POLICY_KEYS)
    if live is not None and isinstance(live.value, str) and not is_changed:
        return EvictionPolicy(live.value.lower(), live)
    engine = config(case, cache.id, "engine")
    if engine is not None and str(engine.value).lower().startswith("memcache"):
        return EvictionPolicy("lru", engine)
    if len({name for name, _ in stated}) == 1:
        return EvictionPolicy(stated[0][0], stated[0][1])
    return None


def _stated(case: Case, side: Side) -> Iterator[tuple[str, Evidence]]:
    for path, text in _texts(case, side):
        for found in _POLICY_TEXT.finditer(text):
            at = text.count("\n", 0, found.start("policy")) + 1
            yield found["policy"], quote(case, path, at, side=side)


def _enlarged(case: Case) -> float:
    """By what factor the same change gives the server more memory, or less."""
    sizes = [
        {size for _, text in _texts(case, side) for m in _LIMIT_TEXT.finditer(text) if (size := _size(m["size"], ""))}
        for side in ("base", "head")
    ]
    return min(sizes[1]) / min(sizes[0]) if len(sizes[0]) == len(sizes[1]) == 1 else 1.0


def _texts(case: Case, side: Side) -> Iterator[tuple[str, str]]:
    tree = case.diff.trees[side]
    paths = [p for p in tree.paths() if p.endswith(_TEXTS) and not names_other_stage(p) and not is_test_path(p)]
    for path in paths[:1_000]:
        text = (tree.text(path) or "")[:200_000]
        if re.search(r"(?i)maxmemory", text) and "docker-compose" not in path:
            yield path, text


def _size(text: str, key: str) -> float | None:
    found = re.fullmatch(r"(?i)\s*(\d+(?:\.\d+)?(?:e\+?\d+)?)\s?([kmg]?i?b?)\s*", text)
    if found is None:
        return None
    named = re.search(r"_(mb|mib|gb|gib)$|(sizegb)$", key)
    unit = (named[1] or "gb") if named is not None and not found[2] else found[2].lower()
    return float(found[1]) * _UNITS.get(unit, 1.0)


def _bytes(case: Case, resource: str, statistic: Statistic) -> Reading | None:
    found = metric(case, resource, _USED, statistic)
    return found if found is not None and found.unit == "B" else None


def _percent(case: Case, resource: str, statistic: Statistic) -> Reading | None:
    found = metric(case, resource, _USED_PERCENT, statistic)
    return found if found is not None and found.unit == "%" else None


def _rate(case: Case, resource: str, names: Names, statistic: Statistic) -> Reading | None:
    found = metric(case, resource, names, statistic)
    return found if found is not None and found.unit == "1/s" else None


def _gone(case: Case, resource: str, statistic: Statistic) -> list[Reading]:
    """Keys that expire and that are pushed out, a second."""
    expired = _rate(case, resource, _EXPIRED, statistic)
    evicted = _rate(case, resource, _EVICTED, statistic)
    return [r for r in (expired, evicted) if r is not None and r.value > 0] if expired is not None else []
