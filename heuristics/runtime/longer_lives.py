"""Caches and stores that keep longer from now on: a longer life, none at all any more, or more entries at most."""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place
from heuristics.code import ValueChange, value_sites
from heuristics.code.paths import is_production_code
from heuristics.rule import RuleContext
from heuristics.runtime.cache_calls import file_has
from heuristics.runtime.cache_lives import STORES, environment_lives, is_life, lives_of, readers_of
from heuristics.stages import names_other_stage


class LongerLife(Record):
    """One cache that keeps longer, or more. Lives are in seconds, infinite for ever; None where the text does not say them."""

    name: str
    place: Place
    before: Place | None
    said: str
    readers: tuple[str, ...]
    """Files of code that keep things for this long."""
    is_local: bool
    """Whether it is in the memory of the process."""
    old_s: float | None = None
    new_s: float | None = None
    bound: tuple[float, float] | None = None
    """The most entries before and after, where that is what changes; the life then is the one beside it."""
    most_entries: float | None = None
    """The most entries that the process keeps, whatever their life; None where nothing bounds them."""
    is_life_known: bool = True
    """False where a life stands beside the bound that is not a number in the text."""
    declared: Declared | None = None
    is_http: bool = False


LOCAL = pattern(
    r"(?i)lru_?cache|node-?cache|ttlcache|cachetools|caffeine|CacheBuilder|ConcurrentMapCache|ristretto|bigcache|freecache|go-cache|expirable|simplelru"
    r"|IMemoryCache|MemoryCache\b|lru_redux|ActiveSupport::Cache::MemoryStore|:memory_store|moka|quick_?lru|ehcache|\b_?\w*cache\w*\s*(?::[^=\n]{1,60})?:?=\s*(?:\{\}|dict\(\)|new (?:\w*Hash)?Map|make\(map|Hash\.new)"
)
REMOTE = pattern(r"(?i)redis|valkey|memcache(?!d?_?store)|elasticache|dalli|dragonfly|keydb|hazelcast")
_NO_STORE = pattern(
    r"(?i)cookie|jwt|lock|lease|dns|presign|signed|hsts|strict-transport|cors|access-control|preflight|captcha|heartbeat|password|cache_?(dir|path)"
    r"|cache-?_?control|max-?_?age|s-maxage|revalidate|cdn|edge|stale|browser|connection|socket|pool|retry|rate_?limit|throttle"
)
"""Words of what is kept elsewhere than in a cache's memory, or for a moment only."""
_BOUND = pattern(r"(?i)^(max|max_?(imum)?_?(size|entries|items|keys|elements)|capacity|cache_?size|size_?limit|max_?cost)$")
_SETTINGS = (".yaml", ".yml", ".properties", ".json", ".toml", ".env", ".ini")
_CACHES = pattern(
    r"(?i)@Cache(able|Put|Result)\b|@cached?\b|cache\.(get|fetch|set|remember)|redis\w*\.(get|set|setex|opsForValue)"
)
_DECLARES = (".conf", ".tf", ".tfvars", ".hcl", ".zone")
"""Files whose `ttl` is of DNS records, items of a table, or what a proxy keeps."""
_READ_FILES = 2_000
_SOME = 12
_LIFE_NAME = pattern(
    r"(?i)^(default_?|std_?)?(ttl|max_?age|expires?_?(in|after\w*)?|expireAfter\w+|life_?time)(_?(s|ms|sec|seconds))?$"
)
_LIFE_WORD = pattern(r"(?i)(?<![a-z])ttl|max_?age|expire")
_MILLISECONDS = 10_000
"""From this number on a life without a unit is taken to be in milliseconds: 10 s, or 3 h, which is the shorter one."""
_GIVEN = pattern(
    r"(?i)p?setex\(|(?<!\w)[ep]x\s*[=:]|[\"'][EP]X[\"']|expir(e|es|ation|y)\w*|(?<![a-z])ttl|\.(set|put|add|write|store)\(|time_?out\s*="
)
_LONGER = 1.5
_KEPT = r"(?i)\.(set|setex|psetex|put|add|store|write|expire|pexpire|expires)$"


def longer_lives(context: RuleContext) -> tuple[LongerLife, ...]:
    """Every such cache in the change, one a place."""
    kept: dict[tuple[str, int], LongerLife] = {}
    for one in (*_environment(context), *_values(context)):
        kept.setdefault((one.place.file, one.place.line), one)
    return tuple(kept.values())


def _environment(context: RuleContext) -> Iterator[LongerLife]:
    for one in environment_lives(context, but=_NO_STORE):
        if _is_longer(one.old_s, one.new_s):
            readers = readers_of(context, one.name)
            is_local = bool(readers) and all(_is_local(context, "", path) for path in readers)
            yield LongerLife(one.name, one.place, one.before, one.said, readers, is_local, one.old_s, one.new_s)


def _values(context: RuleContext) -> Iterator[LongerLife]:
    by_file: dict[str, list[ValueChange]] = {}
    for value in context.values:
        if is_production_code(value.file) and not names_other_stage(value.file) and not value.file.endswith(_DECLARES):
            by_file.setdefault(value.file, []).append(value)
    for path, values in by_file.items():
        lives = [v for v in values if _keeps(context, v) and not _NO_STORE.search(f"{v.name} {v.path} {v.call}")]
        for value in lives:
            if value.head_line is not None and value.base_line is not None:
                yield from _changed(context, value)
        yield from _gone(context, path, [v for v in lives if v.old_text is not None and _is_unset(v)], lives)
        yield from (one for v in values for one in _bounds(context, v))


