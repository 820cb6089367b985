"""What production says of a change that takes capacity away: one judge a kind of capacity."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from gonogo.evidence import FileEvidence
from gonogo.resource import Declared, Resource
from gonogo.trajectory import Link, Refutation, Role
from heuristics.runtime.capacity import Capacity, CapacityChange, autoscalers
from heuristics.runtime.declared import place_of_change, setting_number
from heuristics.runtime.instances import default_max_connections

from bot.investigator.asking import Reading, metric, number, quote
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, mechanism, unknown
from bot.investigator.headroom import OPEN_FROM, copies, cpu_percent, held_against, percent
from bot.investigator.latencies import latencies
from bot.investigator.placing import governor
from bot.investigator.rates import request_rate
from bot.investigator.traffic import traffic_of, upstream


@dataclass(frozen=True)
class Judged:
    """How the chain ends: the links that say what degrades, and the metric that would show it."""

    mechanism: Link
    harm: Link
    metric: str
    reading: Reading | None = None


Judge = Callable[[Case, CapacityChange, Resource], Judged | None]


def judged(case: Case, found: CapacityChange, resource: Resource) -> Judged | None:
    """What is known of this change; None when nothing of what takes effect changes for the worse."""
    return _JUDGES[found.what](case, found, resource)


def rate_at(case: Case, resource: str) -> Reading | None:
    """Requests a second at their peak, at the resource or at what routes to it."""
    own = traffic_of(case, resource)
    if own is not None:
        return own
    return next((r for other in upstream(case, resource) if (r := request_rate(case, other)) is not None), None)


def autoscaler_of(case: Case, declared: Declared) -> Declared | None:
    """The autoscaler that head declares for this workload."""
    ends = {(e.source, e.target) for e in case.diff.declared["head"].edges}
    for one in autoscalers(case.diff):
        target = one.settings.get("target") or one.settings.get("resource_id")
        text = f"{target.value if target is not None and target.value is not None else ''} {target.text if target is not None else ''}"
        names = [n for n in (declared.name, declared.address.rpartition("//")[2]) if n]
        is_named = any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) for name in names)
        if (one.address, declared.address) in ends or is_named:
            return one
    if setting_number(declared, "max_replicas") is not None and (flag := declared.settings.get("autoscaling.enabled")) is not None:
        return declared if flag.value is True else None
    return None


# -- copies ------------------------------------------------------------------------------------


def _copies(case: Case, found: CapacityChange, resource: Resource) -> Judged | None:
    declared, name, new = found.change.declared, resource.name, found.new
    if new == 0:
        return _to_nothing(case, found, resource)
    scaler = autoscaler_of(case, declared)
    if scaler is not None:
        line = quote(case, scaler.file, scaler.line)
        why = f"the autoscaler that {scaler.file} declares sets the number of copies, so {new:g} does not stay"
        moved = mechanism(f"{name} has {new:g} copies for its load", line, refuting=(line,), refutation=Refutation.UNCHANGED)
        return Judged(moved, harm(why, line), "CPUUtilization")
    if _is_fed_by_queue(case, resource) and cpu_percent(case, resource.id) is None:
        return None
    live = copies(case, resource.id, statistic="p50") or number(case, resource.id, "desired_count", "replicas")
    count = live.value if live is not None and live.value > 0 else found.old or 0
    if live is not None and count <= new:
        claim = f"{name} runs with fewer copies than now: it already runs {count:g}"
        return Judged(mechanism(f"the load of {count:g} copies is left to {new:g}", live), harm(claim, live, comparison=compare(count, ">", new)), "replicas", live)
    return _spread(case, found, resource, count, live)


def _spread(case: Case, found: CapacityChange, resource: Resource, count: float, live: Reading | None) -> Judged:
    name, new = resource.name, found.new
    said = mechanism(f"the load of {count:g} copies is left to {new:g}: {count / new:.3g} times as much for each", _line(case, found), live)
    peak = cpu_percent(case, resource.id)
    if peak is not None:
        after = peak.value * count / new
        link = held_against(
            after, 100, "%", cited=(peak, live),
            claim=f"{count:g} copies of {name} use {peak.value:.3g} % of their CPU at the peak, which is {after:,.0f} % of {new:g}",
            question=f"How high does the CPU of {name} go on its busiest day?", query=f'max_over_time(cpu_utilization{{service="{name}"}}[30d])',
        )  # fmt: skip
        return Judged(said, link, _metric(peak, "CPUUtilization"), peak)
    rate = rate_at(case, resource.id)
    slowest = next((p for one in latencies(case, resource.id, outgoing=False) if one.rank >= 95 and (p := one.peak()) is not None), None)
    if rate is not None and slowest is not None and (busy := rate.value * slowest.value / new) < OPEN_FROM:
        claim = f"a copy of {name} has more than one request at a time to work on: {rate.value:.3g} a second at {slowest.value:.3g} s each are {busy:.2g}"
        return Judged(said, harm(claim, rate, slowest, comparison=compare(round(busy, 6), ">=", 1)), "CPUUtilization", rate)
    question = f"How much CPU do the {count:g} copies of {name} use at the peak? Above {100 * new / count * OPEN_FROM:.0f} % is too much."
    return Judged(
        said, unknown(Role.HARM, f"{new:g} copies can't carry the load of {name} at its peak", question, _cpu_query(resource), rate), "CPUUtilization", rate
    )


def _to_nothing(case: Case, found: CapacityChange, resource: Resource) -> Judged:
    rate = rate_at(case, resource.id)
    said = mechanism(f"no copy of {resource.name} is left to answer", _line(case, found))
    if rate is None:
        question = f"Does anything still call {resource.name}?"
        return Judged(said, unknown(Role.HARM, f"calls of {resource.name} find nobody", question, _cpu_query(resource)), "RequestCount")
    return Judged(said, harm(f"{rate.value:.3g} requests a second find nobody", rate, comparison=compare(rate, ">", 0)), _metric(rate, "RequestCount"), rate)


def _is_fed_by_queue(case: Case, resource: Resource) -> bool:
    kinds = [r.kind for e in case.into(resource.id) if (r := case.production.resource(e.source)) is not None]
    return any(re.search(r"queue|sqs|kafka|topic|stream|rabbit", kind) for kind in kinds)


def _ceiling(case: Case, found: CapacityChange, resource: Resource) -> Judged:
    declared, name, new = found.change.declared, resource.name, found.new
    scaler = governor(case, declared, resource)
    seen = copies(case, *([scaler.id] if scaler else []), resource.id) or number(case, resource.id, "desired_count", "replicas")
    said = mechanism(f"the autoscaler of {name} stops at {new:g} copies instead of {found.old or 0:g}", _line(case, found))
    if seen is None:
        question = f"How many copies of {name} run at the peak?"
        query = f'max_over_time(kube_horizontalpodautoscaler_status_current_replicas{{horizontalpodautoscaler="{name}"}}[7d])'
        return Judged(said, unknown(Role.HARM, f"{name} needs more than {new:g} copies at its peak", question, query), "replicas")
    if seen.value <= new:
        claim = f"{name} needs more than {new:g} copies: at most {seen.value:g} ran"
        return Judged(said, harm(claim, seen, comparison=compare(seen.value, ">", new)), _metric(seen, "replicas"), seen)
    peak = cpu_percent(case, resource.id)
    if peak is not None:
        after = peak.value * seen.value / new
        link = held_against(
            after, 100, "%", cited=(seen, peak), question=f"How high does the CPU of {name} go with {new:g} copies?", query=_cpu_query(resource),
            claim=f"{seen.value:g} copies of {name} ran at up to {peak.value:.3g} % CPU at the peak, which is {after:,.0f} % of {new:g} copies",
        )  # fmt: skip
        return Judged(said, link, _metric(peak, "CPUUtilization"), peak)
    target = setting_number(declared, "target_cpu_percent", "target_memory_percent", "target_value", default=0.0) or 0.0
    floor = target * (seen.value - 1) / new
    claim = f"{seen.value:g} copies of {name} were needed at the peak to stay at {target:g} %, and {new:g} are allowed"
    if floor >= 100:
        return Judged(said, harm(claim, seen, comparison=compare(seen.value, ">", new)), _metric(seen, "replicas"), seen)
    return Judged(said, unknown(Role.HARM, claim, f"How busy would {new:g} copies of {name} be at the peak?", _cpu_query(resource), seen), "CPUUtilization", seen)


def _floor(case: Case, found: CapacityChange, resource: Resource) -> Judged | None:
    declared, name, new = found.change.declared, resource.name, found.new
    scaler = governor(case, declared, resource)
    ids = [*([scaler.id] if scaler else []), resource.id]
    seen, least = copies(case, *ids), copies(case, *ids, statistic="min")
    most = setting_number(declared, "max_replicas")
    said = mechanism(f"{name} keeps {new:g} copies when little is going on instead of {found.old or 0:g}, and grows from there", _line(case, found))
    if seen is not None and least is not None and least.value > (found.old or 0):
        return Judged(said, harm(f"{name} comes down to its minimum: at least {least.value:g} always ran", least, comparison=compare(least.value, "<=", found.old or 0)), "replicas", least)
    target = setting_number(declared, "target_cpu_percent", "target_value", default=70.0) or 70.0
    peak = cpu_percent(case, resource.id)
    jump = _steepest(case, [resource.id, *upstream(case, resource.id)])
    has_room = most is not None and most > new and (seen is None or seen.value <= most)
    if peak is not None and new > 0 and has_room and jump is not None and target * jump < 100 and most is not None:
        need = peak.value * (seen.value if seen is not None else found.old or 1) / target
        claim = f"{name} outgrows its autoscaler, which may go to {most:g} copies; its peak needs {need:.3g}"
        return Judged(said, harm(claim, peak, seen, comparison=compare(round(need, 4), ">", most)), _metric(peak, "replicas"), peak)
    question = f"How fast does the load of {name} rise, and how long does a new copy take to be ready?"
    return Judged(said, unknown(Role.HARM, f"{new:g} copies are overrun before the autoscaler has added more", question, _cpu_query(resource), seen), "CPUUtilization", seen)


def _steepest(case: Case, resources: list[str]) -> float | None:
    """By what factor the request rate rises at most from one reading to the next, small rates left out."""
    for resource in resources:
        rate = request_rate(case, resource)
        if rate is None or rate.evidence.kind != "metric":
            continue
        values = [v for s in case.production.series_of(resource, rate.evidence.metric) for v in s.values if v is not None]
        high = max(values, default=0.0)
        return max((b / a for a, b in zip(values, values[1:], strict=False) if a > 0.1 * high), default=1.0)
    return None


# -- processors, classes, nodes ------------------------------------------------------------------


def _cpu_limit(case: Case, found: CapacityChange, resource: Resource) -> Judged | None:
    name, new, old = resource.name, found.new, found.old
    used = _cores(case, found, resource)
    was = f"{old:g}" if old is not None else "no limit"
    said = mechanism(f"a copy of {name} that wants more than {new:g} cores (before: {was}) is throttled, so every request takes longer", _line(case, found))
    if used is None:
        rate = rate_at(case, resource.id)
        question = f"How many cores does one copy of {name} use at its peak, and is it throttled already?"
        query = f'max_over_time(rate(container_cpu_usage_seconds_total{{pod=~"{name}-.*"}}[5m])[7d:5m])'
        return Judged(said, unknown(Role.HARM, f"{name} uses more than {new:g} cores at its peak", question, query, rate), "container_cpu_cfs_throttled_seconds_total", rate)
    low, high, reading = used
    claim = f"a copy of {name} uses {low:.3g} cores at its peak, {low / new:.0%} of {new:g}"
    if low < new and high >= OPEN_FROM * new:
        low = OPEN_FROM * new
    link = held_against(
        low, new, "cores", claim=claim, cited=(reading,), question=f"How many cores does one copy of {name} use at its peak?",
        query=f'max_over_time(rate(container_cpu_usage_seconds_total{{pod=~"{name}-.*"}}[5m])[30d:5m])',
    )  # fmt: skip
    return Judged(said, link, _metric(reading, "CPUUtilization"), reading)


_CORES = re.compile(r"(?i).*cpu_?(usage|used|cores)?.*(cores|seconds|usage|used|total|rate).*")


def _cores(case: Case, found: CapacityChange, resource: Resource) -> tuple[float, float, Reading] | None:
    """Cores that one copy uses at the peak: a lower and an upper bound, since a share may be of the limit or of the request."""
    for series in case.production.series_of(resource.id):
        unit = series.unit.lower()
        factor = {"cores": 1.0, "core": 1.0, "vcpu": 1.0, "millicores": 0.001, "milli": 0.001, "seconds/second": 1.0, "cpu": 1.0}.get(unit)
        if factor is None or "cpu" not in series.metric.lower() or "throttl" in series.metric.lower() or re.search(r"(?i)limit|request", series.metric):
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


def _class(case: Case, found: CapacityChange, resource: Resource) -> Judged | None:
    before, after = found.old_size, found.new_size
    if before is None or after is None:
        return None
    old_name, new_name = (str(s.value) if s is not None else "?" for s in (found.change.old, found.change.new))
    memory = f", {before.memory_gib:g} GiB becomes {after.memory_gib:g} GiB" if before.memory_gib and after.memory_gib else ""
    said = mechanism(f"{old_name} has {before.vcpus:g} virtual processors and {new_name} {after.vcpus:g}{memory}", _line(case, found))
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
        shares.append((100 * open_ones.value / allowed, f"{open_ones.value:,.0f} connections at the peak of {allowed:,.0f} that it allows by default", open_ones))
    worst = max(shares, key=lambda s: s[0], default=None)
    is_enough = any("processor" in how for _, how, _ in shares) or (is_cache and bool(shares))
    if worst is None or (worst[0] < OPEN_FROM * 100 and not is_enough):
        question = f"How much CPU and memory does {resource.name} use at its peak?"
        return Judged(said, unknown(Role.HARM, f"{new_name} is too small for {resource.name}", question, _cpu_query(resource)), "CPUUtilization")
    share, how, reading = worst
    link = held_against(
        share, 100, "%", claim=f"{resource.name} uses {how}: {share:,.0f} % of {new_name}", cited=(reading,),
        question=f"How busy is {resource.name} on its busiest day?", query=_cpu_query(resource),
    )  # fmt: skip
    return Judged(said, link, _metric(reading, "CPUUtilization"), reading)


def _memory_shares(case: Case, resource: Resource, old_gib: float, new_gib: float, *, is_cache: bool) -> list[tuple[float, str, Reading]]:
    """What share of the new class's memory is in use. A database gives its cache back, so only a cache's memory is all needed."""
    used = percent(case, resource.id, ("DatabaseMemoryUsagePercentage", re.compile(r"(?i).*memory.*(util|percent|usage).*"))) if is_cache else None
    if used is not None:
        return [(used.value * old_gib / new_gib, f"{used.value:.3g} % of {old_gib:g} GiB of memory at the peak", used)]
    held = metric(case, resource.id, ("BytesUsedForCache",), "max") if is_cache else None
    if held is not None:
        return [(100 * held.value / (new_gib * 1024**3 * 0.8), f"{held.value / 1024**3:.3g} GiB of data at the peak", held)]
    return []


def _nodes(case: Case, found: CapacityChange, resource: Resource) -> Judged:
    old, new, name = found.old or 0, found.new, resource.name
    said = mechanism(f"the load and the data of {old:g} nodes are left to {new:g}", _line(case, found))
    names = (re.compile(r"DatabaseMemoryUsagePercentage|JVMMemoryPressure|KafkaDataLogsDiskUsed|(?i:.*memory.*(util|percent|usage).*)"),)
    readings = [(r, what) for r, what in ((cpu_percent(case, resource.id), "CPU"), (percent(case, resource.id, names), "memory")) if r is not None]
    worst = max(readings, key=lambda r: r[0].value, default=None)
    if worst is None or new <= 0:
        question = f"How much CPU and memory do the {old:g} nodes of {name} use at the peak?"
        return Judged(said, unknown(Role.HARM, f"{new:g} nodes of {name} are too few", question, _cpu_query(resource)), "CPUUtilization")
    reading, what = worst
    after = reading.value * old / new
    link = held_against(
        after, 100, "%", cited=(reading,), claim=f"{old:g} nodes of {name} use {reading.value:.3g} % of their {what} at the peak, which is {after:,.0f} % of {new:g}",
        question=f"How busy is {name} on its busiest day?", query=_cpu_query(resource),
    )  # fmt: skip
    return Judged(said, link, _metric(reading, "CPUUtilization"), reading)


# -- throughput, storage, memory policy, connections ---------------------------------------------------


def _throughput(case: Case, found: CapacityChange, resource: Resource) -> Judged | None:
    is_read = found.what is Capacity.READS
    what = "ConsumedReadCapacityUnits" if is_read else "ConsumedWriteCapacityUnits"
    used = metric(case, resource.id, (what, f"{what}.sum"), "max")
    scaler = autoscaler_of(case, found.change.declared)
    limit = max(found.new, setting_number(scaler, "max_replicas") or 0) if scaler is not None else found.new
    kind = "read" if is_read else "write"
    said = mechanism(f"{resource.name} takes {limit:g} {kind} units a second and throttles what is above", _line(case, found))
    claim = f"{resource.name} consumes {used.value if used else 0:,.0f} {kind} units a second at the peak"
    return _limited(case, said, used, limit, "1/s", claim, resource, what)


def _shards(case: Case, found: CapacityChange, resource: Resource) -> Judged:
    said = mechanism(f"{found.new:g} shards take {found.new:g} MB and {found.new * 1000:,.0f} records a second", _line(case, found))
    ways = (("IncomingBytes", found.new * 1024**2), ("IncomingRecords", found.new * 1000), ("PutRecords.Bytes", found.new * 1024**2))
    uses = [(r, limit) for name, limit in ways if (r := _per_second(case, resource.id, name)) is not None]
    used = max(uses, key=lambda u: u[0].value / u[1], default=None)
    claim = f"{resource.name} takes {used[0].value:,.0f} a second at the peak" if used else ""
    return _limited(case, said, used[0] if used else None, used[1] if used else found.new, used[0].unit if used else "", claim, resource, "WriteProvisionedThroughputExceeded")


def _per_second(case: Case, resource: str, name: str) -> Reading | None:
    """A sum over its step as a rate, bytes as well."""
    found = metric(case, resource, (name, f"{name}.sum"), "max")
    if found is None or found.unit != "B":
        return found
    step = next((s.step_s for s in case.production.series_of(resource) if s.metric in (name, f"{name}.sum")), 1.0)
    return Reading(found.value / step, "B/s", found.evidence)


def _units(case: Case, found: CapacityChange, resource: Resource) -> Judged:
    used = metric(case, resource.id, ("ServerlessDatabaseCapacity",), "max")
    said = mechanism(f"{resource.name} grows to {found.new:g} capacity units instead of {found.old or 0:g}", _line(case, found))
    return _limited(case, said, used, found.new, "", f"{resource.name} used {used.value if used else 0:.3g} capacity units at the peak", resource, "ServerlessDatabaseCapacity")


def _iops(case: Case, found: CapacityChange, resource: Resource) -> Judged:
    reads, writes = (metric(case, resource.id, (name,), "max") for name in ("ReadIOPS", "WriteIOPS"))
    used = max((r for r in (reads, writes) if r is not None), key=lambda r: r.value, default=None)
    said = mechanism(f"the volume of {resource.name} does {found.new:g} operations a second instead of {found.old or 0:g}", _line(case, found))
    total = sum(r.value for r in (reads, writes) if r is not None)
    if used is not None and used.value < found.new and total >= OPEN_FROM * found.new:
        return Judged(said, unknown(Role.HARM, f"reads and writes of {resource.name} are up to {total:,.0f} a second", "Do the peaks of both fall together?", _cpu_query(resource), used), "DiskQueueDepth", used)
    return _limited(case, said, used, found.new, "1/s", f"{resource.name} does {used.value if used else 0:,.0f} operations a second at the peak", resource, "DiskQueueDepth")


def _storage(case: Case, found: CapacityChange, resource: Resource) -> Judged | None:
    free = metric(case, resource.id, ("FreeStorageSpace",), "min")
    if free is None or found.old is None:
        return None
    used_gb = found.old - free.value / 1e9
    said = mechanism(f"{resource.name} has {found.new:g} GB instead of {found.old:g} GB of disk", _line(case, found))
    return _limited(case, said, Reading(used_gb, "GB", free.evidence), found.new, "GB", f"{resource.name} uses {used_gb:,.0f} GB", resource, "FreeStorageSpace")


def _connections(case: Case, found: CapacityChange, resource: Resource) -> Judged:
    used = metric(case, resource.id, ("DatabaseConnections", "CurrConnections", re.compile(r"(?i)pg_stat_activity_count|mysql_global_status_threads_connected|.*connections")), "max")
    said = mechanism(f"{resource.name} refuses connections past {found.new:g}", _line(case, found))
    return _limited(case, said, used, found.new, "", f"{resource.name} holds {used.value if used else 0:,.0f} connections at the peak", resource, "DatabaseConnections")


def _limited(case: Case, said: Link, used: Reading | None, limit: float, unit: str, claim: str, resource: Resource, name: str) -> Judged:
    if used is None:
        question = f"How much of it does {resource.name} use at its peak?"
        query = f"aws cloudwatch get-metric-statistics --metric-name {name} --statistics Maximum Sum  # of {resource.name}"
        return Judged(said, unknown(Role.HARM, f"{resource.name} needs more than {limit:,.4g} at its peak", question, query), name)
    share = f"{claim}, {used.value / limit:.0%} of {limit:,.4g}" if limit else claim
    question = f"How much does {resource.name} use on its busiest day?"
    query = f"aws cloudwatch get-metric-statistics --metric-name {name} --statistics Maximum  # of {resource.name}, 30 days"
    return Judged(said, held_against(used.value, limit, unit, claim=share, question=question, query=query, cited=(used,)), _metric(used, name), used)


def _eviction(case: Case, found: CapacityChange, resource: Resource) -> Judged:
    name = resource.name
    said = mechanism(f"{name} refuses writes when its memory is full instead of evicting keys (OOM command not allowed)", _line(case, found))
    full = percent(case, resource.id, ("DatabaseMemoryUsagePercentage", re.compile(r"(?i).*memory.*(util|percent|usage|ratio).*")))
    evicted = metric(case, resource.id, ("Evictions", re.compile(r"(?i).*evict(ed|ions).*")), "p50")
    if full is None and evicted is None:
        question = f"Is the memory of {name} full, and does it evict keys now?"
        return Judged(said, unknown(Role.HARM, f"writes to {name} fail", question, "redis-cli INFO memory; redis-cli INFO stats | grep evicted_keys"), "Evictions")
    if evicted is not None and evicted.value > 0 and (full is None or full.value >= 90):
        at = f" at {full.value:.3g} % memory" if full else ""
        return Judged(said, harm(f"{name} evicts {evicted.value:,.3g} keys a second{at}; each of them needs room that is no longer made", evicted, full, comparison=compare(evicted, ">", 0)), _metric(evicted, "Evictions"), evicted)
    if full is not None:
        link = held_against(full.value, 100, "%", claim=f"the memory of {name} is {full.value:.3g} % full at the peak", cited=(full, evicted),
                            question=f"When does the memory of {name} fill up?", query="redis-cli INFO memory")  # fmt: skip
        return Judged(said, link, _metric(full, "DatabaseMemoryUsagePercentage"), full)
    return Judged(said, harm(f"{name} evicts keys to make room: none was evicted", evicted, comparison=compare(evicted.value if evicted else 0, ">", 0)), "Evictions", evicted)


def _line(case: Case, found: CapacityChange) -> FileEvidence:
    place = place_of_change(found.change)
    return quote(case, place.file, place.line, side=place.side)


def _metric(reading: Reading, otherwise: str) -> str:
    return reading.evidence.metric if reading.evidence.kind == "metric" else otherwise


def _cpu_query(resource: Resource) -> str:
    if resource.kind.startswith("aws."):
        return f"aws cloudwatch get-metric-statistics --metric-name CPUUtilization --statistics Maximum  # of {resource.name}, 7 days"
    return f'max_over_time(sum(rate(container_cpu_usage_seconds_total{{pod=~"{resource.name}-.*"}}[5m]))[7d:5m])'


_JUDGES: dict[Capacity, Judge] = {
    Capacity.COPIES: _copies, Capacity.CEILING: _ceiling, Capacity.FLOOR: _floor, Capacity.CPU_LIMIT: _cpu_limit, Capacity.CLASS: _class,
    Capacity.NODES: _nodes, Capacity.READS: _throughput, Capacity.WRITES: _throughput, Capacity.SHARDS: _shards, Capacity.UNITS: _units,
    Capacity.IOPS: _iops, Capacity.STORAGE: _storage, Capacity.EVICTION: _eviction, Capacity.CONNECTIONS: _connections,
}  # fmt: skip
