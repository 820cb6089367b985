"""Caches that keep less: a shorter life, no storing at all, another key for everything."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from gonogo.change import ChangedFile
from gonogo.resource import Declared, Place
from heuristics.code import ValueChange
from heuristics.code.paths import is_production_code
from heuristics.rule import RuleContext
from heuristics.runtime.declared import base_place_of, number_of, place_of_change, production_settings


class Loss(StrEnum):
    """What the cache loses."""

    LIFE = "shorter"
    ALL = "off"
    KEY = "key"


@dataclass(frozen=True, slots=True)
class CacheChange:
    """One cache that answers less often from now on. Lives are in seconds; None where the text does not say them."""

    loss: Loss
    name: str
    place: Place
    before: Place | None
    said: str
    is_http: bool
    """True when shared HTTP caches (a CDN, a proxy) obey it."""
    old_s: float | None = None
    new_s: float | None = None
    declared: Declared | None = None
    is_certain: bool = True


def cache_losses(context: RuleContext) -> tuple[CacheChange, ...]:
    """Every such cache in the change, one a place."""
    found = [*_settings(context), *_values(context), *_removed_calls(context), *_keys_in_lines(context)]
    kept: dict[tuple[str, int], CacheChange] = {}
    for one in found:
        kept.setdefault((one.place.file, one.place.line), one)
    return tuple(kept.values())


# -- manifests -----------------------------------------------------------------------------------

CACHING_DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad"
"""CloudFront's managed policy that stores nothing: docs.aws.amazon.com, managed cache policies."""
_LIVES = ("default_ttl_s", "max_ttl_s", "min_ttl_s")


def _settings(context: RuleContext) -> Iterator[CacheChange]:
    for change in production_settings(context):
        kind = change.declared.kind
        if not kind.startswith(
            ("aws.cloudfront", "aws.apigateway.stage", "google.compute", "cloudflare.", "azurerm.cdn", "fastly", "azure.cdn")
        ):
            continue
        last = change.key.rpartition(".")[2]
        old, new = number_of(change.old), number_of(change.new)
        values = [str(s.value if s.value is not None else s.text) if s is not None else "" for s in (change.old, change.new)]
        said = f"`{change.key}` goes from {values[0] or 'unset'} to {values[1] or 'unset'}"
        name, place, before = change.declared.name or change.declared.address, place_of_change(change), base_place_of(change)
        if (
            last in (*_LIVES, "edge_ttl", "default_ttl", "max_ttl", "client_ttl")
            and old is not None
            and new is not None
            and _is_shorter(old, new)
        ):
            if last != "min_ttl_s":
                yield CacheChange(
                    Loss.LIFE if new > 0 else Loss.ALL,
                    name,
                    place,
                    before,
                    said,
                    is_http=True,
                    old_s=old,
                    new_s=new,
                    declared=change.declared,
                )
        elif (last in ("cache_policy", "cache_policy_id") and _is_disabled(values[1]) and not _is_disabled(values[0])) or (
            last in ("cache_enabled", "enable_cdn", "caching_enabled")
            and values[0].lower() == "true"
            and values[1].lower() == "false"
        ):
            yield CacheChange(Loss.ALL, name, place, before, said, is_http=True, new_s=0, declared=change.declared)


def _is_disabled(policy: str) -> bool:
    return CACHING_DISABLED in policy or re.search(r"(?i)caching_?-?disabled", policy) is not None


# -- values ----------------------------------------------------------------------------------------

