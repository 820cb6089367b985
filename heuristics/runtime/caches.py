"""Caches that keep less: a shorter life, no storing at all, another key for everything."""

import re
from collections.abc import Callable, Iterator

from gonogo.pattern import pattern
from gonogo.resource import Place
from heuristics.code import ValueChange
from heuristics.code.paths import is_production_code
from heuristics.rule import RuleContext
from heuristics.runtime.cache_calls import is_key, keys_in_lines, removed_calls
from heuristics.runtime.cache_change import NOT_A_CACHE, CacheChange, Loss
from heuristics.runtime.cache_lives import duration_of, environment_lives, is_life, lives_of
from heuristics.runtime.declared import base_place_of, number_of, place_of_change, production_settings
from heuristics.runtime.personal_keys import personal_keys
from heuristics.stages import names_other_stage


def cache_losses(context: RuleContext) -> tuple[CacheChange, ...]:
    """Every such cache in the change, one a place."""
    found = [
        *personal_keys(context),
        *_settings(context),
        *_environment(context),
        *_values(context),
        *removed_calls(context),
        *keys_in_lines(context),
    ]
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
        elif _tells_apart(change.key, values[0], values[1]):
            told = f"{said}, so the answer is kept apart for each session"
            yield CacheChange(
                Loss.PERSONAL,
                name,
                place,
                before,
                told,
                is_http=True,
                declared=change.declared,
                is_certain="all" in values[1].lower(),
                each="session",
            )


def _environment(context: RuleContext) -> Iterator[CacheChange]:
    """A life that the program takes from its environment."""
    for one in environment_lives(context):
        if _is_shorter(one.old_s, one.new_s):
            loss = Loss.LIFE if one.new_s > 0 else Loss.ALL
            yield CacheChange(loss, one.name, one.place, one.before, one.said, is_http=False, old_s=one.old_s, new_s=one.new_s)


_OF_ONE = pattern(r"(?i)\b(?:authorization|cookie|user-agent|x-session\S*|x-user\S*|x-request-id)\b")


def _tells_apart(key: str, old: str, new: str) -> bool:
    """Whether the key of a CDN takes cookies, or headers that each client has for itself, from now on."""
    last = key.rpartition(".")[2]
    if last in ("cookie_behavior", "cookies_behavior") or key.endswith("cookies.forward"):
        return old.lower() in ("", "none") and new.lower() not in ("", "none")
    is_headers = (
        re.search(r"(?i)header", key) is not None and re.search(r"(?i)forward|cache_?key|headers?_config", key) is not None
    )
    return is_headers and bool(set(_OF_ONE.findall(new.lower())) - set(_OF_ONE.findall(old.lower())))


def _is_disabled(policy: str) -> bool:
    return CACHING_DISABLED in policy or re.search(r"(?i)caching_?-?disabled", policy) is not None


# -- values ----------------------------------------------------------------------------------------

_NONE_KEPT = pattern(r"(?i)null_store|NullStore|DummyCache|\bdummy\b|null_?cache|NoOpCache|\bnone\b|\boff\b|ArrayStore|\barray\b")
_SHARED_KEPT = pattern(r"(?i)redis|memcache|mem_cache|file_store|dalli|solid_cache|hazelcast|caffeine|elasticache|database")


def _values(context: RuleContext) -> Iterator[CacheChange]:
    for value in context.values:
        if not is_production_code(value.file) or names_other_stage(value.file):
            continue
        if value.head_line is None and value.base_line is None:
            continue
        yield from _of_value(context, value)


def _of_value(context: RuleContext, value: ValueChange) -> Iterator[CacheChange]:
    words = f"{value.name} {value.path} {value.call}"
    if NOT_A_CACHE.search(words):
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
    old_s, new_s = lives_of(value)
    if old_s is not None and new_s is not None:
        if is_life(context, value) and _is_shorter(old_s, new_s):
            yield loss(Loss.LIFE if new_s > 0 else Loss.ALL, is_http=_is_shared_http(words), old=old_s, new=new_s)
        return
    if isinstance(value.old, str) and isinstance(value.new, str) and is_key(context, value):
        yield loss(Loss.KEY, is_http=False)


def _is_emptied(value: ValueChange, old: str, new: str) -> bool:
    """Whether a cache's store becomes one that keeps nothing."""
    is_store = re.search(r"(?i)cache", f"{value.name} {value.path} {value.call} {value.scope}") is not None
    return is_store and bool(_SHARED_KEPT.search(old) and _NONE_KEPT.search(new)) and not _SHARED_KEPT.search(new)


def _of_proxy(value: ValueChange, loss: Callable[..., CacheChange]) -> Iterator[CacheChange]:
    old, new = (duration_of(str(v)) for v in (value.old_text or "", value.new_text or ""))
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


def _is_shorter(old: float, new: float) -> bool:
    return 0 <= new <= old / 1.5 and old > 0


def _is_shared_http(words: str) -> bool:
    return re.search(r"(?i)s-maxage|max-?_?age|revalidate|cachettl|edge|cdn|cache_page|expires$", words) is not None
