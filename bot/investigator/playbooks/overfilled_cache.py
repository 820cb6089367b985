"""A cache that keeps longer or more, against the memory that it has."""

import math
from collections.abc import Iterator

from bot.investigator.asking import quote, quote_place, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.cache_facts import cache_of, metric_name, workload_with_cache
from bot.investigator.chains.fuller_caches import HORIZON_S, Room, Steady, newness_of, room_of, steady_process, steady_state
from bot.investigator.facts.cache_memory import EvictionPolicy, policy_of
from bot.investigator.facts.traffic import per_second
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import FileEvidence
from gonogo.pattern import pattern
from gonogo.resource import Relation, Resource
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.code.paths import is_production_code
from heuristics.runtime.cache_keys import CacheKey, Newness, keys_of
from heuristics.runtime.longer_lives import LongerLife, longer_lives

INFO = PlaybookInfo(id="overfilled-cache", question="Does the cache's memory hold what it keeps from now on?")

_OPEN_FROM = 0.85
"""The share of a limit from which on nobody can say that it fits."""
_OF_PROCESS = "kubectl top pod; kubectl get deploy -o jsonpath='{..resources.limits.memory}'"
_GIB = 1024.0**3
_CAUGHT = pattern(r"\bcatch\b|\bexcept\b|\brescue\b|\.catch\(|if err\s*!?=")
_WRITES = pattern(r"(?i)\.(set|setex|psetex|put|store|write|add)\w*\s*\(")


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a cache, where it is known how much of its memory is used."""
    told: set[str] = set()
    for found in case.diff.once(longer_lives):
        workload = workload_with_cache(case, found)
        cache = workload if found.is_local else cache_of(case, found, workload)
        room = room_of(case, found, workload, cache)
        if cache is None or room is None or cache.id in told or (found.is_local and room.filling.value_bytes is None):
            continue
        told.add(cache.id)
        yield _chain(case, found, room, cache, workload)


def _chain(case: Case, found: LongerLife, room: Room, cache: Resource, workload: Resource | None) -> Trajectory:
    keys = keys_of(case.diff, found.readers)
    line = quote_place(case, found.place)
    removed = quote_removed(case, found.before.file, found.before.line)[:1] if found.before is not None else ()
    cited = room.filling.cited
    name = cache.name or "the cache"
    return Trajectory(
        title=f"{name} is killed when its cache fills the container" if found.is_local else f"{name} is full and refuses writes",
        impact=Impact.HIGH,
        resource=ResourceId(cache.id),
        metric=metric_name(room.filling.used, "used memory"),
        links=(
            trigger(found.said, line, *removed),
            mechanism(_how(found, keys), line, *_quoted(case, keys)),
            exposure(_exposed(found, room, name), *cited),
            _harm(case, found, room, cache, workload, keys),
        ),
        make_safe="Keep the life and bound the entries, or let the server evict (`allkeys-lru`) and give it the memory first.",
        path=tuple(dict.fromkeys((ResourceId(cache.id), *((ResourceId(workload.id),) if workload is not None else ())))),
        undo="Put the old value back and deploy; keys that are kept for long already have to be deleted or given their old life.",
    )  # fmt: skip


def _how(found: LongerLife, keys: tuple[CacheKey, ...]) -> str:
    if found.bound is not None:
        kept = f"up to {found.bound[1]:,.0f} entries are kept instead of {found.bound[0]:,.0f}"
    elif found.new_s is None or math.isinf(found.new_s):
        kept = "entries are never forgotten"
    else:
        kept = f"entries are kept for {_span(found.new_s)}" + (f" instead of {_span(found.old_s)}" if found.old_s else "")
    match newness_of(keys):
        case Newness.ALWAYS:
            return f"{kept}, and `{keys[0].because}` in the key is another one for each request, so nothing is found again"
        case Newness.TIME:
            return (
                f"{kept}, and `{keys[0].because}` in the key is a point in time that requests name, so new keys come all the time"
            )
        case Newness.FREE:
            return f"{kept}, and the key is made of what requests say freely (`{keys[0].because}`)"
        case Newness.UNKNOWN:
            return f"{kept}, so more of them are there at the same time"


def _quoted(case: Case, keys: tuple[CacheKey, ...]) -> tuple[FileEvidence, ...]:
    return tuple(quote(case, k.place.file, k.place.line) for k in keys[:3])


def _exposed(found: LongerLife, room: Room, name: str) -> str:
    known = room.filling
    held, coming = known.held(found.old_s), known.coming(found.old_s)
    count = f" with {held:,.0f} keys" if held is not None else ""
    rate = f"; {per_second(coming)} come new" if coming is not None else ""
    return f"{name} uses {_amount(known.used.value, known.unit)}{count}{rate}"


def _harm(
    case: Case, found: LongerLife, room: Room, cache: Resource, workload: Resource | None, keys: tuple[CacheKey, ...]
) -> Link:
    known, limit = room.filling, room.limit
    name = cache.name or "the cache"
    steady = steady_process(found, known, keys) if found.is_local else steady_state(case, found, known, keys, workload, cache)
    cited = (*known.cited, known.value_bytes, *(limit.cited if limit is not None else ()))
    if steady is None:
        return unknown(
            Role.HARM, f"{name} holds more than its memory", "How many keys does it hold, and how many come new in a second?",
            _OF_PROCESS if found.is_local else "redis-cli INFO keyspace; redis-cli INFO stats | grep expired_keys", *cited,
        )  # fmt: skip
    if limit is None:
        return unknown(
            Role.HARM, f"{name} holds {_range(steady, known.unit)} in the end", f"How much memory may {name} use, and what does it do when that is full?",
            _OF_PROCESS if found.is_local else "redis-cli CONFIG GET maxmemory*; redis-cli INFO memory", *cited,
        )  # fmt: skip
    unit = "B" if known.unit == "B" else "%"
    if steady.most < _OPEN_FROM * limit.least:
        claim = f"{name} needs more than its {_amount(limit.least, unit)}: at most {_amount(steady.most, unit)} are held"
        return harm(claim, *cited, steady.rows, comparison=compare(round(steady.most, 2), ">", limit.least, unit))
    policy = policy_of(case, cache) if not found.is_local else None
    if policy is not None and policy.evicts(has_life=found.new_s is not None and math.isfinite(found.new_s)):
        return _of_evicting(case, policy, cache, workload, name)
    question = _open_because(case, found, steady, policy, cache, name)
    claim = f"{name} needs {_range(steady, unit)} of its {_amount(limit.most, unit)}"
    if steady.least is not None and steady.least > limit.most and question is None:
        after = max(0.0, limit.most - known.used.value) / steady.per_s
        what = (
            "its container is killed (OOMKilled)"
            if found.is_local
            else "writes are refused (OOM command not allowed, `noeviction`)"
        )
        said = f"{name} is full about {_span(after)} after the change and {what}: it would need {_amount(steady.least, unit)} of {_amount(limit.most, unit)}"
        return harm(said, *cited, policy.cited if policy is not None else None, comparison=compare(round(steady.least, 2), ">", limit.most, unit))  # fmt: skip
    asked = question or f"How many different keys are asked for within {_span(min(found.new_s or HORIZON_S, HORIZON_S))}?"
    query = _OF_PROCESS if found.is_local else "redis-cli CONFIG GET maxmemory*; redis-cli INFO memory; redis-cli INFO keyspace"
    return unknown(Role.HARM, claim, asked, query, *cited, policy.cited if policy is not None else None)


def _of_evicting(case: Case, policy: EvictionPolicy, cache: Resource, workload: Resource | None, name: str) -> Link:
    """A server that makes room refuses nothing; what else is kept there goes instead."""
    others = {
        e.source
        for e in case.into(cache.id, Relation.READS_FROM, Relation.WRITES_TO, Relation.CONNECTS_TO)
        if workload is None or e.source != workload.id
    }
    if others:
        return unknown(
            Role.HARM, f"{name} pushes out keys of the {len(others)} others that use it (`{policy.name}`)", "Can they do without the keys that are pushed out?",
            "redis-cli INFO stats | grep evicted_keys; redis-cli --bigkeys", policy.cited,
        )  # fmt: skip
    claim = f"{name} refuses writes when it is full; it evicts instead (`{policy.name}`), and nothing else uses it"
    return harm(claim, refuting=(policy.cited,), refutation=Refutation.GUARDED)


def _open_because(
    case: Case, found: LongerLife, steady: Steady, policy: EvictionPolicy | None, cache: Resource, name: str
) -> str | None:
    """The question that is left although the numbers say that it fills; None when none is."""
    if not found.is_local and policy is None:
        return f"What does {name} do when its memory is full: refuse writes or evict keys?"
    if not steady.is_own:
        return "How many of the keys are of this cache, and for how long are the others kept?"
    if not found.is_local and _is_caught(case, found):
        return "What does the program do when a write to the cache fails?"
    callers = {e.source for e in case.into(cache.id, Relation.READS_FROM, Relation.WRITES_TO, Relation.CONNECTS_TO)}
    return "How many of the keys are of this cache?" if not found.is_local and len(callers) > 1 else None


def _is_caught(case: Case, found: LongerLife) -> bool:
    """Whether code that writes to the cache goes on when that fails."""
    for path in found.readers:
        lines = (case.diff.head.text(path) or "").split("\n")[:5_000] if is_production_code(path) else []
        if any(_WRITES.search(t[:400]) and any(_CAUGHT.search(x[:400]) for x in lines[n : n + 5]) for n, t in enumerate(lines)):
            return True
    return False


def _range(steady: Steady, unit: str) -> str:
    most = "no bound" if math.isinf(steady.most) else f"at most {_amount(steady.most, unit)}"
    return f"at least {_amount(steady.least, unit)}, {most}" if steady.least is not None else most


def _amount(value: float, unit: str) -> str:
    if unit != "B":
        return f"{value:,.3g} %"
    return f"{value / _GIB:,.3g} GiB" if value >= _GIB else f"{value / 1024**2:,.3g} MiB"


def _span(seconds: float) -> str:
    for size, unit in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}{'' if seconds == size else 's'}"
    return f"{seconds:.3g} s"
