"""Fewer consumers against what arrives: does the queue grow, how fast, and until when?"""

from collections.abc import Iterator

from bot.investigator.asking import Reading, edge, metric, number, quote_place
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.callees import own_workloads, short
from bot.investigator.facts.consumers import backlog, link, live, queues_of
from bot.investigator.facts.demand import Demand, demand_of, others_at, service_times
from bot.investigator.facts.foreseen import foreseen
from bot.investigator.facts.parallel import is_of_web_server, side_by_side
from bot.investigator.facts.workers import ceiling_of, copies_of, worker_of
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import Evidence
from gonogo.record import Record
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.limits.concurrency import Bound, Bounds, changed_bounds, parallel_work, scales_by_itself, sure_parallel_work

INFO = PlaybookInfo(id="queue-growth", question="Do the consumers that are left keep up with what arrives?")

_RUNNING = ("ConcurrentExecutions", "ConcurrentExecutions.max", "ConcurrentExecutions.maximum")


class _Consumer(Record):
    """A live consumer and its live queue, with what is left of it."""

    resource: str
    queue: str
    left: float
    """Instances, or concurrent runs, after the change."""
    side_by_side: float
    """The most that one of them may do at the same time."""
    surely: float = 1.0
    """What one of them does at the same time at the least."""
    most: float | None = None
    """Instances where an autoscaler adds some; None where it has no known end."""
    said: Evidence | None = None
    """What says how many instances there are, where the change does not."""
    is_counted: bool = True
    """Whether anything says how many instances there are."""
    beside: str = ""
    """Another live consumer of the same queue."""


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a consumer that gets fewer copies, workers or concurrent runs."""
    for found in changed_bounds(case.diff):
        if not found.is_lowered or found.new is None or found.old is None:
            continue
        consumer = _consumer(case, found)
        if consumer is not None:
            yield _chain(case, found, consumer)


def _consumer(case: Case, found: Bound) -> _Consumer | None:
    new = found.new or 0.0
    declared = found.changed.declared
    match found.bounds:
        case Bounds.INSTANCES if not scales_by_itself(case.diff, declared, "replicas"):
            resource = live(case, declared)
            queue = _queue(case, resource)
            if resource is None or queue is None:
                return None
            return _Consumer(
                resource,
                queue,
                new,
                parallel_work(case.diff),
                sure_parallel_work(case.diff),
                max(new, ceiling_of(case, resource)),
                beside=others_at(case, queue, resource),
            )
        case Bounds.RESERVED | Bounds.SOURCE:
            resource = live(case, declared) or _function_of(case)
            queues = queues_of(case, resource) if resource else []
            return _Consumer(resource, queues[0], new, 1.0, 1.0, new) if resource and len(queues) == 1 else None
        case Bounds.WORKERS:
            workload = worker_of(case, found.changed) if not is_of_web_server(found.changed) else None
            queue = _queue(case, workload.id) if workload else None
            if workload is None or queue is None:
                return None
            copies, together = copies_of(case, workload), side_by_side(case, found.changed, new)
            return _Consumer(
                workload.id, queue, copies.least, together.most or new, together.least, copies.most, copies.evidence,
                is_counted=copies.evidence is not None and together.most is not None, beside=others_at(case, queue, workload.id),
            )  # fmt: skip
        case _:
            return None


def _chain(case: Case, found: Bound, consumer: _Consumer) -> Trajectory:
    place = found.changed.place
    line = quote_place(case, place)
    queue, name = short(case, consumer.queue), short(case, consumer.resource)
    demand = demand_of(case, consumer.queue, consumer.resource)
    rate = demand.mean if demand is not None else None
    said = f"{rate.value:.3g} messages a second arrive at {queue} on average" if rate else f"messages arrive at {queue}"
    return Trajectory(
        title=f"{queue} grows because {name} no longer keeps up",
        impact=Impact.HIGH,
        resource=ResourceId(consumer.queue),
        metric=_backlog_metric(case, consumer),
        links=(
            trigger(f"`{found.changed.name}` of {name} goes from {found.old:g} to {found.new:g}", line),
            mechanism(f"what {name} does not take in time waits in {queue}", line),
            exposure(said, rate, edge(case, *link(case, consumer.queue, consumer.resource))),
            _harm(case, found, consumer, demand),
        ),
        make_safe=_make_safe(case, found, consumer, demand),
        path=(ResourceId(consumer.queue), ResourceId(consumer.resource)),
        undo=f"Set `{found.changed.name}` back to {found.old:g} and deploy; the backlog is worked off at the rate that is then to spare.",
    )


def _harm(case: Case, found: Bound, consumer: _Consumer, demand: Demand | None) -> Link:
    queue, name = short(case, consumer.queue), short(case, consumer.resource)
    if found.bounds in (Bounds.RESERVED, Bounds.SOURCE) and (judged := _by_runs(case, consumer, queue, name)) is not None:
        return judged
    fast, slow = service_times(case, consumer.resource, consumer.queue)
    if demand is not None and (known := _judged(case, found, consumer, demand, fast, slow)) is not None:
        return known
    known = [r for r in (demand.mean if demand is not None else None, fast or slow) if r is not None]
    return unknown(
        Role.HARM, f"more arrives at {queue} than {consumer.left:g} of {name} work off", f"How long does {name} take for a message, and how many arrive in the busiest hour?",
        "sum(rate(messages_published_total[1h])); rate(message_processing_seconds_sum[1h]) / rate(message_processing_seconds_count[1h])", *known,
    )  # fmt: skip


def _judged(
    case: Case, found: Bound, consumer: _Consumer, demand: Demand, fast: Reading | None, slow: Reading | None
) -> Link | None:
    """What arrives against what is worked off at most, where that is sure, and at least; None where neither tells."""
    queue, cited = short(case, consumer.queue), tuple(e for e in (consumer.said,) if e is not None)
    mean, peak = demand.mean, demand.peak
    lanes = number(case, consumer.queue, "partitions", "partition_count", "num_partitions", "shard_count")
    widest = lanes.value if lanes is not None else float("inf")
    at_least = min(consumer.left * consumer.surely, widest) / slow.value if slow is not None else 0.0
    is_known = consumer.most is not None and consumer.is_counted and not consumer.beside
    if fast is not None and consumer.most is not None and is_known:
        at_most = min(consumer.most * consumer.side_by_side, widest) / fast.value
        sum_of = f"{consumer.most:g} × {consumer.side_by_side:g} ÷ {fast.value:.3g} s"
        if mean.value > at_most:
            growth = (mean.value - at_most) * 3600
            return harm(
                f"{mean.value:.3g} messages a second {demand.said} and at most {at_most:.3g} are worked off ({sum_of}): "
                f"{queue} grows by {growth:,.0f} an hour{_until(case, consumer, growth)}",
                mean, fast, peak, *cited, comparison=compare(mean.value, ">", at_most, "1/s"),
            )  # fmt: skip
        if (coming := _coming(case, peak, consumer, queue, at_most, at_least, (mean, slow or fast, fast))) is not None:
            return coming
        waits, waited = demand.wait_s(at_most), demand.wait_s(at_most * (found.old or 0.0) / max(1.0, found.new or 1.0))
        if demand.is_of_arrivals and waits >= _LONG_S and waited < _SHORT_S and demand.days_over(at_most) >= 2:
            return harm(
                f"up to {peak.value:.3g} messages a second {demand.said} and at most {at_most:.3g} are worked off ({sum_of}): a message waits up to "
                f"{waits / 3600:.1f} h in the busy hours, {waited / 60:.0f} min before",
                peak, mean, fast, *cited, comparison=compare(round(waits), ">=", _LONG_S, "s"),
            )  # fmt: skip
    rest = _other_peaks(case, consumer)
    total = peak.value + sum(r.value for r in rest) if rest is not None else float("inf")
    if slow is not None and total <= at_least and (demand.is_of_arrivals or demand.is_in_step):
        return harm(
            f"more arrives than is worked off: at most {total:.3g} a second {demand.said}, {consumer.left:g} × {consumer.surely:g} manage {at_least:.3g} at {slow.value:.3g} s a message",
            peak, *(rest or ()), slow, *cited, comparison=compare(total, ">", at_least, "1/s"),
        )  # fmt: skip
    return None


def _other_peaks(case: Case, consumer: _Consumer) -> tuple[Reading, ...] | None:
    """What arrives at the peak at the other queues of the consumer; None where that is not known of each."""
    found = [demand_of(case, queue, consumer.resource) for queue in queues_of(case, consumer.resource) if queue != consumer.queue]
    known = [one.peak for one in found if one is not None and one.is_of_arrivals]
    return tuple(known) if len(known) == len(found) else None


_LONG_S, _SHORT_S = 3600.0, 300.0
"""A message that waited minutes and waits for an hour is late for whoever waits for it."""


def _coming(
    case: Case, peak: Reading, consumer: _Consumer, queue: str, at_most: float, at_least: float, cited: tuple[Reading, ...]
) -> Link | None:
    """What arrives in the coming day against what is worked off: growth all day is harm, a peak above it a question."""
    known = foreseen(case, peak)
    if known is None or known.p90 <= at_least:
        return None
    said = f"up to {known.p50:.3g} messages a second are forecast {known.clause} and at most {at_most:.3g} are worked off"
    if known.mean > at_most and known.p50 > at_most:
        growth = (known.mean - at_most) * 3600
        return harm(
            f"{said}: {queue} grows by {growth:,.0f} an hour{_until(case, consumer, growth)}", peak, *cited, known.cited,
            comparison=compare(known.p50, ">", at_most, "1/s"),
        )  # fmt: skip
    if known.p50 <= at_most and peak.value > at_least:
        return None  # the window's own peak leaves it open already
    return unknown(
        Role.HARM, f"{said}, {at_least:.3g} when messages take long: {queue} is not empty until the peak is over", "How old may a message get before it hurts?",
        "aws cloudwatch get-metric-statistics --metric-name ApproximateAgeOfOldestMessage --statistics Maximum", peak, *cited, known.cited_high,
    )  # fmt: skip


def _by_runs(case: Case, consumer: _Consumer, queue: str, name: str) -> Link | None:
    """A function: what runs at the same time today is the work; more of it on average than may run piles up."""
    mean, peak = (metric(case, consumer.resource, _RUNNING, s) for s in ("mean", "max"))
    if mean is None or peak is None:
        return None
    coming = foreseen(case, peak) if mean.value <= consumer.left else None
    if coming is not None and coming.mean > consumer.left and coming.p50 > consumer.left:
        return harm(
            f"{name} needs {coming.mean:.3g} runs at the same time on average and up to {coming.p50:.3g} {coming.clause}, and gets {consumer.left:g}: {queue} grows",
            peak, mean, coming.cited, comparison=compare(coming.p50, ">", consumer.left, "runs"),
        )  # fmt: skip
    if coming is not None and peak.value <= consumer.left < coming.p90:
        return unknown(
            Role.HARM, f"{name} may need {coming.p90:.3g} runs at the same time {coming.clause} and gets {consumer.left:g}: messages wait until it is over",
            "How old may a message get before it hurts?", "aws cloudwatch get-metric-statistics --metric-name ApproximateAgeOfOldestMessage --statistics Maximum",
            peak, mean, coming.cited_high,
        )  # fmt: skip
    if mean.value > consumer.left:
        return harm(f"{name} needs {mean.value:.3g} runs at the same time on average and gets {consumer.left:g}: {queue} grows", mean, peak,
                    comparison=compare(mean.value, ">", consumer.left, "runs"))  # fmt: skip
    if peak.value <= consumer.left:
        return harm(
            f"{name} runs more than {consumer.left:g} at the same time: {peak.value:.3g} at the peak",
            peak,
            comparison=compare(peak.value, ">", consumer.left, "runs"),
        )
    return unknown(Role.HARM, f"at the peak {name} needs {peak.value:.3g} runs and gets {consumer.left:g}: messages wait until it is over",
                   "How old may a message get before it hurts?", "aws cloudwatch get-metric-statistics --metric-name ApproximateAgeOfOldestMessage --statistics Maximum", peak, mean)  # fmt: skip


def _until(case: Case, consumer: _Consumer, growth_per_hour: float) -> str:
    """When the first message is lost: at the queue's length, else at its retention."""
    longest = number(case, consumer.queue, "max_length", "x_max_length")
    if longest is not None and growth_per_hour > 0:
        return f", and is full at {longest.value:,.0f} after {longest.value / growth_per_hour:.1f} h"
    kept = number(case, consumer.queue, "message_retention_s")
    return f"; messages are deleted after {kept.value / 3600:g} h" if kept is not None else ""


