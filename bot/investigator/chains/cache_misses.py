"""How many lookups a second miss from now on, and whether what answers them takes that many calls."""

from bot.investigator.asking import Reading, captures, metric
from bot.investigator.case import Case
from bot.investigator.chain import Cited, compare, harm, unknown
from bot.investigator.chains.cache_facts import Saved
from bot.investigator.facts.callees import short
from bot.investigator.facts.headroom import OPEN_FROM
from bot.investigator.facts.hot_paths import path_rate
from bot.investigator.facts.rate_limits import allowed_rate, rate_to
from gonogo.context import Statistic
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.trajectory import Link, Role
from heuristics.runtime.cache_change import CacheChange, Loss
from heuristics.runtime.personal import Each

_HITS = (
    "CacheHits",
    "GetHits",
    pattern(r"(?i).*(cache|keyspace|get)_?hits.*"),
    pattern(r"(?i)\w*cache\w*\{.*result=\"?hit\"?.*\}"),
)
_MISSES = (
    "CacheMisses",
    "GetMisses",
    pattern(r"(?i).*(cache|keyspace|get)_?misses.*"),
    pattern(r"(?i)\w*cache\w*\{.*result=\"?miss\"?.*\}"),
)
_STARTED = pattern(
    r"(?i)(?:\w+_)?(?:new_?sessions?|sessions?_?(?:started|starts?|created|opened|begun|new|initiated)|session_?(?:creation|start)s?)(?:_?(?:total|count))?(?:_?(?:per_?second|rate))?(?:\{[^{}]*\})?"
)
_LOOKUPS_EACH = r"(?i)\b(?:session|sid|visit|visitor)\b[^\n]{0,300}?\b\w*(?:lookups?|searches|quer(?:ies|y_count)|quotes|cache_?(?:reads|gets))\"?\s*[:=]\s*\"?(?P<n>\d{1,6})\b"
_ENOUGH_LINES = 20
_CAREFUL = {Loss.LIFE: 1 / 3, Loss.ALL: 0.9, Loss.PERSONAL: 0.5}
"""What part of the computed misses has to be enough to prove harm."""
_SURE = 0.9
"""The same where each request has a key of its own."""


class Missed(Record):
    """Lookups a second that miss at least (None: not known), of all lookups, with what says so."""

    lookups: Reading | None
    lookups_peak: float | None
    """Of all series together, at their peaks."""
    least: float | None
    said: str
    cited: tuple[Cited, ...]


def missed(case: Case, found: CacheChange, known: Saved, after: float | None) -> Missed:
    """The mean of lookups, and what part of them misses under the change."""
    usual, peak, cited = _lookups(case, found, known)
    if usual is None:
        return Missed(None, None, None, "", ())
    all_of_it = usual.value
    if found.loss is not Loss.PERSONAL:
        least = all_of_it * (1 - after) if after is not None else None
        return Missed(usual, peak, least, f"{least or 0:,.3g} of {all_of_it:,.3g} lookups a second", cited)
    if found.each == Each.REQUEST:
        return Missed(usual, peak, all_of_it, f"all of {all_of_it:,.3g} lookups a second", cited)
    program = known.workload or known.origin
    if found.each == Each.SESSION and program is not None:
        started = metric(case, program.id, (_STARTED,), "mean")
        if started is not None and started.unit == "1/s" and 0 < started.value <= all_of_it:
            said = f"{started.value:,.3g} sessions start a second, and the first lookup of each misses"
            return Missed(usual, peak, started.value, said, (*cited, started))
        each = captures(case, program.id, _LOOKUPS_EACH, "n", "mean")
        if each is not None and each.evidence.kind == "log" and each.evidence.count >= _ENOUGH_LINES and each.value > 0:
            least = all_of_it / max(each.value, 1.0)
            said = f"a session looks up {each.value:.3g} times, so {least:,.3g} of {all_of_it:,.3g} lookups a second are the first of theirs"
            return Missed(usual, peak, least, said, (*cited, each))
    return Missed(usual, peak, None, "", cited)


def held_against_rate(case: Case, found: CacheChange, known: Saved, after: float | None) -> Link | None:
    """The misses against the calls a second that the origin states to take; None when it states none, or nobody counts lookups."""
    allowed = allowed_rate(case, known.origin.id) if known.origin is not None else None
    if allowed is None or known.origin is None or found.loss is Loss.KEY or found.is_http:
        return None
    now = missed(case, found, known, after)
    if now.lookups is None or now.lookups_peak is None:
        return None
    name, limit = short(case, known.origin.id), allowed.per_second
    today = rate_to(case, known.workload.id, known.origin.id, "mean") if known.workload is not None else None
    if now.lookups_peak < OPEN_FROM * limit:
        claim = f"{name} gets {now.lookups_peak:,.3g} calls a second if every lookup of the peak misses, more than its limit of {allowed.said}"
        return harm(claim, *now.cited, allowed.reading, comparison=compare(now.lookups_peak, ">", limit, "1/s"))
    share = _SURE if found.each == Each.REQUEST else _CAREFUL.get(found.loss, 0.5)
    cited = (*now.cited, today, allowed.reading)
    if now.least is not None and now.least * share > limit and found.is_certain:
        claim = f"{name} gets the misses: {now.said}; it takes {allowed.said}"
        return harm(claim, *cited, comparison=compare(round(now.least, 4), ">", limit, "1/s"))
    said = f"{name} gets more calls than it takes ({allowed.said}), of up to {now.lookups_peak:,.3g} lookups a second"
    question = f"How many lookups a second find nothing from now on, and does {name} take them?"
    query = f"distinct keys a second that the cache is asked for; requests a second to {name}"
    return unknown(Role.HARM, said, question, query, *cited)


def _lookups(case: Case, found: CacheChange, known: Saved) -> tuple[Reading | None, float | None, tuple[Cited, ...]]:
    """Mean of lookups a second, their peak, and the citations: hits and misses, else the route that looks up."""
    for resource in (known.cache, known.workload):
        if resource is None:
            continue
        rates = [_both(case, resource.id, statistic) for statistic in ("mean", "max")]
        if rates[0] is not None and rates[1] is not None:
            (hits, misses), (most_hits, most_misses) = rates[0], rates[1]
            total = Reading(hits.value + misses.value, "1/s", hits.evidence)
            return total, most_hits.value + most_misses.value, (hits, misses)
    _, _, rate = path_rate(case, found.place.file, found.place.line)
    if rate is not None and rate.is_exact:
        return rate.mean, rate.most, (rate.mean,)
    return None, None, ()


def _both(case: Case, resource: str, statistic: Statistic) -> tuple[Reading, Reading] | None:
    hits, misses = (metric(case, resource, names, statistic) for names in (_HITS, _MISSES))
    return (hits, misses) if hits is not None and misses is not None and hits.unit == misses.unit == "1/s" else None
