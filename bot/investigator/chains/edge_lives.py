"""How long a shared cache really keeps an answer: its own bounds stand over the Cache-Control header of the origin.

CloudFront keeps for at least the minimum TTL, also what is `private` or `no-store`, and for at most the maximum
(docs.aws.amazon.com, "Manage how long content stays in the cache"); Cloudflare's edge cache TTL and Google's `FORCE_CACHE_ALL`
stand in the place of the header (developers.cloudflare.com, "Edge Cache TTL"; cloud.google.com, "Cache modes").
"""

import re
from collections.abc import Mapping, Sequence
from typing import cast

from bot.investigator.asking import as_number, config, edge, quote_place
from bot.investigator.case import Case
from bot.investigator.facts.runners import declarations_of
from context_graph.readings import configured
from gonogo.evidence import ConfigEvidence, FileEvidence, GraphEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Relation, Resource
from heuristics.runtime.cache_change import CacheChange

_MIN = (
    "min_ttl_s",
    "default_cache_behavior.min_ttl_s",
    "default_cache_behavior.min_ttl",
    "min_ttl",
    "minimum_ttl_s",
    "minimum_ttl",
)
_MAX = (
    "max_ttl_s",
    "default_cache_behavior.max_ttl_s",
    "default_cache_behavior.max_ttl",
    "max_ttl",
    "maximum_ttl_s",
    "maximum_ttl",
)
_INSTEAD = ("edge_cache_ttl_s", "edge_cache_ttl", "cache_ttl_override_s", "override_ttl_s", "edge_ttl.default")
_MODE = ("cdn_policy.cache_mode", "cache_mode", "edge_ttl.mode", "cache_behavior")
_FORCED = pattern(r"(?i)force_cache_all|override_?(origin|always)?")
_FORCED_LIFE = (
    "edge_ttl.default",
    "cdn_policy.default_ttl",
    "cdn_policy.default_ttl_s",
    "default_ttl_s",
    "default_ttl",
    "cache_duration_s",
)
_BEHAVIOURS = ("cache_behaviors", "ordered_cache_behaviors", "ordered_cache_behavior", "cache_behaviors.items", "cache_rules")


class EdgeLife(Record):
    """Lives in seconds at the shared cache, before and after, and what says so."""

    old_s: float
    new_s: float
    cited: ConfigEvidence | FileEvidence
    is_sure: bool
    """False when paths have bounds of their own, and which one holds for the answer is not known."""
    policy: GraphEvidence | None = None
    """The edge to the policy that has the bounds."""

    @property
    def is_unchanged(self) -> bool:
        """Whether the cache keeps the answer as long as before."""
        return self.is_sure and self.new_s >= self.old_s


def edge_life(case: Case, found: CacheChange, cache: Resource | None) -> EdgeLife | None:
    """What the cache's own settings make of a changed header; None when it has none that matter."""
    if cache is None or not found.is_http or found.declared is not None or found.old_s is None or found.new_s is None:
        return None
    for holder, way in _holders(case, cache):
        forced = _forced(case, holder)
        if forced is not None:
            cited, life = forced
            return EdgeLife(life, life, cited, is_sure=not _has_others(holder, life), policy=way)
        least, most = _bound(case, holder, _MIN), _bound(case, holder, _MAX)
        low = least[1] if least is not None else 0.0
        high = max(most[1] if most is not None else float("inf"), low)
        old, new = (min(max(life, low), high) for life in (found.old_s, found.new_s))
        others = _has_others(holder, low)
        if least is not None and low > 0:
            return EdgeLife(old, new, least[0], is_sure=not others, policy=way)
        if most is not None and old < found.old_s:
            return EdgeLife(old, new, most[0], is_sure=not others, policy=way)
        if others and least is not None:
            return EdgeLife(old, new, least[0], is_sure=False, policy=way)
    return None


def _holders(case: Case, cache: Resource) -> list[tuple[Resource, GraphEvidence | None]]:
    """The cache, and the policies that it is joined to or names."""
    joined = [
        (policy, edge(case, e.source, e.target, e.relation))
        for e in case.out_of(cache.id, Relation.DEPENDS_ON, Relation.CONNECTS_TO, Relation.READS_FROM)
        if (policy := case.production.resource(e.target)) is not None
        and re.search(r"cache_policy|cache_rule|ruleset", policy.kind)
    ]
    return [(cache, None), *joined]


def _forced(case: Case, holder: Resource) -> tuple[ConfigEvidence, float] | None:
    mode = config(case, holder.id, *_MODE)
    keys = _INSTEAD if mode is None else _FORCED_LIFE if _FORCED.fullmatch(str(mode.value)) else ()
    cited = config(case, holder.id, *keys) if keys else None
    life = as_number(cited)
    return (cited, life) if cited is not None and life is not None and life > 0 else None


def _bound(case: Case, holder: Resource, keys: Sequence[str]) -> tuple[ConfigEvidence | FileEvidence, float] | None:
    cited = config(case, holder.id, *keys)
    value = as_number(cited)
    if cited is not None:
        return None if value is None else (cited, value)
    for declared in declarations_of(case, holder.id):
        setting = next((declared.settings[k] for k in keys if k in declared.settings), None)
        if setting is not None and isinstance(setting.value, int | float) and not isinstance(setting.value, bool):
            return quote_place(case, declared.place(setting)), float(setting.value)
    return None


def _has_others(holder: Resource, bound: float) -> bool:
    """Whether some path of the cache has another minimum than the default one."""
    for key in _BEHAVIOURS:
        listed = configured(holder, key)
        rows = cast("Sequence[object]", listed if isinstance(listed, list | tuple) else (listed,))
        for row in rows:
            if isinstance(row, Mapping):
                own = {re.sub(r"[^a-z]", "", str(k).lower()): v for k, v in cast("Mapping[str, object]", row).items()}
                least = own.get("minttl", own.get("minttls"))
                if least is None or not isinstance(least, int | float) or float(least) != bound:
                    return True
    return False
