"""A cache that answers less often, held against what its misses load."""

import re
from collections.abc import Iterator
from dataclasses import replace

from bot.investigator.asking import Reading, as_number, quote_place, quote_removed, table_statistic
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.cache_facts import Saved, metric_name, saved, shares_after
from bot.investigator.chains.cache_misses import held_against_rate, missed
from bot.investigator.chains.edge_lives import EdgeLife, edge_life
from bot.investigator.facts.headroom import OPEN_FROM
from bot.investigator.facts.traffic import per_second, traffic_of
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import ConfigEvidence, FileEvidence
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from heuristics.code import is_production_code
from heuristics.runtime.cache_change import CacheChange, Loss
from heuristics.runtime.caches import cache_losses

INFO = PlaybookInfo(id="cache", question="Can what answers the misses take all that the cache saved it?")

_CAREFUL = 1 / 3
"""What part of the computed extra load has to be enough to prove harm: popular keys are found again soon even so."""
_CONCRETE_RATIO = 4
"""Without any reading, only a life that is this much shorter is worth a question."""


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a cache."""
    for found in case.diff.once(cache_losses):
        known = saved(case, found)
        nothing_read = known.hit is None and known.cpu is None and known.lookups is None
        is_slight = found.loss is Loss.LIFE and bool(found.old_s) and (found.new_s or 0) * _CONCRETE_RATIO > (found.old_s or 0)
        if nothing_read and (is_slight or (found.loss is Loss.KEY and case.production.read_at is not None)):
            continue
        kept = edge_life(case, found, known.cache)
        is_cut = kept is not None and kept.is_sure and 0 < kept.new_s < kept.old_s
        told = replace(found, loss=Loss.LIFE, old_s=kept.old_s, new_s=kept.new_s) if kept is not None and is_cut else found
        yield _chain(case, told, known, kept)


def _chain(case: Case, found: CacheChange, known: Saved, kept: EdgeLife | None) -> Trajectory:
    hurt = known.origin or known.workload or known.cache
    name = hurt.name if hurt is not None else "what answers the misses"
    lines = _lines(case, found)
    after = _share_after(case, found, known)
    what = {Loss.LIFE: "forgets sooner", Loss.ALL: "keeps nothing", Loss.KEY: "starts empty", Loss.PERSONAL: "is shared no more"}[
        found.loss
    ]
    path = tuple(r.id for r in known.resources()) + (
        (kept.cited.resource,) if kept is not None and isinstance(kept.cited, ConfigEvidence) else ()
    )
    return Trajectory(
        title=f"The cache {what} and {name} gets its misses",
        impact=Impact.HIGH,
        resource=hurt.id if hurt is not None else case.repository,
        metric=metric_name(known.cpu, "CPUUtilization"),
        links=(trigger(found.said, *lines), _at_edge(kept, lines) or mechanism(_mechanism(found, known, after), *lines, known.hit), _exposure(known, name), _harm(case, found, known, after, name)),
        make_safe={
            Loss.LIFE: "Keep the life and invalidate on change, or refresh in the background (`stale-while-revalidate`).",
            Loss.ALL: "Keep what is the same for all in the shared cache, and fetch the personal part with a request of its own.",
            Loss.KEY: "Warm the new keys before the switch, or read the old ones as a fallback for as long as they live.",
            Loss.PERSONAL: "Put what the answer depends on into the key (the price group, the language), not who asks; fetch what is personal apart.",
        }[found.loss],
        path=path,
        undo="Put the old value back and deploy; the cache is warm again after its misses were answered once.",
    )  # fmt: skip


def _at_edge(kept: EdgeLife | None, lines: tuple[FileEvidence, ...]) -> Link | None:
    """What the shared cache's own bounds make of the header, where they leave it as it was or it is not known which bound holds."""
    if kept is not None and kept.is_unchanged:
        bound = kept.cited.key if isinstance(kept.cited, ConfigEvidence) else kept.cited.quote.strip()
        claim = f"the shared cache keeps the answer for {kept.new_s:g} s as before, whatever the header says (`{bound}`)"
        return mechanism(claim, *lines, refuting=(kept.cited,), refutation=Refutation.UNCHANGED)
    if kept is not None and not kept.is_sure:
        question = "Which behaviour of the distribution serves this path, and what is its minimum TTL?"
        query = "aws cloudfront get-distribution-config --id … --query DistributionConfig.CacheBehaviors"
        return unknown(Role.MECHANISM, "the shared cache obeys the header on this path", question, query, *lines, kept.cited)
    return None


