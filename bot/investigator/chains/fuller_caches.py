"""How much a cache holds in the end when it keeps longer: at most, and at least by what its keys are made of."""

import math
import re
from collections.abc import Sequence

from bot.investigator.asking import Reading, as_number, captures, metric, number, table_statistic
from bot.investigator.case import Case
from bot.investigator.chains.cache_facts import hit_ratio
from bot.investigator.chains.heap_room import CONTAINER_LIMITS
from bot.investigator.facts.cache_memory import Filling, Limit, filling, limit_of
from bot.investigator.facts.placing import downstream
from bot.investigator.facts.traffic import traffic_of
from gonogo.evidence import DatabaseEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Resource
from heuristics.runtime.cache_keys import CacheKey, Newness
from heuristics.runtime.longer_lives import LongerLife

HORIZON_S = 90 * 86_400.0
"""How far ahead it is looked where things are kept for ever."""
_GROWTH = {Newness.ALWAYS: 1.0, Newness.TIME: 0.85, Newness.FREE: 0.6}
"""Different keys that are asked for within a life grow as its power: all of them where each is new, slower where some come
again. That of distinct words in text is 0.4 to 0.6 (Heaps' law: Manning et al., Introduction to Information Retrieval, 5.1.1)."""
_FEW_HITS = 0.5
_MIB = 1024.0**2
_RESIDENT: tuple[str | re.Pattern[str], ...] = (
    pattern(
        r"(?i).*(working_?set|resident|(^|_)rss|container_memory_usage|memory_?used?_?bytes|^memory_?usage)(_?bytes)?([{].*)?"
    ),
)
_ENTRIES: tuple[str | re.Pattern[str], ...] = (
    pattern(r"(?i).*(cache_?(entries|size|items|keys|(item|entry)_?count|estimated_?size)|lru_?(len|size|entries))([{].*)?"),
)
_LOCAL_MISSES: tuple[str | re.Pattern[str], ...] = (
    pattern(r"(?i).*(cache|lru)\w*_?(miss(es)?|loads?|inserts?|puts?)(_?total)?(_?per_?second|_?rate)?([{].*)?"),
)
_VALUE_LOGGED = r"(?i)^(?=.*(?:cache|memo|lru))(?:.*[^\w])?(?:value_?)?(?:bytes|size_?bytes|length|len)[\"']?\s?[=:]\s?[\"']?(?P<size>\d{1,12})(?![\w.])"
_QUERY = pattern(
    r"(?i)\bfrom\s+[\"`]?(?:\w+\.)?(?P<table>\w+)[\"`]?\s+where\s+[\"`]?(?:\w+\.)?\w+[\"`]?\s*=\s*(?:\$1|\?|%s|:\w+|@\w+|%\(\w+\)s)"
)


class Steady(Record):
    """What the cache holds in the end, in the unit of what it uses."""

    least: float | None
    """None where nothing says that the keys are many."""
    most: float
    each: float
    per_s: float
    """What comes a second."""
    rows: DatabaseEvidence | None
    is_own: bool
    """Whether as many keys are held as come within the old life: all of them are of this cache."""
    held: float


def steady_state(
    case: Case, found: LongerLife, known: Filling, keys: Sequence[CacheKey], workload: Resource | None, cache: Resource
) -> Steady | None:
    """None where neither the keys nor how many come a second was read."""
    held, coming = known.held(found.old_s), known.coming(found.old_s)
    if held is None or coming is None or found.new_s is None:
        return None
    own = known.used.value / held
    value = known.value_bytes.value if known.value_bytes is not None and known.unit == "B" else own
    rows = _rows(case, found, keys, workload, held)
    bound = as_number(rows)
    coming_most = max(coming, known.inserts_most or 0.0) if found.new_s < 86_400 else coming
    most_keys = min(coming_most * found.new_s, math.inf if bound is None else max(bound, held))
    most = known.used_most + max(0.0, most_keys - held) * max(own, value)
    fewest = _fewest(case, found, known, keys, workload, cache, held, coming)
    least = None if fewest is None else known.used.value + max(0.0, fewest - held) * own
    is_own = not found.old_s or known.keys is None or known.inserts is None or 0.5 <= held / (coming * found.old_s) <= 2
    return Steady(least, most, own, coming * own, rows, is_own=is_own, held=held)


def _fewest(
    case: Case,
    found: LongerLife,
    known: Filling,
    keys: Sequence[CacheKey],
    workload: Resource | None,
    cache: Resource,
    held: float,
    coming: float,
) -> float | None:
    """How many keys are held in the end at least; None where that is not known."""
    life = min(found.new_s or 0.0, HORIZON_S)
    share = hit_share(case, known, workload, cache)
    newness = newness_of(keys)
    if newness is Newness.ALWAYS:
        return coming * life
    is_open = newness is Newness.TIME or (newness is Newness.FREE and share is not None and share < _FEW_HITS)
    spread = held * (life / found.old_s) ** _GROWTH[newness] if is_open and found.old_s else None
    # As if the same keys were asked for over and over, each as often as any other: N keys, each found with λT ÷ (1 + λT).
    again = None
    if share is not None and found.old_s and 0 < share < 1:
        per_key = share / (1 - share) / found.old_s
        again = held / share * (per_key * life / (1 + per_key * life))
    return max((v for v in (spread, again) if v is not None), default=None)


