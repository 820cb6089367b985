"""How long things are cached, as a change says it: in code, in configuration, in the environment of a program."""

import re
from collections.abc import Iterator
from itertools import islice

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import ValueChange
from heuristics.code.paths import is_production_code
from heuristics.rule import RuleContext
from heuristics.runtime.cache_calls import file_has
from heuristics.runtime.cache_change import NOT_A_CACHE
from heuristics.runtime.declared import base_place_of, place_of_change, production_settings


class LifeChange(Record):
    """A life that differs, in seconds."""

    name: str
    place: Place
    before: Place | None
    said: str
    old_s: float
    new_s: float


STORES = pattern(r"(?i)cache|redis|memcache|caffeine|lru")
"""Words of code that works with a cache."""
_LIFE = pattern(r"(?i)(?:^|_)(?:ttl|cache|max_?age)(?:_|$)")
"""Words of a variable that says how long something is cached."""
_NO_LIFE = pattern(
    r"(?i)size|entries|items|count|capacity|db|port|host|url|prefix|name|backend|path|dir$|days?|retention|keep|record|row|backup"
)
_READ_FILES = 2_000
_CACHE = pattern(
    r"(?i)cache|ttl(?![a-z])|max-?_?age|s-maxage|time-to-live|\brevalidate\b|expireAfter(Write|Access)|memoi[sz]e|setex|stale"
)
_EXPIRY = pattern(
    r"(?i)^(ex|px|expires?_?in|expire|expires|expiry|timeout|ttl|absoluteExpirationRelativeToNow|slidingExpiration)$"
)
_KEEPS = pattern(r"(?i)(redis|rdb|memcached?|cache)\w*\.(set|add|put|setnx)$")
_NO_TIME = pattern(r"(?i)size|entries|items|count|capacity|db$|port")


def environment_lives(context: RuleContext, *, but: re.Pattern[str] = NOT_A_CACHE) -> Iterator[LifeChange]:
    """A life that the program takes from its environment: of a pod, a function, a task, or a map of values that they take whole."""
    for change in production_settings(context):
        group, _, name = change.key.rpartition(".")
        if group.rpartition(".")[2] not in ("environment", "data", "vars") or not _LIFE.search(name) or _NO_LIFE.search(name):
            continue
        old, new = (
            duration_of(str(s.value)) if s is not None and s.value is not None else None for s in (change.old, change.new)
        )
        if but.search(name) or old is None or new is None or old == new:
            continue
        if not re.search(r"(?i)cache", name) and not readers_of(context, name):
            continue
        factor = 0.001 if re.search(r"(?i)_ms$|millis", name) else 1.0
        said = f"`{name}` goes from {old:g} to {new:g}"
        yield LifeChange(name, place_of_change(change), base_place_of(change), said, old * factor, new * factor)


def readers_of(context: RuleContext, name: str) -> tuple[str, ...]:
    """The code of this repository that has the variable's name and works with a cache."""
    files = islice((p for p in context.head.paths() if is_production_code(p)), _READ_FILES)
    return tuple(p for p in files if name in (text := context.head.text(p) or "") and STORES.search(text))


def is_life(context: RuleContext, value: ValueChange) -> bool:
    """Whether a value is how long something is cached."""
    words = f"{value.name} {value.path} {value.call}"
    says_so = (
        _CACHE.search(words) is not None
        or _KEEPS.search(value.call) is not None
        or (
            _EXPIRY.search(value.name) is not None
            and (STORES.search(value.call) is not None or file_has(context, value.file, STORES))
        )
    )
    return says_so and _NO_TIME.search(value.name) is None


def lives_of(value: ValueChange) -> tuple[float | None, float | None]:
    """Old and new life in seconds; bare numbers that are large and round are taken to be milliseconds, both alike."""
    said = (
        _written(value.old_text) if value.old_seconds is None else value.old_seconds,
        _written(value.new_text) if value.new_seconds is None else value.new_seconds,
    )
    if said != (None, None):
        return said
    old, new = (None if isinstance(v, bool | str) else v for v in (value.old, value.new))
    known = [v for v in (old, new) if v is not None]
    factor = 0.001 if known and max(known) >= 100_000 and max(known) % 1000 == 0 else 1.0
    return (None if old is None else old * factor), (None if new is None else new * factor)


def _written(text: str | None) -> float | None:
    """A time that has its unit beside it, as `7d`."""
    return duration_of(text) if text is not None and re.fullmatch(r"[\"']?\d{1,9}(ms|s|m|h|d)[\"']?", text.strip()) else None


def duration_of(text: str) -> float | None:
    """Seconds of `90`, `90s` or `15m`; None for anything else."""
    found = re.search(r"(\d{1,9})(ms|s|m|h|d)?$", text.strip().strip("\"'"))
    return float(found[1]) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}.get(found[2] or "s", 1) if found else None
