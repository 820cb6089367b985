"""Fewer copies, and autoscalers that keep fewer: the load of the peak on what is left."""

from itertools import pairwise

from bot.investigator.asking import Reading, number, quote, quote_change
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, mechanism, unknown
from bot.investigator.chains.capacity_judged import Judged, autoscaler_of, cpu_query, metric_of, rate_at
from bot.investigator.facts.consumers import queues_of
from bot.investigator.facts.headroom import OPEN_FROM, copies, cpu_in_all, cpu_of_request, cpu_percent, held_against
from bot.investigator.facts.latencies import latencies
from bot.investigator.facts.placing import governor
from bot.investigator.facts.rates import request_rate
from bot.investigator.facts.traffic import upstream
from gonogo.resource import Resource
from gonogo.trajectory import Link, Refutation, Role
from heuristics.runtime.capacity import CapacityChange
from heuristics.runtime.declared import setting_number

# -- copies ------------------------------------------------------------------------------------


def copies_judged(case: Case, found: CapacityChange, resource: Resource) -> Judged | None:
    """Fewer copies of a workload: the CPU of the peak on those that are left."""
    declared, name, new = found.change.declared, resource.name, found.new
    if queues_of(case, resource.id):
        return None  # a queue takes what its workers leave: the playbook of growing queues tells that
    if new == 0:
        return _to_nothing(case, found, resource)
    scaler = autoscaler_of(case, declared)
    if scaler is not None:
        line = quote(case, scaler.file, scaler.line)
        why = f"the autoscaler that {scaler.file} declares sets the number of copies, so {new:g} does not stay"
        moved = mechanism(f"{name} has {new:g} copies for its load", line, refuting=(line,), refutation=Refutation.UNCHANGED)
        return Judged(moved, harm(why, line), "CPUUtilization")
    live = copies(case, resource.id, statistic="p50") or number(case, resource.id, "desired_count", "replicas")
    count = live.value if live is not None and live.value > 0 else found.old or 0
    if live is not None and count <= new:
        claim = f"{name} runs with fewer copies than now: it already runs {count:g}"
        return Judged(
            mechanism(f"the load of {count:g} copies is left to {new:g}", live),
            harm(claim, live, comparison=compare(count, ">", new)),
            "replicas",
            live,
        )
    return _spread(case, found, resource, count, live)


def _spread(case: Case, found: CapacityChange, resource: Resource, count: float, live: Reading | None) -> Judged:
    name, new = resource.name, found.new
    said = mechanism(
        f"the load of {count:g} copies is left to {new:g}: {count / new:.3g} times as much for each",
        quote_change(case, found.change),
        live,
    )
    peak = cpu_percent(case, resource.id)
    if peak is not None:
        after = peak.value * count / new
        link = held_against(
            after, 100, "%", cited=(peak, live), coming=(case, peak),
            claim=f"{count:g} copies of {name} use {peak.value:.3g} % of their CPU at the peak, which is {after:,.0f} % of {new:g}",
            question=f"How high does the CPU of {name} go on its busiest day?", query=f'max_over_time(cpu_utilization{{service="{name}"}}[30d])',
        )  # fmt: skip
        return Judged(said, link, metric_of(peak, "CPUUtilization"), peak)
    rate = rate_at(case, resource.id)
    slowest = next(
        (p for one in latencies(case, resource.id, outgoing=False) if one.rank >= 95 and (p := one.peak()) is not None), None
    )
    if rate is not None and slowest is not None and (busy := rate.value * slowest.value / new) < OPEN_FROM:
        claim = f"a copy of {name} has more than one request at a time to work on: {rate.value:.3g} a second at {slowest.value:.3g} s each are {busy:.2g}"
        return Judged(said, harm(claim, rate, slowest, comparison=compare(round(busy, 6), ">=", 1)), "CPUUtilization", rate)
    question = f"How much CPU do the {count:g} copies of {name} use at the peak? Above {100 * new / count * OPEN_FROM:.0f} % is too much."
    return Judged(
        said,
        unknown(Role.HARM, f"{new:g} copies can't carry the load of {name} at its peak", question, cpu_query(resource), rate),
        "CPUUtilization",
        rate,
    )