_CACHE = re.compile(
    r"(?i)cache|ttl(?![a-z])|max-?_?age|s-maxage|time-to-live|\brevalidate\b|expireAfter(Write|Access)|memoi[sz]e|setex|stale"
)
_EXPIRY = re.compile(
    r"(?i)^(ex|px|expires?_?in|expire|expires|expiry|timeout|ttl|absoluteExpirationRelativeToNow|slidingExpiration)$"
)
_KEEPS = re.compile(r"(?i)(redis|rdb|memcached?|cache)\w*\.(set|add|put|setnx)$")
_STORES = re.compile(r"(?i)cache|redis|memcache|caffeine|lru")
_NOT_A_CACHE = re.compile(
    r"(?i)session|token|jwt|cookie|lock|lease|otp\b|password|dns|invite|presign|signed|idempot|dedup|rate_?limit|throttle|nonce|csrf|hsts"
    r"|strict-transport|negative|cors|access-control|preflight|credential|captcha|verification|cache_?(size|dir|path|max_?(size|entries))|heartbeat|presence"
)
_NONE_KEPT = re.compile(
    r"(?i)null_store|NullStore|DummyCache|\bdummy\b|null_?cache|NoOpCache|\bnone\b|\boff\b|ArrayStore|\barray\b"
)
_SHARED_KEPT = re.compile(r"(?i)redis|memcache|mem_cache|file_store|dalli|solid_cache|hazelcast|caffeine|elasticache|database")


def _values(context: RuleContext) -> Iterator[CacheChange]:
    for value in context.values:
        if not is_production_code(value.file) or re.search(
            r"(?i)(^|[/_.-])(dev(elopment)?|test|staging|local)([/_.-]|$)", value.file
        ):
            continue
        if value.head_line is None and value.base_line is None:
            continue
        yield from _of_value(context, value)


def _of_value(context: RuleContext, value: ValueChange) -> Iterator[CacheChange]:
    words = f"{value.name} {value.path} {value.call}"
    if _NOT_A_CACHE.search(words):
        return
    place = Place(file=value.file, line=value.head_line or 1)
    before = Place(file=value.file, line=value.base_line, side="base") if value.base_line else None
    said = f"`{value.name or value.path}` goes from {value.old_text or 'unset'} to {value.new_text or 'unset'}"[:300]

    def loss(kind: Loss, *, is_http: bool, old: float | None = None, new: float | None = None) -> CacheChange:
        return CacheChange(kind, value.name or value.path, place, before, said, is_http, old, new)

    is_header = re.search(r"(?i)cache-?_?control|cdn-cache", words) is not None or (
        isinstance(value.old, str) and "max-age" in value.old
    )
    if is_header and isinstance(value.old, str) and isinstance(value.new, str):
        old, new = shared_life(value.old), shared_life(value.new)
        if old is not None and old > 0 and new is not None and _is_shorter(old, new):
            yield loss(Loss.LIFE if new > 0 else Loss.ALL, is_http=True, old=old, new=new)
        return
    if isinstance(value.old, bool) and isinstance(value.new, bool):
        is_switch = re.search(r"(?i)cach(e|ing)", words) and re.search(
            r"(?i)enable|perform|everything|caching$|use_?cache|cache$|active|on$", words
        )
        if value.old and not value.new and is_switch:
            yield loss(Loss.ALL, is_http=False)
        return
    if value.file.endswith(".conf") or "nginx" in value.file:
        yield from _of_proxy(value, loss)
        return
    if isinstance(value.old, str) and isinstance(value.new, str) and _is_emptied(value, value.old, value.new):
        yield loss(Loss.ALL, is_http=False)
        return
    old_s, new_s = _lives(value)
    is_life = (
        _CACHE.search(words)
        or _KEEPS.search(value.call)
        or (_EXPIRY.search(value.name) and (_STORES.search(value.call) or _file_has(context, value.file, _STORES)))
    )
    if old_s is not None and new_s is not None:
        if is_life and _is_shorter(old_s, new_s) and not re.search(r"(?i)size|entries|items|count|capacity|db$|port", value.name):
            yield loss(Loss.LIFE if new_s > 0 else Loss.ALL, is_http=_is_shared_http(words), old=old_s, new=new_s)
        return
    if isinstance(value.old, str) and isinstance(value.new, str) and _is_key(context, value):
        yield loss(Loss.KEY, is_http=False)


def _is_emptied(value: ValueChange, old: str, new: str) -> bool:
    """Whether a cache's store becomes one that keeps nothing."""
    is_store = re.search(r"(?i)cache", f"{value.name} {value.path} {value.call} {value.scope}") is not None
    return is_store and bool(_SHARED_KEPT.search(old) and _NONE_KEPT.search(new)) and not _SHARED_KEPT.search(new)


