"""Cloudflare as `gonogo doctor` finds it: is the token good, and does it allow what a sync reads?"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from bot.jobs.checkup import Found, Look
from context_graph.collecting import Collector, ScopeStatus
from gonogo.errors import CallError, ProductionUnreachable

_UNUSED = "CLOUDFLARE_API_TOKEN is not set; with it, gonogo graph sync reads Workers and what they are bound to"


def look_at_cloudflare(sampling: Callable[[], Sequence[Collector]] | None) -> Iterator[Look]:
    """A line for the token, then one for each part of its accounts. `sampling` reads the first entry of each list; None without a token."""
    if sampling is None:
        yield Look(found=Found.UNUSED, what="Cloudflare", said=_UNUSED)
        return
    try:
        collectors = sampling()
    except ProductionUnreachable as error:
        yield Look(found=Found.MISSING, what="Cloudflare", said=f"{error.why}; {error.what_to_do}")
        return
    except CallError as error:
        yield Look(found=Found.MISSING, what="Cloudflare", said=str(error))
        return
    accounts = sorted({collector.scope.account for collector in collectors})
    yield Look(found=Found.OK, what="Cloudflare", said=f"account {', '.join(accounts)}")
    with ThreadPoolExecutor(max_workers=4, thread_name_prefix="doctor") as pool:
        yield from pool.map(_look, collectors)


def _look(collector: Collector) -> Look:
    tried = collector.collect()
    what = f"Cloudflare {tried.scope.service}"
    if tried.denied:
        needed = ", ".join(tried.denied)
        return Look(found=Found.MISSING, what=what, said=f"not allowed: {needed}; give the token what stands below")
    if tried.status is ScopeStatus.UNSUPPORTED:
        return Look(found=Found.UNUSED, what=what, said="not switched on in this account")
    if tried.status is not ScopeStatus.OK:
        return Look(found=Found.MISSING, what=what, said=f"{tried.status.value}: {tried.why}; try again")
    return Look(found=Found.OK, what=what, said=f"allowed: {', '.join(tried.calls)}" if tried.calls else "nothing to ask")
