"""Queues and who works them off: live edges, arrivals, backlog, and how long a message takes."""

import re

from bot.investigator.asking import Reading, base_unit, captures, metric, number, statistic_reading
from bot.investigator.case import Case
from bot.investigator.facts.callees import short
from bot.investigator.facts.durations import logged_work
from bot.investigator.facts.latencies import Latency, latencies
from bot.investigator.facts.rates import ARRIVALS
from bot.investigator.metric_names import plain_name
from gonogo.context import Series, Statistic
from gonogo.pattern import pattern
from gonogo.resource import Declared, Relation, Resource
from heuristics.limits.changed import normal_name
from heuristics.rule import live_key

QUEUES = (
    "aws.sqs", "aws.kinesis", "aws.msk", "aws.dynamodb", "aws.mq", "kafka", "rabbitmq", "gcp.pubsub", "google.pubsub", "azure.servicebus",
    "cloudflare.queue", "redis", "nats", "aws.sns", "kubernetes.queue", "sidekiq",
)  # fmt: skip
_TABLES = ("aws.dynamodb",)
"""They trigger by their stream; who reads them otherwise looks up rows."""
_BACKLOG = (
    "ApproximateNumberOfMessagesVisible", "rabbitmq_queue_messages_ready", "rabbitmq_queue_messages",
    pattern(r"(?i).*(consumergroup|consumer_group|consumer)?_?lag(_max|_sum)?(\{[^}]*\})?"), pattern(r"(?i).*(backlog|queue_(depth|length|size)|undelivered|pending_messages).*"),
)  # fmt: skip
_PRODUCED = pattern(
    r"(?i).*(publish|produced|incoming|ingress|enqueue(d|s)?(?!_?(jobs|tasks|messages)$)|sent|send_(message|request)|messages_?in|added|inserted|pushed|submitted|dispatched|arriv).*"
)
"""What a queue, or who fills it, counts when something arrives."""
_NO_MESSAGES = pattern(r"(?i)byte|latency|duration|error|fail|dead|retr(y|ies)|redeliver|ready|waiting|backlog|lag|_seconds")
_DONE = pattern(
    r"(?i)(?!.*(cpu|memory|http|request)).*(consumed|processed|completed|succeeded|deliver|(?<!un)ack(ed|nowledged|s_total)|deleted|received|executed|handled|finished|(jobs|tasks|messages|records)(_total|_per_second|_rate)).*"
)
"""What a queue, or who works it off, counts when something is done."""


def live(case: Case, declared: Declared | None) -> str | None:
    """The live resource of a declaration."""
    return case.diff.live.get(live_key(declared)) if declared is not None else None


def readers_of(case: Case, queue: str) -> list[str]:
    """Live resources that a queue triggers, or that read from it."""
    pushed = [e.target for e in case.out_of(queue, Relation.TRIGGERS, Relation.INVOKES)]
    pulled = [e.source for e in case.into(queue, Relation.READS_FROM)]
    return list(dict.fromkeys([*pushed, *pulled]))


def queues_of(case: Case, reader: str) -> list[str]:
    """Live queues that trigger a resource, or that it reads from."""
    pushed = [e.source for e in case.into(reader, Relation.TRIGGERS, Relation.INVOKES)]
    pulled = [e.target for e in case.out_of(reader, Relation.READS_FROM) if not kind(case, e.target).startswith(_TABLES)]
    return [q for q in dict.fromkeys([*pushed, *pulled]) if kind(case, q).startswith(QUEUES)]


def link(case: Case, queue: str, reader: str) -> tuple[str, str, Relation]:
    """The live edge between a queue and its reader."""
    for edge in (*case.out_of(queue), *case.into(queue)):
        if {edge.source, edge.target} == {queue, reader}:
            return edge.source, edge.target, edge.relation
    return queue, reader, Relation.TRIGGERS


def arrivals(case: Case, queue: str, statistic: str = "mean") -> Reading | None:
    """Messages a second that arrive."""
    wanted = "max" if statistic == "max" else "p50" if statistic == "p50" else "mean"
    series = arriving(case, queue)
    return statistic_reading(series, wanted) if series is not None else None


def arriving(case: Case, queue: str) -> Series | None:
    """The series of what arrives: as the queue counts it, else as those who fill it or work it off do, by its name."""
    for name in (*ARRIVALS, _PRODUCED):
        found = _counted(case, queue, name)
        if found is not None:
            return found
    return next((s for r in _fillers(case, queue) if (s := _named(case, r, queue, _PRODUCED)) is not None), None)


def done(case: Case, queue: str, reader: str) -> Series | None:
    """The series of what is worked off today: as the queue counts it, else as its reader does."""
    series = _counted(case, queue, _DONE) or _named(case, reader, queue, _DONE)
    if series is None and len(queues_of(case, reader)) == 1:
        series = _counted(case, reader, _DONE)
    return series


def _counted(case: Case, resource: str, names: str | re.Pattern[str]) -> Series | None:
    """The first series of a resource without a part of it among its labels that counts such events a second."""
    case.asked.append(f"metric {names if isinstance(names, str) else names.pattern} of {resource}")
    for series in case.production.series_of(resource):
        name = plain_name(series.metric, "max", series.unit, resource)
        if _NO_MESSAGES.search(name):
            continue
        if (names == name if isinstance(names, str) else names.fullmatch(name)) and base_unit(series)[1] == "1/s":
            return series
    return None