def _make_safe(case: Case, found: Bound, consumer: _Consumer, demand: Demand | None) -> str:
    peak = demand.peak if demand is not None else None
    _, slow = service_times(case, consumer.resource, consumer.queue)
    needed = f" (at least {peak.value * slow.value * 1.2 + 0.5:.0f} at the peak)" if peak is not None and slow is not None else ""
    return f"Keep `{found.changed.name}` at {found.old:g}{needed}, or scale on the length of the queue (KEDA `ScaledObject`, target tracking on backlog per task)."


def _function_of(case: Case) -> str | None:
    """The live function of an event source mapping or of a concurrency setting that stands on its own."""
    mine = [r for r in own_workloads(case) if r.kind == "aws.lambda.function" and queues_of(case, r.id)]
    return mine[0].id if len(mine) == 1 else None


def _queue(case: Case, resource: str | None) -> str | None:
    """The queue of a consumer; of several, the one at which most arrives."""
    found = queues_of(case, resource) if resource else []
    if len(found) < 2 or resource is None:
        return next(iter(found), None)
    known = [
        (demand.mean.value, queue)
        for queue in found
        if (demand := demand_of(case, queue, resource)) is not None and demand.is_of_arrivals
    ]
    return max(known)[1] if known else None


def _backlog_metric(case: Case, consumer: _Consumer) -> str:
    found = backlog(case, consumer.queue, consumer.resource)
    return (
        found.evidence.metric if found is not None and found.evidence.kind == "metric" else "ApproximateNumberOfMessagesVisible"
    )