def newness_of(keys: Sequence[CacheKey]) -> Newness:
    """That of the key which comes again most; unknown without keys."""
    order = (Newness.UNKNOWN, Newness.FREE, Newness.TIME, Newness.ALWAYS)
    return min((k.newness for k in keys), key=order.index, default=Newness.UNKNOWN)


def hit_share(case: Case, known: Filling, workload: Resource | None, cache: Resource) -> float | None:
    """Between 0 and 1: measured, else by the requests of which so many make a new key."""
    for one in (cache, workload):
        read = hit_ratio(case, one.id) if one is not None else None
        if read is not None:
            return min(max(read.value / 100, 0.0), 0.999)
    rate = traffic_of(case, workload.id, "mean") if workload is not None else None
    if rate is None or known.inserts is None or known.inserts >= rate.value:
        return None
    return 1 - known.inserts / rate.value


def _rows(
    case: Case, found: LongerLife, keys: Sequence[CacheKey], workload: Resource | None, held: float
) -> DatabaseEvidence | None:
    """The rows of the one table that a key of one part is looked up in: there are no more answers than those."""
    if workload is None or len(keys) != 1 or len(keys[0].parts) != 1 or keys[0].newness is Newness.ALWAYS:
        return None
    folders = {p.rpartition("/")[0] for p in (keys[0].place.file, *found.readers)}
    texts = [case.diff.head.text(p) or "" for p in case.diff.head.paths() if p.rpartition("/")[0] in folders]
    tables = {m["table"].lower() for text in texts for m in _QUERY.finditer(text[:100_000])}
    read = [
        cited
        for store in downstream(case, workload.id)
        for table in tables
        if (cited := table_statistic(case, store.id, table, "row_estimate")) is not None
    ]
    count = as_number(read[0]) if len(read) == 1 and len(tables) == 1 else None
    return read[0] if count is not None and held <= count * 1.05 else None


# -- in the memory of the process ----------------------------------------------------------------------


class Room(Record):
    """A cache, what it uses, and its limit."""

    filling: Filling
    limit: Limit | None


def room_of(case: Case, found: LongerLife, workload: Resource | None, cache: Resource | None) -> Room | None:
    """That of the store, or of the container for what the process keeps; None when nobody says what is used."""
    if not found.is_local:
        known = filling(case, cache, workload) if cache is not None else None
        return Room(known, limit_of(case, cache, known)) if known is not None and cache is not None else None
    return _of_process(case, workload) if workload is not None else None


def _of_process(case: Case, workload: Resource) -> Room | None:
    used, most = metric(case, workload.id, _RESIDENT, "mean"), metric(case, workload.id, _RESIDENT, "max")
    size = captures(case, workload.id, _VALUE_LOGGED, "size", "mean", unit="B")
    if used is None or most is None or used.unit != "B":
        return None
    copies = number(case, workload.id, "replicas", "desired_count", "count", "instances")
    share = 1 / copies.value if copies is not None and copies.value > 0 else 1.0
    misses = metric(case, workload.id, _LOCAL_MISSES, "mean")
    inserts = misses.value * share if misses is not None and misses.unit == "1/s" else None
    entries = metric(case, workload.id, _ENTRIES, "mean")
    memory = number(case, workload.id, *CONTAINER_LIMITS)
    limit = Limit(memory.value * _MIB, memory.value * _MIB, (memory.evidence,)) if memory is not None else None
    cited: tuple[Reading, ...] = tuple(r for r in (used, entries, misses, size) if r is not None)
    return Room(Filling(used, most.value, "B", entries, inserts, inserts, cited, size), limit)


def steady_process(found: LongerLife, known: Filling, keys: Sequence[CacheKey]) -> Steady | None:
    """The same for entries of a process: what they hold besides the rest of it. Their size is what logs say, as text takes at least."""
    if known.value_bytes is None or known.value_bytes.value <= 0:
        return None
    each, most_entries = known.value_bytes.value, found.most_entries if found.most_entries is not None else math.inf
    coming = known.coming(found.old_s)
    held = known.held(found.old_s) if found.bound is None else found.bound[0]
    if held is None:
        return None
    held = min(held, most_entries)
    new = found.new_s if found.new_s is not None and found.is_life_known else math.inf
    most_keys = min(coming * new if coming is not None else math.inf, most_entries)
    most = known.used_most + max(0.0, most_keys - held) * each * _IN_MEMORY
    least = None
    if newness_of(keys) is Newness.ALWAYS and coming is not None and found.is_life_known:
        least_keys = min(coming * min(new, HORIZON_S), most_entries)
        least = known.used.value + max(0.0, least_keys - held) * each
    return Steady(least, most, each, (coming or 0.0) * each, None, is_own=True, held=held)


_IN_MEMORY = 5.0
"""What an entry takes in a process at most, times its length as text: objects and their references."""
