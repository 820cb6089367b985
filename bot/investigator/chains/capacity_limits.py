"""Lower throughput, disk, connections and memory policy: what is used at the peak against the limit."""

import re

from bot.investigator.asking import Reading, metric, quote_change
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, mechanism, unknown
from bot.investigator.chains.capacity_judged import Judged, autoscaler_of, cpu_query, metric_of
from bot.investigator.facts.headroom import OPEN_FROM, held_against, percent
from gonogo.resource import Resource
from gonogo.trajectory import Link, Role
from heuristics.runtime.capacity import Capacity, CapacityChange
from heuristics.runtime.declared import setting_number

# -- throughput, storage, memory policy, connections ---------------------------------------------------


def throughput_judged(case: Case, found: CapacityChange, resource: Resource) -> Judged | None:
    """Read or write units of a table against what it consumes."""
    is_read = found.what is Capacity.READS
    what = "ConsumedReadCapacityUnits" if is_read else "ConsumedWriteCapacityUnits"
    used = metric(case, resource.id, (what, f"{what}.sum"), "max")
    scaler = autoscaler_of(case, found.change.declared)
    limit = max(found.new, setting_number(scaler, "max_replicas") or 0) if scaler is not None else found.new
    kind = "read" if is_read else "write"
    said = mechanism(
        f"{resource.name} takes {limit:g} {kind} units a second and throttles what is above", quote_change(case, found.change)
    )
    claim = f"{resource.name} consumes {used.value if used else 0:,.0f} {kind} units a second at the peak"
    return _limited(case, said, used, limit, "1/s", claim, resource, what)


def units_judged(case: Case, found: CapacityChange, resource: Resource) -> Judged:
    """The highest capacity of a serverless cluster against what it used."""
    used = metric(case, resource.id, ("ServerlessDatabaseCapacity",), "max")
    said = mechanism(
        f"{resource.name} grows to {found.new:g} capacity units instead of {found.old or 0:g}", quote_change(case, found.change)
    )
    return _limited(
        case,
        said,
        used,
        found.new,
        "",
        f"{resource.name} used {used.value if used else 0:.3g} capacity units at the peak",
        resource,
        "ServerlessDatabaseCapacity",
    )


def iops_judged(case: Case, found: CapacityChange, resource: Resource) -> Judged:
    """Operations a second of a volume against reads and writes."""
    reads, writes = (metric(case, resource.id, (name,), "max") for name in ("ReadIOPS", "WriteIOPS"))
    used = max((r for r in (reads, writes) if r is not None), key=lambda r: r.value, default=None)
    said = mechanism(
        f"the volume of {resource.name} does {found.new:g} operations a second instead of {found.old or 0:g}",
        quote_change(case, found.change),
    )
    total = sum(r.value for r in (reads, writes) if r is not None)
    if used is not None and used.value < found.new and total >= OPEN_FROM * found.new:
        return Judged(
            said,
            unknown(
                Role.HARM,
                f"reads and writes of {resource.name} are up to {total:,.0f} a second",
                "Do the peaks of both fall together?",
                cpu_query(resource),
                used,
            ),
            "DiskQueueDepth",
            used,
        )
    return _limited(
        case,
        said,
        used,
        found.new,
        "1/s",
        f"{resource.name} does {used.value if used else 0:,.0f} operations a second at the peak",
        resource,
        "DiskQueueDepth",
    )


def storage_judged(case: Case, found: CapacityChange, resource: Resource) -> Judged | None:
    """A smaller disk against what lies on it."""
    free = metric(case, resource.id, ("FreeStorageSpace",), "min")
    if free is None or found.old is None:
        return None
    used_gb = found.old - free.value / 1e9
    said = mechanism(
        f"{resource.name} has {found.new:g} GB instead of {found.old:g} GB of disk", quote_change(case, found.change)
    )
    return _limited(
        case,
        said,
        Reading(used_gb, "GB", free.evidence),
        found.new,
        "GB",
        f"{resource.name} uses {used_gb:,.0f} GB",
        resource,
        "FreeStorageSpace",
    )