def _share_after(case: Case, found: CacheChange, known: Saved) -> float | None:
    """The share of hits that is left at most."""
    if found.loss is not Loss.PERSONAL:
        return shares_after(found, known)
    now = missed(case, found, known, None)
    return None if now.least is None or now.lookups is None else max(0.0, 1 - now.least / now.lookups.value)


def _lines(case: Case, found: CacheChange) -> tuple[FileEvidence, ...]:
    head = quote_place(case, found.place)
    if found.before is not None and found.said.endswith("is removed"):
        return quote_removed(case, found.before.file, found.before.line)
    return (head,)


def _mechanism(found: CacheChange, known: Saved, after: float | None) -> str:
    now = f" It answers {known.hit.value:.3g} % today" if known.hit is not None else ""
    match found.loss:
        case Loss.KEY:
            return f"no entry is found under the new key, so all of them are made again at once.{now}"
        case Loss.PERSONAL:
            return f"an entry is found again by the same {found.each} only, so the first lookup of each misses.{now}"
        case Loss.ALL:
            return f"every request goes to what is behind the cache.{now}"
        case Loss.LIFE:
            left = f", about {after:.0%} with the shorter life" if after is not None and now else ""
            kept = (
                f"entries are kept {found.new_s:g} s instead of {found.old_s:g} s"
                if found.old_s is not None and found.new_s is not None
                else "entries are kept for less time"
            )
            return f"{kept}, so more of them are gone when they are asked for.{now}{left}"


def _exposure(known: Saved, name: str) -> Link:
    if known.lookups is not None:
        return exposure(f"the cache is asked {per_second(known.lookups.value)} at the peak", known.lookups)
    cited = known.hit or known.cpu
    if cited is not None:
        return exposure("the cache is in use", cited)
    return unknown(
        Role.EXPOSURE,
        "the cache is in use",
        f"How many requests a second does the cache before {name} answer?",
        "redis-cli INFO stats",
    )


def _harm(case: Case, found: CacheChange, known: Saved, after: float | None, name: str) -> Link:
    question = f"How busy is {name} at the peak, what does a miss cost it, and how many are answered from the cache?"
    query = "redis-cli INFO stats | grep keyspace; aws cloudwatch get-metric-statistics --metric-name CPUUtilization --statistics Maximum"
    cited = (known.cpu, known.hit, known.lookups, known.cheap)
    worst = _worst_by_cost(known)
    if worst is not None and worst < OPEN_FROM * 100:
        claim = f"{name} is overrun: if every lookup were a miss of {known.dear.value if known.dear else 0:.3g} s, it would be {worst:.3g} % busy"
        return harm(claim, known.lookups, known.dear, known.cpu, comparison=compare(round(worst, 4), ">=", 100, "%"))
    by_rate = held_against_rate(case, found, known, after)
    if by_rate is not None:
        return by_rate
    slight = _of_few_requests(case, found, known, name)
    if slight is not None:
        return slight
    share = known.hit_share
    if share is None or after is None or known.cpu is None or not found.is_certain:
        return unknown(Role.HARM, f"the misses are more than {name} can answer", question, query, *cited)
    factor = max(1.0, (1 - after) / (1 - share))
    part = _part_of_misses(known, share)
    high = known.cpu.value * (1 + part * (factor - 1))
    low = known.cpu.value * (
        1 + part * (factor - 1) * (1.0 if found.loss is Loss.ALL and known.origin_rate is not None else _CAREFUL)
    )
    claim = f"{name} gets {factor:,.3g} times the misses; its CPU is at {known.cpu.value:.3g} % at the peak"
    if high < OPEN_FROM * 100:
        return harm(
            f"{claim}, and would be at {high:,.0f} %", known.cpu, known.hit, comparison=compare(round(high, 4), ">=", 100, "%")
        )
    if low >= 100 and _is_dear_enough(known, share, after):
        return harm(f"{claim}: at least {low:,.0f} % would be needed", *cited, comparison=compare(round(low, 4), ">=", 100, "%"))
    return unknown(Role.HARM, claim, question, query, *cited)