def _keeps(context: RuleContext, value: ValueChange) -> bool:
    if _BOUND.search(value.name):
        return False
    if is_life(context, value):
        return True
    if not file_has(context, value.file, STORES):
        return False
    return re.search(_KEPT, value.call) is not None or _is_given(context, value)


def _is_given(context: RuleContext, value: ValueChange) -> bool:
    """Whether a constant, whatever its name, is what a write to a store says as its life."""
    if value.call or not re.fullmatch(r"\w{3,60}", value.name) or value.head_line is None:
        return False
    uses = re.compile(rf"(?<![\w$]){re.escape(value.name)}(?![\w$])")
    lines = (context.head.text(value.file) or "").split("\n")[:5_000]
    return any(uses.search(t[:400]) and _GIVEN.search(t[:400]) for n, t in enumerate(lines, 1) if n != value.head_line)


def _is_unset(value: ValueChange) -> bool:
    return value.new_text is None or value.new_text.lower() in ("none", "null", "nil", "-1")


def _changed(context: RuleContext, value: ValueChange) -> Iterator[LongerLife]:
    old, new = lives_of(value)
    if old is not None and new is not None and _is_longer(old, new):
        yield _found(context, value, Place(file=value.file, line=value.head_line or 1), old, new)


def _gone(context: RuleContext, path: str, gone: Sequence[ValueChange], lives: Sequence[ValueChange]) -> Iterator[LongerLife]:
    """A life that is not said any more, while things are kept as before; another one in its place is a change of it."""
    added = [v for v in lives if v.base_line is None and lives_of(v)[1]]
    if len(added) == len(gone) == 1:
        old, new = lives_of(gone[0])[0], lives_of(added[0])[1]
        if old is not None and new is not None and _is_longer(old, new):
            yield _found(context, gone[0], Place(file=path, line=added[0].head_line or 1), old, new)
        return
    file = context.changes.file(path)
    if added or file is None:
        return
    for value in gone:
        old = lives_of(value)[0]
        hunk = next((h for h in file.hunks if h.base_start <= (value.base_line or 0) < h.base_start + h.base_count), None)
        if not old or hunk is None:
            continue
        last = re.sub(r"(?i)^p?setex$", "set", re.split(r"\W+", value.call)[-1])
        is_kept = (
            bool(last) and any(re.search(rf"(?i)\b{re.escape(last)}\b", t) for t in hunk.added)
        ) or value.new_text is not None
        is_setting = re.search(r"(?i)cache.*(time-to-live|ttl|timeout|expir)", value.path) is not None and not value.call
        is_expire = re.search(r"(?i)^p?expire", last) is not None
        if (is_kept and not is_expire) or (is_setting and value.new_text is None) or (is_expire and not is_kept):
            line = hunk.head_start if hunk.head_count else max(1, hunk.head_start)
            yield _found(context, value, Place(file=path, line=value.head_line or line), old, math.inf)


def _bounds(context: RuleContext, value: ValueChange) -> Iterator[LongerLife]:
    old, new = value.old, value.new
    if isinstance(old, bool | str) or isinstance(new, bool | str) or old is None or new is None or value.head_line is None:
        return
    if _BOUND.search(value.name) and _is_longer(old, new) and _is_local(context, f"{value.call} {value.path}", value.file):
        place = Place(file=value.file, line=value.head_line)
        before = Place(file=value.file, line=value.base_line, side="base") if value.base_line else None
        said = f"`{value.name}` goes from {value.old_text} to {value.new_text} entries"
        lives = _beside(context, value.file, _LIFE_NAME)
        life = max(lives) * (0.001 if max(lives) >= _MILLISECONDS else 1.0) if lives else None
        is_known = life is not None or not file_has(context, value.file, _LIFE_WORD)
        yield LongerLife(
            value.name, place, before, said, (value.file,), is_local=True, old_s=life, new_s=life, bound=(old, new), most_entries=new,
            is_life_known=is_known,
        )  # fmt: skip


def _beside(context: RuleContext, path: str, names: re.Pattern[str]) -> list[float]:
    """The numbers of a file that have such a name; seconds of those that are times, else as they are written."""
    sites = [s for s in value_sites(path, context.head.text(path) or "") if names.search(s.name)]
    values = [s.seconds if s.seconds is not None else s.value for s in sites]
    return [float(v) for v in values if isinstance(v, int | float) and not isinstance(v, bool) and v > 0]


def _found(context: RuleContext, value: ValueChange, place: Place, old: float, new: float) -> LongerLife:
    before = Place(file=value.file, line=value.base_line, side="base") if value.base_line else None
    name = value.name or value.path
    said = f"`{name}` goes from {value.old_text} to {'no end' if math.isinf(new) else value.new_text or f'{new:g} s'}"[:300]
    words = f"{value.call} {value.path}"
    readers = _cached_in(context) if value.file.endswith(_SETTINGS) else (value.file,)
    is_local = _is_local(context, words, value.file)
    most = max(_beside(context, value.file, _BOUND), default=None) if is_local else None
    return LongerLife(name, place, before, said, readers, is_local=is_local, old_s=old, new_s=new, most_entries=most)


def _cached_in(context: RuleContext) -> tuple[str, ...]:
    """Code that caches what it returns, where configuration says for how long."""
    files = islice((p for p in context.head.paths() if is_production_code(p) and not p.endswith(_SETTINGS)), _READ_FILES)
    return tuple(islice((p for p in files if _CACHES.search((context.head.text(p) or "")[:200_000])), _SOME))


def _is_local(context: RuleContext, words: str, path: str) -> bool:
    if REMOTE.search(words):
        return False
    return LOCAL.search(words) is not None or (file_has(context, path, LOCAL) and not file_has(context, path, REMOTE))


def _is_longer(old: float, new: float) -> bool:
    return old > 0 and new >= old * _LONGER
