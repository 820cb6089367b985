"""Less CPU, smaller machines, fewer nodes: what is used at the peak against what is left."""

import re

from bot.investigator.asking import Reading, metric, number, quote_change
from bot.investigator.case import Case
from bot.investigator.chain import mechanism, unknown
from bot.investigator.chains.capacity_judged import Judged, cpu_query, metric_of, rate_at
from bot.investigator.facts.headroom import OPEN_FROM, cpu_percent, held_against, percent
from gonogo.pattern import pattern
from gonogo.resource import Resource
from gonogo.trajectory import Role
from heuristics.runtime.capacity import CapacityChange
from heuristics.runtime.declared import setting_number
from heuristics.runtime.instances import default_max_connections

# -- processors, classes, nodes ------------------------------------------------------------------


def cpu_limit_judged(case: Case, found: CapacityChange, resource: Resource) -> Judged | None:
    """A lower CPU limit against the cores that a copy uses at the peak."""
    name, new, old = resource.name, found.new, found.old
    used = _cores(case, found, resource)
    was = f"{old:g}" if old is not None else "no limit"
    said = mechanism(
        f"a copy of {name} that wants more than {new:g} cores (before: {was}) is throttled, so every request takes longer",
        quote_change(case, found.change),
    )
    if used is None:
        rate = rate_at(case, resource.id)
        question = f"How many cores does one copy of {name} use at its peak, and is it throttled already?"
        query = f'max_over_time(rate(container_cpu_usage_seconds_total{{pod=~"{name}-.*"}}[5m])[7d:5m])'
        return Judged(
            said,
            unknown(Role.HARM, f"{name} uses more than {new:g} cores at its peak", question, query, rate),
            "container_cpu_cfs_throttled_seconds_total",
            rate,
        )
    low, high, reading = used
    claim = f"a copy of {name} uses {low:.3g} cores at its peak, {low / new:.0%} of {new:g}"
    if low < new and high >= OPEN_FROM * new:
        low = OPEN_FROM * new
    link = held_against(
        low, new, "cores", claim=claim, cited=(reading,), coming=(case, reading), question=f"How many cores does one copy of {name} use at its peak?",
        query=f'max_over_time(rate(container_cpu_usage_seconds_total{{pod=~"{name}-.*"}}[5m])[30d:5m])',
    )  # fmt: skip
    return Judged(said, link, metric_of(reading, "CPUUtilization"), reading)


_CORES = pattern(r"(?i).*cpu_?(usage|used|cores)?.*(cores|seconds|usage|used|total|rate).*")


def _cores(case: Case, found: CapacityChange, resource: Resource) -> tuple[float, float, Reading] | None:
    """Cores that one copy uses at the peak: a lower and an upper bound, since a share may be of the limit or of the request."""
    for series in case.production.series_of(resource.id):
        unit = series.unit.lower()
        factor = {
            "cores": 1.0,
            "core": 1.0,
            "vcpu": 1.0,
            "millicores": 0.001,
            "milli": 0.001,
            "seconds/second": 1.0,
            "cpu": 1.0,
        }.get(unit)
        if (
            factor is None
            or "cpu" not in series.metric.lower()
            or "throttl" in series.metric.lower()
            or re.search(r"(?i)limit|request", series.metric)
        ):
            continue
        peak = metric(case, resource.id, [series.metric], "max")
        if peak is None:
            continue
        value = peak.value * factor
        if found.old is not None and value > found.old * 1.05:  # more than one copy may use: the sum of all
            running = number(case, resource.id, "replicas", "desired_count")
            return (value / running.value, value / running.value, peak) if running and running.value else None
        return value, value, peak
    peak = cpu_percent(case, resource.id)
    if peak is None:
        return None
    request = setting_number(found.change.before, "cpu_request")
    bounds = [peak.value / 100 * base for base in (found.old, request) if base]
    return (min(bounds), max(bounds), peak) if bounds else None