_FEW_ROWS = 100_000
"""A table of which any one query reads little, even without an index."""
_DEAR_S = 0.1
"""CPU time that no query of such a table needs."""


def _of_few_requests(case: Case, found: CacheChange, known: Saved, name: str) -> Link | None:
    """What all requests of the program would need if each of them were a miss, where everything behind the cache is small."""
    rate = traffic_of(case, known.workload.id) if known.workload is not None else None
    if rate is None or known.cpu is None or known.origin is None or found.is_http or known.dear is not None:
        return None
    read = _tables_near(case, found, known.origin.id)
    if not read or any(count is None or count.value > _FEW_ROWS for count in read):
        return None
    biggest = max((r for r in read if r is not None), key=lambda r: r.value)
    most, free = 100 * rate.value * _DEAR_S, 100 - known.cpu.value
    if most >= OPEN_FROM * free:
        return None
    claim = (
        f"{name} would be overrun: if each of {rate.value:.3g} requests a second missed and took {_DEAR_S * 1000:g} ms of CPU, which "
        f"tables of at most {biggest.value:,.0f} rows do not, that were {most:,.3g} % of a CPU of which {free:.3g} % are free"
    )
    return harm(claim, rate, known.cpu, biggest, comparison=compare(round(most, 4), ">", free, "%"))


def _tables_near(case: Case, found: CacheChange, origin: str) -> list[Reading | None]:
    """The rows of every table of the origin that queries of the cache's folder name."""
    database = case.production.database(origin)
    folder = found.place.file.rpartition("/")[0]
    texts = [
        case.diff.head.text(p) or "" for p in case.diff.head.paths() if p.rpartition("/")[0] == folder and is_production_code(p)
    ]
    named = {m[1].lower() for text in texts for m in re.finditer(r"""(?i)\b(?:from|join)\s+["`]?(\w+)["`]?(?!\s*["'.])""", text)}
    rows: list[Reading | None] = []
    for table in database.tables if database is not None else ():
        if table.name.lower() in named:
            cited = table_statistic(case, origin, table.name, "row_estimate")
            count = as_number(cited)
            rows.append(Reading(count, "rows", cited) if cited is not None and count is not None else None)
    return rows


def _worst_by_cost(known: Saved) -> float | None:
    """How busy the origin would be if every lookup were as dear as the dearest miss that was read, in percent."""
    if known.dear is None or known.lookups is None:
        return None
    return (known.cpu.value if known.cpu is not None else 0.0) + 100 * known.lookups.value * known.dear.value / known.cores


def _part_of_misses(known: Saved, share: float) -> float:
    """What part of the origin's requests are misses of this cache; all of them when its requests were not counted."""
    if known.origin_rate is None or known.lookups is None or known.origin_rate.value <= 0:
        return 1.0
    return min(1.0, known.lookups.value * (1 - share) / known.origin_rate.value)


def _is_dear_enough(known: Saved, share: float, after: float) -> bool:
    """Where the cost of a miss was read, the careful part of the extra misses must fill the origin as well."""
    if known.cheap is None or known.lookups is None or known.cpu is None:
        return True
    extra = known.lookups.value * (share - after) * _CAREFUL * known.cheap.value
    return known.cpu.value + 100 * extra / max(known.cores, 2.0) >= 100