def connections_judged(case: Case, found: CapacityChange, resource: Resource) -> Judged:
    """A lower connection limit against the connections of the peak."""
    used = metric(
        case,
        resource.id,
        (
            "DatabaseConnections",
            "CurrConnections",
            re.compile(r"(?i)pg_stat_activity_count|mysql_global_status_threads_connected|.*connections"),
        ),
        "max",
    )
    said = mechanism(f"{resource.name} refuses connections past {found.new:g}", quote_change(case, found.change))
    return _limited(
        case,
        said,
        used,
        found.new,
        "",
        f"{resource.name} holds {used.value if used else 0:,.0f} connections at the peak",
        resource,
        "DatabaseConnections",
    )


def _limited(
    case: Case, said: Link, used: Reading | None, limit: float, unit: str, claim: str, resource: Resource, name: str
) -> Judged:
    if used is None:
        question = f"How much of it does {resource.name} use at its peak?"
        query = f"aws cloudwatch get-metric-statistics --metric-name {name} --statistics Maximum Sum  # of {resource.name}"
        return Judged(
            said, unknown(Role.HARM, f"{resource.name} needs more than {limit:,.4g} at its peak", question, query), name
        )
    share = f"{claim}, {used.value / limit:.0%} of {limit:,.4g}" if limit else claim
    question = f"How much does {resource.name} use on its busiest day?"
    query = f"aws cloudwatch get-metric-statistics --metric-name {name} --statistics Maximum  # of {resource.name}, 30 days"
    return Judged(
        said,
        held_against(used.value, limit, unit, claim=share, question=question, query=query, cited=(used,), coming=(case, used)),
        metric_of(used, name),
        used,
    )


def eviction_judged(case: Case, found: CapacityChange, resource: Resource) -> Judged:
    """A store that refuses writes when it is full: whether it is full."""
    name = resource.name
    said = mechanism(
        f"{name} refuses writes when its memory is full instead of evicting keys (OOM command not allowed)",
        quote_change(case, found.change),
    )
    full = percent(
        case, resource.id, ("DatabaseMemoryUsagePercentage", re.compile(r"(?i).*memory.*(util|percent|usage|ratio).*"))
    )
    evicted = metric(case, resource.id, ("Evictions", re.compile(r"(?i).*evict(ed|ions).*")), "p50")
    if full is None and evicted is None:
        question = f"Is the memory of {name} full, and does it evict keys now?"
        return Judged(
            said,
            unknown(
                Role.HARM, f"writes to {name} fail", question, "redis-cli INFO memory; redis-cli INFO stats | grep evicted_keys"
            ),
            "Evictions",
        )
    if evicted is not None and evicted.value > 0 and (full is None or full.value >= 90):
        at = f" at {full.value:.3g} % memory" if full else ""
        return Judged(
            said,
            harm(
                f"{name} evicts {evicted.value:,.3g} keys a second{at}; each of them needs room that is no longer made",
                evicted,
                full,
                comparison=compare(evicted, ">", 0),
            ),
            metric_of(evicted, "Evictions"),
            evicted,
        )
    if full is not None:
        link = held_against(full.value, 100, "%", claim=f"the memory of {name} is {full.value:.3g} % full at the peak", cited=(full, evicted),
                            question=f"When does the memory of {name} fill up?", query="redis-cli INFO memory")  # fmt: skip
        return Judged(said, link, metric_of(full, "DatabaseMemoryUsagePercentage"), full)
    return Judged(
        said,
        harm(
            f"{name} evicts keys to make room: none was evicted",
            evicted,
            comparison=compare(evicted.value if evicted else 0, ">", 0),
        ),
        "Evictions",
        evicted,
    )