def _named(case: Case, resource: str, queue: str, names: re.Pattern[str]) -> Series | None:
    """The series of another resource that counts such events of this queue: a label says which."""
    wanted = normal_name(short(case, queue))
    for series in case.production.series_of(resource):
        name, brace, rest = series.metric.partition("{")
        values = (
            {normal_name(part.partition("=")[2].strip("\"' ")) for part in rest.rstrip("}").split(",")} if brace else set[str]()
        )
        if wanted in values and not _NO_MESSAGES.search(name) and names.fullmatch(name) and base_unit(series)[1] == "1/s":
            return series
    return None


def _fillers(case: Case, queue: str) -> list[str]:
    """Who publishes to a queue, and who works it off: libraries count the jobs of all queues at one place."""
    sources = [e.source for e in case.into(queue, Relation.PUBLISHES_TO, Relation.WRITES_TO)]
    return list(dict.fromkeys([*sources, *readers_of(case, queue)]))


def backlog(case: Case, queue: str, reader: str | None = None) -> Reading | None:
    """How many messages usually wait, at the queue or as the reader reports it."""
    for resource in (queue, *groups_of(case, queue), *([reader] if reader else ())):
        found = metric(case, resource, _BACKLOG, "p50")
        if found is not None and found.unit != "1/s":
            return found
    return None


def busy_backlog(case: Case, queue: str, reader: str | None = None) -> Reading | None:
    """How many messages wait in the busiest twentieth of the window: at the queue, at the group that reads it, or as the reader reports it."""
    for resource in (queue, *groups_of(case, queue), *([reader] if reader else ())):
        found = metric(case, resource, _BACKLOG, "p95")
        if found is not None and found.unit != "1/s":
            return found
    return None


def groups_of(case: Case, queue: str) -> list[str]:
    """Consumer groups of a topic, and subscriptions of one: where the lag is counted."""
    joined = [e.source for e in case.into(queue, Relation.READS_FROM, Relation.CONNECTS_TO)]
    joined += [e.target for e in case.out_of(queue, Relation.TRIGGERS)]
    return [r for r in dict.fromkeys(joined) if _GROUP.search(kind(case, r)) or _GROUP.search(r.rpartition("/")[0])]


def members_of(case: Case, queue: str, reader: Resource | None) -> float:
    """Among how many consumers what waits is shared: members of the group, else partitions, else copies of the reader; 1 at the least."""
    found = [number(case, g, "members", "member_count", "consumers") for g in groups_of(case, queue)]
    found += [number(case, queue, "partitions", "partition_count", "num_partitions")]
    found += [number(case, reader.id, "replicas", "desired_count", "count", "instances")] if reader is not None else []
    return max(1.0, next((one.value for one in found if one is not None), 1.0))


def logged_batch(case: Case, reader: str, statistic: Statistic = "p50") -> Reading | None:
    """The median time of a message (or another statistic), in seconds, where log lines tell how many were done in how long; all lines have to tell the same number."""
    sizes = {
        m["n"]
        for line in case.production.logs
        if line.resource == reader and (m := _BATCH_LINE.search(line.message[:1_000])) is not None
    }
    for size in sorted(sizes, key=int, reverse=True)[:3]:
        for unit, factor in ((r"ms", 1e-3), (r"(?:s|sec|seconds)", 1.0)):
            shape = rf"(?i)\b(?:records|messages|items|events|size|count|n)[=: ]+{size}\b.{{0,40}}?\b(?:took|duration|elapsed|in|time)[=: ]+(?P<t>[\d.]+) ?{unit}\b"
            found = captures(case, reader, shape, "t", statistic, factor=factor / max(1, int(size)), unit="s")
            if found is not None:
                return found
    return None


_BATCH_LINE = pattern(
    r"(?i)\b(?:records|messages|items|events|size|count|n)[=: ]+(?P<n>\d{1,6})\b.{0,40}?\b(?:took|duration|elapsed|in|time)[=: ]+[\d.]{1,12} ?(?:ms|s|sec|seconds)\b"
)
_GROUP = pattern(r"(?i)consumer_?-?group|subscription")


def work_times(case: Case, reader: str) -> tuple[Latency, ...]:
    """How long a message, or a batch of a function, takes; outgoing calls left out."""
    return latencies(case, reader, outgoing=False)


def logged_time(case: Case, reader: str) -> Reading | None:
    """The median time of a message that the sampled logs tell, in seconds."""
    for tried, factor in (
        (
            r"(?i)\b(?:duration|elapsed|took|runtime|run_time|exec(?:ution)?_time|perform|total)_?ms[\"']?[=: ]+(?P<t>[\d.]+)",
            1e-3,
        ),
        (r"(?i)(?:took|duration|elapsed|runtime|run_time|in)[\"']?[=: ]+(?P<t>[\d.]+) ?ms\b", 1e-3),
        (
            r"(?i)(?:took|duration|elapsed|runtime|run_time|in|done|finished in|seconds)[=: ]+(?P<t>[\d.]+) ?(?:s|sec|seconds)?\b(?! ?ms)",
            1.0,
        ),
    ):
        if (found := captures(case, reader, tried, "t", "p50", factor=factor, unit="s")) is not None:
            return found
    worked = logged_work(case, reader)
    return worked.usual if worked is not None else None


def kind(case: Case, resource: str) -> str:
    """The kind of a resource that was read."""
    found = case.production.resource(resource)
    return found.kind if found is not None else ""