def _of_proxy(value: ValueChange, loss: Callable[..., CacheChange]) -> Iterator[CacheChange]:
    old, new = (_duration(str(v)) for v in (value.old_text or "", value.new_text or ""))
    if (
        value.name in ("proxy_cache", "fastcgi_cache", "uwsgi_cache")
        and value.new_text == "off"
        and value.old_text not in (None, "off")
    ):
        yield loss(Loss.ALL, is_http=True)
    elif value.name in ("proxy_cache_valid", "fastcgi_cache_valid", "expires") and old is not None and old > 0:
        if value.name == "expires" and value.new_text in ("off", "-1", "epoch", "0"):
            yield loss(Loss.ALL, is_http=True, old=old, new=0)
        elif new is not None and _is_shorter(old, new):
            yield loss(Loss.LIFE if new > 0 else Loss.ALL, is_http=True, old=old, new=new)


def shared_life(header: str) -> float | None:
    """How long a shared cache keeps an answer with this Cache-Control, in seconds; None when the header does not say."""
    text = header.lower()
    if re.search(r"no-store|private|no-cache", text):
        return 0.0
    found = re.search(r"s-maxage\s*=\s*(\d{1,12})", text) or re.search(r"max-age\s*=\s*(\d{1,12})", text)
    return float(found[1]) if found else None


def _lives(value: ValueChange) -> tuple[float | None, float | None]:
    """Old and new life in seconds; bare numbers that are large and round are taken to be milliseconds, both alike."""
    if value.old_seconds is not None or value.new_seconds is not None:
        return value.old_seconds, value.new_seconds
    old, new = value.old, value.new
    if isinstance(old, bool | str) or isinstance(new, bool | str) or old is None or new is None:
        return None, None
    factor = 0.001 if max(old, new) >= 100_000 and max(old, new) % 1000 == 0 else 1.0
    return old * factor, new * factor


def _duration(text: str) -> float | None:
    found = re.search(r"(\d{1,9})(ms|s|m|h|d)?$", text.strip().strip("\"'"))
    return float(found[1]) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}.get(found[2] or "s", 1) if found else None


def _is_shorter(old: float, new: float) -> bool:
    return 0 <= new <= old / 1.5 and old > 0


def _is_shared_http(words: str) -> bool:
    return re.search(r"(?i)s-maxage|max-?_?age|revalidate|cachettl|edge|cdn|cache_page|expires$", words) is not None


# -- keys and removed calls ------------------------------------------------------------------------

_CALL = re.compile(
    r"(?i)Rails\.cache\.(fetch|read)|@(lru_cache|cached|cache_page|cache|cached_property|memoize|Cacheable|cacheable|alru_cache)\b|\bcaches?(\.default)?\.(get|fetch|remember|getOrSet|get_or_set|wrap|match)\w*\("
    r"|Cache::(remember|get|rememberForever)\(|\b_?(redis|rdb|redis_client|redisClient|memcached?|mc|cache)\w*\.(get|hget|mget|setex|set)\("
)
_KEY_NAME = re.compile(
    r"(?i)(^|[_.-])(cache)?_?(key|prefix|version|ver|namespace|ns|generation)([_.-]|$)|cacheKey|keyPrefix|KeyVersion|CacheVersion"
)


def _is_key(context: RuleContext, value: ValueChange) -> bool:
    """A version or prefix that stands in the key of a cache call of the same file."""
    if value.old == value.new or value.head_line is None or len(str(value.old)) > 120:
        return False
    text = context.head.text(value.file) or ""
    lines = text.split("\n")
    if _CALL.search(f"{value.call}(") and re.search(r"(?i)fetch|get|read|remember|match", value.call):
        return (
            value.old_text is not None and value.old_text[:1] in "\"'`f" and re.search(r"[:/_\-]|v\d", str(value.old)) is not None
        )
    if value.name and _KEY_NAME.search(value.name):
        uses = re.compile(rf"(?<![\w$]){re.escape(value.name)}(?![\w$])")
        near = [i for i, line in enumerate(lines) if uses.search(line) and i + 1 != value.head_line]
        if any(_CALL.search("\n".join(lines[max(0, i - 1) : i + 4])) for i in near):
            return True
        return re.search(r"(?i)\bcaches?\b", value.path) is not None
    return False


