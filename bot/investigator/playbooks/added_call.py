"""A call that requests make from now on, against what the called side can take; and calls that block an event loop."""

from collections.abc import Iterator

from bot.investigator.asking import edge, quote
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, mechanism, trigger, unknown
from bot.investigator.chains.added_invokes import invoked_functions
from bot.investigator.chains.added_load import Added, Target, harm_of, target_of
from bot.investigator.chains.blocking_calls import blocking_chains
from bot.investigator.chains.iterated import rows_iterated
from bot.investigator.chains.unbounded import unbounded_chains
from bot.investigator.facts.callees import own_workloads
from bot.investigator.facts.hot_paths import Items, PathRate, items_in_logs, path_rate
from bot.investigator.facts.traffic import per_second
from bot.investigator.playbook import PlaybookInfo
from gonogo.pattern import pattern
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.hot.loads import Load, added_loads
from heuristics.hot.reach import Reach, served_routes

INFO = PlaybookInfo(id="added-call", question="Can what is called take the calls that every request makes from now on?")

_WORTH = 1.0
"""Calls a second below which an added call outside a loop is of no interest when nothing else is known."""

_SELDOM = 0.02
"""Requests a second at the peak below which a loop is of no interest while its length is unknown: 72 an hour."""


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain an added call and target, then blocking calls and queries without a limit."""
    for load in case.diff.once(added_loads):
        chain = _chain(case, load)
        if chain is not None:
            yield chain
    yield from invoked_functions(case)
    yield from blocking_chains(case)
    yield from unbounded_chains(case)


def _chain(case: Case, load: Load) -> Trajectory | None:
    resource, reach, rate = path_rate(case, load.place.file, load.place.line)
    target = target_of(case, load.kind, load.target, load.target_callee)
    if rate is None and not (load.is_in_loop and (reach.routes or reach.is_every_request)):
        return None  # nothing says that requests come by here often
    if not reach.routes and not reach.is_every_request:
        return None
    if reach.routes and not reach.is_every_request and _are_new(case, reach):
        return None  # nobody calls them yet
    items = Items(1, 1)
    if load.is_in_loop and resource is not None:
        items = items_in_logs(case, resource.id, reach, load.most_items, file=load.place.file, line=load.place.line)
    if load.is_in_loop and items.high is None and (rows := rows_iterated(case, load.place.file, load.place.line)) is not None:
        items = Items(items.low, rows.value, rows)
    added = _added(case, load, rate, items)
    if added is None:
        last, metric = _no_rate(load, target), "Requests"
    else:
        last, metric = harm_of(case, load.kind, target, added)
    if last.question is not None and not _is_worth_asking(load, target, reach, added, rate):
        return None
    line = quote(case, load.place.file, load.place.line)
    degraded = ResourceId(target.resource or (resource.id if resource is not None else _any(case)))
    often = "once for every item" if load.is_in_loop else "in every request" if not reach.is_every_request else "every request"
    path = [degraded, *([resource.id] if resource is not None else [])]
    return Trajectory(
        title=f"Every request calls {target.name}" if often == reach.label else f"{reach.label} calls {target.name} {often}",
        impact=Impact.HIGH if load.is_in_loop else Impact.MEDIUM,
        resource=degraded,
        metric=metric,
        links=(
            trigger(_said(load), line),
            mechanism(
                f"{reach.label} makes the call {often if often != reach.label else ''}".rstrip()
                + (f", {load.calls_each} times" if load.calls_each > 1 else ""),
                line,
                quote(case, load.target.file, load.target.line),
                quote(case, load.items_place.file, load.items_place.line) if load.items_place is not None else None,
            ),
            _exposure(case, load, resource, reach, rate, target),
            last,
        ),
        make_safe=_safe(load, target),
        path=tuple(dict.fromkeys(path)),
        undo="Deploy the version before; nothing stays behind.",
    )


def _are_new(case: Case, reach: Reach) -> bool:
    before = {(r.method, r.path) for r in served_routes(case.diff.base)}
    return not any((r.method, r.path) in before for r in reach.routes)


def _is_worth_asking(load: Load, target: Target, reach: Reach, added: Added | None, rate: PathRate | None) -> bool:
    """Open chains are told of loops that requests go through, and of one more service on a busy path."""
    if load.kind == "cache" and target.resource is None:
        return False  # most likely the memory of the program
    if load.is_in_loop:
        return bool(reach.routes) and (rate is None or rate.most >= _SELDOM)
    return load.kind == "http" and target.resource is not None and added is not None and added.low >= _WORTH


_CONSISTENT = pattern(r"(?i)consistent_?read\W{1,6}(?:true|aws\.Bool\(true)")
_WRITE = pattern(r"(?i)\b(?:put|update|delete|batch_?write|transact_?write)_?(?:item|items|command|itemcommand|itemscommand)\b")


def _call(case: Case, load: Load) -> str:
    """The lines of the call that leaves the program."""
    lines = (case.diff.head.text(load.target.file) or "").split("\n")
    return " ".join(line[:400] for line in lines[load.target.line - 1 : load.target.line + 5])


def _added(case: Case, load: Load, rate: PathRate | None, items: Items) -> Added | None:
    if rate is None:
        return None
    times = float(load.calls_each)
    low = (rate.peak.value if rate.is_exact else 0.0) * items.low * times
    high = None if items.high is None else rate.most * items.high * times
    each = f" × {items.low:,.3g} items" if load.is_in_loop else ""
    said = f"{rate.peak.value:,.3g} requests a second at the peak{each}"
    call = _call(case, load)
    return Added(
        low, high, (rate.peak, items.reading), said, _CONSISTENT.search(call) is not None, _WRITE.search(call) is not None
    )


def _exposure(case: Case, load: Load, resource: Resource | None, reach: Reach, rate: PathRate | None, target: Target) -> Link:
    how = edge(case, target.how.caller.id, target.how.target, target.how.relation) if target.how is not None else None
    if rate is None:
        return unknown(
            Role.EXPOSURE,
            f"{reach.label} is called in production",
            f"How often is {reach.label} called?",
            f"requests a second of {reach.label} over the last 7 days",
            how,
        )
    claim = f"{reach.label} is called {per_second(rate.peak.value)} at the peak"
    if not rate.is_exact:
        claim = f"{rate.resource.name} gets {per_second(rate.peak.value)} at the peak, a part of it by this path"
    del load, resource
    return exposure(claim, rate.peak, how, comparison=compare(rate.peak, ">", 0))


def _no_rate(load: Load, target: Target) -> Link:
    size = f"up to {load.most_items}" if load.most_items is not None else "as many as there are items"
    return unknown(
        Role.HARM,
        f"{target.name} gets {size} calls for every request",
        f"How many calls a second is that, and can {target.name} take them?",
        f"requests a second of the route, and of {target.name} beside its CPU, over the last 7 days",
    )


def _said(load: Load) -> str:
    if load.eager:
        return f"`{load.eager}` goes from `{load.call.function}`: each item loads its own from now on"
    where = " in a loop" if load.is_in_loop else ""
    was = ", which was made once before" if load.call.was_outside_loop else ""
    return f"`{load.call.function or load.call.file}` calls `{load.call.callee}`{where}{was}"


def _safe(load: Load, target: Target) -> str:
    if load.kind == "database" and load.is_in_loop:
        return "Fetch all items with one query (`IN (…)`, a join, `includes`, `select_related`, a data loader)."
    if load.is_in_loop:
        return f"Ask {target.name} once for all items of the page (a batch call), cache the answers, or show them only where one is looked at."
    return f"Cache the answer, or call {target.name} outside of the request."


def _any(case: Case) -> str:
    mine = own_workloads(case)
    return mine[0].id if mine else case.repository
