"""The chain of a call that blocks an event loop: how busy the loops of all copies are with waiting."""

import re
from collections.abc import Iterator

from bot.investigator.asking import Reading, number, quote
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.added_load import target_of
from bot.investigator.facts.callees import own_workloads
from bot.investigator.facts.hot_paths import PathRate, path_rate
from bot.investigator.facts.latencies import Latency, latencies
from bot.investigator.facts.runners import declarations_of
from bot.investigator.facts.traffic import per_second
from gonogo.pattern import pattern
from gonogo.resource import Relation, Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.hot.blocking import Blocking, blocking_calls

_WORKERS = pattern(r"(?:--workers|-w)[\"',\s=]+(\d{1,3})\b")
_IDLE_FROM = 0.2
"""Below this share of busy loops the others hardly wait."""


def blocking_chains(case: Case) -> Iterator[Trajectory]:
    """One chain a blocking call on a path with requests."""
    for found in case.diff.once(blocking_calls):
        resource, reach, rate = path_rate(case, found.place.file, found.place.line)
        if not reach.routes and not reach.is_every_request:
            continue
        line = quote(case, found.place.file, found.place.line)
        name = resource.name if resource is not None else "the service"
        last, measured = _harm(case, found, resource, rate)
        mine = own_workloads(case)
        own = resource.id if resource is not None else mine[0].id if mine else ResourceId(case.repository)
        claim = (
            f"{reach.label} is called {per_second(rate.peak.value)} at the peak"
            if rate is not None
            else f"{reach.label} is called in production"
        )
        yield Trajectory(
            title=f"`{found.call.callee}` blocks the event loop of {name}",
            impact=Impact.HIGH,
            resource=own,
            metric="http_request_duration_seconds",
            links=(
                trigger(f"`{found.call.function or found.call.file}` calls `{found.call.callee}` and does not await it", line),
                mechanism(f"it {found.why}, so every other request and probe of the same process waits too", line),
                exposure(claim, rate.peak, comparison=compare(rate.peak, ">", 0))
                if rate is not None
                else unknown(Role.EXPOSURE, claim, f"How often is {reach.label} called?", "requests a second of the route over the last 7 days"),
                last,
            ),
            make_safe="Use an asynchronous client and `await` it, hand the call to a thread (`asyncio.to_thread`), or make the handler a plain function.",
            path=tuple(dict.fromkeys((own, *measured))),
            undo="Deploy the version before; nothing stays behind.",
        )  # fmt: skip


def _harm(case: Case, found: Blocking, resource: Resource | None, rate: PathRate | None) -> tuple[Link, tuple[ResourceId, ...]]:
    took = _took(case, found, resource)
    loops = _loops(case, resource) if resource is not None else None
    if resource is None or rate is None or took is None or loops is None:
        question = "How long does the call take, and how many processes share the requests?"
        query = "latency of the called service at p50 and p99; replicas and workers of the deployment"
        return unknown(
            Role.HARM, "requests queue up behind the blocked event loop", question, query, rate.peak if rate else None
        ), ()
    low, high, latency = took
    workers, copies, count = loops
    measured = (latency.evidence.resource,) if latency is not None and latency.evidence.kind == "metric" else ()
    cited = (rate.peak, latency, copies)
    said = f"{count:g} event loop{'s' if count != 1 else ''} ({workers} a copy)"
    least, most = rate.peak.value * low * rate.is_exact, rate.most * high
    if least > count:
        claim = f"{rate.peak.value:,.3g} requests a second that block for {low:.3g} s each keep {least:,.3g} loops busy; there are {said}"
        return harm(claim, *cited, comparison=compare(least, ">", count, "loops")), measured
    if most < _IDLE_FROM * count:
        claim = (
            f"the {said} are busy: {rate.most:,.3g} requests a second that block for {high:.3g} s each need {most:,.2g} of them"
        )
        return harm(claim, *cited, comparison=compare(most, ">", count, "loops")), measured
    claim = f"up to {most:,.2g} of {said} are blocked at the peak, and what shares them waits"
    return unknown(
        Role.HARM,
        claim,
        "How slow do the other routes and the probes get?",
        "p99 of all routes in a load test with this version",
        *cited,
    ), measured


def _took(case: Case, found: Blocking, resource: Resource | None) -> tuple[float, float, Reading | None] | None:
    """Seconds that a call blocks: at least, at most, and the reading."""
    if found.seconds is not None:
        return found.seconds, found.seconds, None
    if not found.is_http:
        return None
    target = target_of(case, "http", found.place, found.call.callee)
    sources = [target.resource] if target.resource is not None else _outside(case, resource)
    for source in sources:
        usual = [one for one in latencies(case, source) if one.percentile in ("p50", "mean", "p75", "p90", "p95", "p99")]
        best = min(usual, key=lambda one: one.rank, default=None)
        if best is not None and (low := _typical(best)) is not None and (peak := best.peak()) is not None:
            return low, max(o.value for one in usual if (o := one.peak()) is not None), peak
    return None


def _typical(one: Latency) -> float | None:
    values = sorted(one.active())
    return values[len(values) // 10] if values else None


def _outside(case: Case, resource: Resource | None) -> list[str]:
    """The only service outside that the program calls."""
    if resource is None:
        return []
    found: list[str] = [
        e.target
        for e in case.out_of(resource.id, Relation.CONNECTS_TO, Relation.INVOKES)
        if e.target.startswith(("external:", "http"))
    ]
    return found if len(found) == 1 else []


def _loops(case: Case, resource: Resource) -> tuple[int, Reading, float] | None:
    """Workers a copy, the live number of copies, and their product."""
    copies = number(case, resource.id, "replicas", "desired_count", "machines", "instances")
    if copies is None or copies.value < 1:
        return None
    workers = 1
    for declared in declarations_of(case, resource.id):
        for key, setting in declared.settings.items():
            if "command" in key or "args" in key:
                found = _WORKERS.search(f"{setting.value} {setting.text}"[:2000])
                workers = max(workers, int(found[1]) if found else 1)
            if key.endswith("environment.WEB_CONCURRENCY") and str(setting.value).isdigit():
                workers = max(workers, int(str(setting.value)[:3]))
    for path in ("Dockerfile", "Procfile", "start.sh", "gunicorn.conf.py"):
        found = _WORKERS.search((case.diff.head.text(path) or "")[:20_000]) or re.search(
            r"(?m)^workers\s*=\s*(\d{1,3})", (case.diff.head.text(path) or "")[:20_000]
        )
        workers = max(workers, int(found[1]) if found else 1)
    return workers, copies, workers * copies.value