def _to_nothing(case: Case, found: CapacityChange, resource: Resource) -> Judged:
    rate = rate_at(case, resource.id)
    said = mechanism(f"no copy of {resource.name} is left to answer", quote_change(case, found.change))
    if rate is None:
        question = f"Does anything still call {resource.name}?"
        return Judged(
            said, unknown(Role.HARM, f"calls of {resource.name} find nobody", question, cpu_query(resource)), "RequestCount"
        )
    return Judged(
        said,
        harm(f"{rate.value:.3g} requests a second find nobody", rate, comparison=compare(rate, ">", 0)),
        metric_of(rate, "RequestCount"),
        rate,
    )


def floor_judged(case: Case, found: CapacityChange, resource: Resource) -> Judged | None:
    """An autoscaler that keeps fewer when little is going on: how steeply the load rises from there."""
    declared, name, new = found.change.declared, resource.name, found.new
    scaler = governor(case, declared, resource)
    ids = [*([scaler.id] if scaler else []), resource.id]
    seen, least = copies(case, *ids), copies(case, *ids, statistic="min")
    most = setting_number(declared, "max_replicas")
    said = mechanism(
        f"{name} keeps {new:g} copies when little is going on instead of {found.old or 0:g}, and grows from there",
        quote_change(case, found.change),
    )
    if seen is not None and least is not None and least.value > (found.old or 0):
        return Judged(
            said,
            harm(
                f"{name} comes down to its minimum: at least {least.value:g} always ran",
                least,
                comparison=compare(least.value, "<=", found.old or 0),
            ),
            "replicas",
            least,
        )
    target = setting_number(declared, "target_cpu_percent", "target_value", default=70.0) or 70.0
    peak = cpu_percent(case, resource.id)
    jump = _steepest(case, [resource.id, *upstream(case, resource.id)])
    has_room = most is not None and most > new and (seen is None or seen.value <= most)
    if peak is not None and new > 0 and has_room and jump is not None and target * jump < 100 and most is not None:
        need = peak.value * (seen.value if seen is not None else found.old or 1) / target
        claim = f"{name} outgrows its autoscaler, which may go to {most:g} copies; its peak needs {need:.3g}"
        return Judged(
            said, harm(claim, peak, seen, comparison=compare(round(need, 4), ">", most)), metric_of(peak, "replicas"), peak
        )
    if (roomy := _floor_suffices(case, found, resource, seen, peak, target)) is not None:
        return Judged(said, roomy, "CPUUtilization", seen)
    question = f"How fast does the load of {name} rise, and how long does a new copy take to be ready?"
    return Judged(
        said,
        unknown(
            Role.HARM, f"{new:g} copies are overrun before the autoscaler has added more", question, cpu_query(resource), seen
        ),
        "CPUUtilization",
        seen,
    )


def _floor_suffices(
    case: Case, found: CapacityChange, resource: Resource, seen: Reading | None, percent: Reading | None, target: float
) -> Link | None:
    """The new minimum alone carries the highest load of the window below the autoscaler's target: nothing has to grow."""
    requested = setting_number(found.change.declared, "cpu_request_cores")
    in_all = cpu_in_all(case, resource.id, requested) if found.new > 0 else None
    if in_all is not None and (each := in_all.value / found.new) < min(target, 100 * OPEN_FROM):
        claim = f"{found.new:g} copies of {resource.name} are overrun: all copies together use {in_all.value:.3g} % of what one requests at the peak, which is {each:,.0f} % for each of {found.new:g}, below the target of {target:g} %"
        return harm(claim, in_all, comparison=compare(round(each, 4), ">=", target, "%"))
    if seen is None or seen.value <= 0 or found.new <= 0:
        return None
    peak = percent or cpu_of_request(case, resource.id, requested)
    if peak is None:
        return None
    after = peak.value * seen.value / found.new
    if after >= min(target, 100 * OPEN_FROM):
        return None
    claim = f"{found.new:g} copies of {resource.name} are overrun: {seen.value:g} use {peak.value:.3g} % of their CPU at the peak, which is {after:,.0f} % of {found.new:g}, below the target of {target:g} %"
    return harm(claim, peak, seen, comparison=compare(round(after, 4), ">=", target, "%"))


def _steepest(case: Case, resources: list[str]) -> float | None:
    """By what factor the request rate rises at most from one reading to the next, small rates left out."""
    for resource in resources:
        rate = request_rate(case, resource)
        if rate is None or rate.evidence.kind != "metric":
            continue
        values = [v for s in case.production.series_of(resource, rate.evidence.metric) for v in s.values if v is not None]
        high = max(values, default=0.0)
        return max((b / a for a, b in pairwise(values) if a > 0.1 * high), default=1.0)
    return None
