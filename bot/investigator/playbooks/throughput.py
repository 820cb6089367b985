"""Less provisioned throughput against what is consumed: tables, streams, gateways."""

from collections.abc import Iterator

from bot.investigator.asking import config, metric
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, unknown
from bot.investigator.chains.room import NEAR, chain_of_bound, declared_name, live_of, upward
from bot.investigator.facts.callees import short
from bot.investigator.facts.rates import request_rate
from bot.investigator.playbook import PlaybookInfo
from gonogo.pattern import pattern
from gonogo.trajectory import Role, Trajectory
from heuristics.limits.concurrency import Bound, Bounds, changed_bounds, scales_by_itself

INFO = PlaybookInfo(id="throughput", question="Is more asked for at the peak than is provisioned afterwards?")

_PER_SHARD = 1000.0
"""Records a second that one shard takes."""
_EXPORTED_READS = pattern(r"(?i)(aws_)?dynamodb_consumed_read_capacity_units(_sum)?")
_EXPORTED_WRITES = pattern(r"(?i)(aws_)?dynamodb_consumed_write_capacity_units(_sum)?")


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a lowered capacity."""
    for found in changed_bounds(case.diff):
        if found.bounds in (Bounds.READS, Bounds.WRITES, Bounds.RATE, Bounds.SHARDS) and found.is_lowered:
            yield from _throughput(case, found)


def _throughput(case: Case, found: Bound) -> Iterator[Trajectory]:
    declared = found.changed.declared
    what = {Bounds.READS: "Read", Bounds.WRITES: "Write"}.get(found.bounds)
    if what and scales_by_itself(case.diff, declared, f"{what}CapacityUnits"):
        return
    live, new = live_of(case, found), found.new or 0.0
    name = short(case, live) if live else declared_name(found)
    per, names = {
        Bounds.READS: ("read units a second", ("ConsumedReadCapacityUnits", _EXPORTED_READS)), Bounds.WRITES: ("write units a second", ("ConsumedWriteCapacityUnits", _EXPORTED_WRITES)),
        Bounds.SHARDS: ("records a second", ("IncomingRecords",)),
    }.get(found.bounds, ("requests a second", ()))  # fmt: skip
    used = (metric(case, live, names, "max") if names else request_rate(case, live)) if live else None
    usual = (metric(case, live, names, "p50") if names else request_rate(case, live, "p50")) if live else None
    limit = new * _PER_SHARD if found.bounds is Bounds.SHARDS else new
    mode = config(case, live, "billing_mode") if live else None
    if mode is not None and mode.value == "PAY_PER_REQUEST" and found.old is not None:
        return
    if used is None or used.unit != "1/s":
        last = unknown(Role.HARM, f"{name} is asked for more than {limit:g} {per}", f"How many {per} does {name} serve at the peak?",
                       f"aws cloudwatch get-metric-statistics --metric-name {names[0] if names else 'Count'} --statistics Sum --period 60  -- of {name}")  # fmt: skip
    elif used.value > limit or used.value <= limit * NEAR:
        last = harm(
            f"{name} is asked for more than {limit:,.0f} {per}: {used.value:,.0f} at the peak",
            used,
            usual,
            comparison=compare(used, ">", limit, "1/s"),
        )
    else:
        last = unknown(Role.HARM, f"{name} is asked for up to {used.value:,.0f} of {limit:,.0f} {per}; five-minute sums hide the peaks between", f"How many {per} at the peak of a minute?",
                       f"aws cloudwatch get-metric-statistics --metric-name {names[0] if names else 'Count'} --statistics Sum --period 60  -- of {name}", used)  # fmt: skip
    yield chain_of_bound(
        case, found, live, title=f"{name} is throttled at {new:g} {'shards' if found.bounds is Bounds.SHARDS else per}",
        metric_name=f"{what}ThrottleEvents" if what else "ThrottledRequests", how="what is asked beyond it is refused, and callers retry or fail", last=last,
        make_safe=f"Keep {upward(max(limit, used.value if used else 0) * 1.3):,.0f} {per}, use auto scaling with that as the minimum, or on-demand mode.",
    )  # fmt: skip