def class_judged(case: Case, found: CapacityChange, resource: Resource) -> Judged | None:
    """A smaller machine: the worst of CPU, memory and connections."""
    before, after = found.old_size, found.new_size
    if before is None or after is None:
        return None
    old_name, new_name = (str(s.value) if s is not None else "?" for s in (found.change.old, found.change.new))
    memory = f", {before.memory_gib:g} GiB becomes {after.memory_gib:g} GiB" if before.memory_gib and after.memory_gib else ""
    said = mechanism(
        f"{old_name} has {before.vcpus:g} virtual processors and {new_name} {after.vcpus:g}{memory}",
        quote_change(case, found.change),
    )
    shares: list[tuple[float, str, Reading]] = []
    is_cache = "elasticache" in resource.kind or "redis" in resource.kind or "memorystore" in resource.kind
    peak = cpu_percent(case, resource.id)
    if peak is not None:
        is_one_thread = peak.evidence.kind == "metric" and "Engine" in peak.evidence.metric
        share = peak.value * (1.0 if is_one_thread else before.vcpus / after.vcpus)
        shares.append((share, f"{peak.value:.3g} % of {before.vcpus:g} processors at the peak", peak))
    ratio = before.memory_gib / after.memory_gib if before.memory_gib and after.memory_gib else None
    if ratio is not None:
        shares += _memory_shares(case, resource, before.memory_gib or 0, after.memory_gib or 0, is_cache=is_cache)
    engine = str(resource.attributes.get("engine") or "")
    allowed = default_max_connections(engine, after)
    open_ones = metric(case, resource.id, ("DatabaseConnections",), "max")
    if allowed and open_ones is not None:
        shares.append(
            (
                100 * open_ones.value / allowed,
                f"{open_ones.value:,.0f} connections at the peak of {allowed:,.0f} that it allows by default",
                open_ones,
            )
        )
    worst = max(shares, key=lambda s: s[0], default=None)
    is_enough = any("processor" in how for _, how, _ in shares) or (is_cache and bool(shares))
    if worst is None or (worst[0] < OPEN_FROM * 100 and not is_enough):
        question = f"How much CPU and memory does {resource.name} use at its peak?"
        return Judged(
            said,
            unknown(Role.HARM, f"{new_name} is too small for {resource.name}", question, cpu_query(resource)),
            "CPUUtilization",
        )
    share, how, reading = worst
    link = held_against(
        share, 100, "%", claim=f"{resource.name} uses {how}: {share:,.0f} % of {new_name}", cited=(reading,), coming=(case, reading),
        question=f"How busy is {resource.name} on its busiest day?", query=cpu_query(resource),
    )  # fmt: skip
    return Judged(said, link, metric_of(reading, "CPUUtilization"), reading)


def _memory_shares(
    case: Case, resource: Resource, old_gib: float, new_gib: float, *, is_cache: bool
) -> list[tuple[float, str, Reading]]:
    """What share of the new class's memory is in use. A database gives its cache back, so only a cache's memory is all needed."""
    used = (
        percent(case, resource.id, ("DatabaseMemoryUsagePercentage", re.compile(r"(?i).*memory.*(util|percent|usage).*")))
        if is_cache
        else None
    )
    if used is not None:
        return [(used.value * old_gib / new_gib, f"{used.value:.3g} % of {old_gib:g} GiB of memory at the peak", used)]
    held = metric(case, resource.id, ("BytesUsedForCache",), "max") if is_cache else None
    if held is not None:
        return [(100 * held.value / (new_gib * 1024**3 * 0.8), f"{held.value / 1024**3:.3g} GiB of data at the peak", held)]
    return []


def nodes_judged(case: Case, found: CapacityChange, resource: Resource) -> Judged:
    """Fewer nodes: CPU and memory of the peak on those that are left."""
    old, new, name = found.old or 0, found.new, resource.name
    said = mechanism(f"the load and the data of {old:g} nodes are left to {new:g}", quote_change(case, found.change))
    names = (
        re.compile(
            r"DatabaseMemoryUsagePercentage|JVMMemoryPressure|KafkaDataLogsDiskUsed|(?i:.*memory.*(util|percent|usage).*)"
        ),
    )
    readings = [
        (r, what)
        for r, what in ((cpu_percent(case, resource.id), "CPU"), (percent(case, resource.id, names), "memory"))
        if r is not None
    ]
    worst = max(readings, key=lambda r: r[0].value, default=None)
    if worst is None or new <= 0:
        question = f"How much CPU and memory do the {old:g} nodes of {name} use at the peak?"
        return Judged(
            said, unknown(Role.HARM, f"{new:g} nodes of {name} are too few", question, cpu_query(resource)), "CPUUtilization"
        )
    reading, what = worst
    after = reading.value * old / new
    link = held_against(
        after, 100, "%", cited=(reading,), coming=(case, reading), claim=f"{old:g} nodes of {name} use {reading.value:.3g} % of their {what} at the peak, which is {after:,.0f} % of {new:g}",
        question=f"How busy is {name} on its busiest day?", query=cpu_query(resource),
    )  # fmt: skip
    return Judged(said, link, metric_of(reading, "CPUUtilization"), reading)