def _removed_calls(context: RuleContext) -> Iterator[CacheChange]:
    for file in context.changes.files:
        if (
            not file.head_path
            or not file.hunks
            or not is_production_code(file.path)
            or file.path.endswith((".md", ".lock", ".json", ".yaml", ".yml"))
        ):
            continue
        found = _removed_call(context, file)
        if found is not None:
            yield found


def _removed_call(context: RuleContext, file: ChangedFile) -> CacheChange | None:
    names = _stores_in(context.base.text(file.base_path or file.path) or "") | _stores_in(
        context.head.text(file.head_path or file.path) or ""
    )
    removed = [(n, t) for n, t in file.removed_lines().items() if _reads_cache(t, names)]
    if not removed or any(_reads_cache(t, names) for t in file.added_lines().values()):
        return None
    before, after = (
        sum(_reads_cache(line, names) for line in (tree.text(path) or "").split("\n"))
        for tree, path in ((context.base, file.base_path or file.path), (context.head, file.head_path or file.path))
    )
    if after >= before or not file.head_path or not context.head.text(file.head_path):
        return None
    line, text = removed[0]
    place = Place(file=file.head_path, line=file.head_line_after_which(line))
    return CacheChange(
        Loss.ALL,
        text.strip()[:60],
        place,
        Place(file=file.base_path or file.path, line=line, side="base"),
        f"`{text.strip()[:120]}` is removed",
        "cache_page" in text,
    )


_STORE = re.compile(
    r"(\w{1,40})\s*:?=\s*(?:await\s+)?(?:new\s+)?[\w.]{0,40}(?:[Rr]edis|[Mm]emcache|LRU|NodeCache|TTLCache|Caffeine|Cache)\w{0,40}\s*[.(<{]"
)


def _stores_in(text: str) -> frozenset[str]:
    """The names that a file gives a cache's client."""
    return frozenset(_STORE.findall(text[:200_000]))


def _reads_cache(line: str, names: frozenset[str]) -> bool:
    found = re.search(r"(?:^|[^\w.])(\w{1,40})\.(?:get|hget|mget|fetch|getIfPresent)\(", line[:600])
    return (
        (_CALL.search(line[:600]) is not None or (found is not None and found[1] in names))
        and _NOT_A_CACHE.search(line[:600]) is None
        and not line.lstrip().startswith(("#", "//", "*", "import", "from"))
    )


_LITERAL = re.compile(r"""[fF]?(["'`])((?:(?!\1)[^\n]){1,200})\1""")


def _keys_in_lines(context: RuleContext) -> Iterator[CacheChange]:
    """Keys made of a text with gaps (`f"user:v1:{id}"`) whose fixed part differs."""
    for file in context.changes.files:
        if not file.head_path or not file.base_path or not is_production_code(file.path) or file.path.endswith((".md", ".json")):
            continue
        names = _stores_in(context.head.text(file.head_path) or "") if file.hunks else frozenset[str]()
        for hunk in file.hunks:
            for offset, (old, new) in enumerate(zip(hunk.removed, hunk.added, strict=False)):
                if not _reads_cache(old, names) or not _reads_cache(new, names):
                    continue
                was, now = _LITERAL.search(old[:600]), _LITERAL.search(new[:600])
                if was is None or now is None or not re.search(r"[#$]?\{", now[2]) or _fixed(was[2]) == _fixed(now[2]):
                    continue
                place = Place(file=file.head_path, line=hunk.head_start + offset)
                before = Place(file=file.base_path, line=hunk.base_start + offset, side="base")
                yield CacheChange(
                    Loss.KEY, now[2][:60], place, before, f"the key goes from `{was[2][:80]}` to `{now[2][:80]}`", is_http=False
                )


def _fixed(literal: str) -> str:
    """The part of a text with gaps that is the same for every key."""
    return re.sub(r"[#$]?\{[^{}]{0,100}\}", "{}", literal)


def _file_has(context: RuleContext, path: str, pattern: re.Pattern[str]) -> bool:
    return pattern.search((context.head.text(path) or "")[:200_000]) is not None
