"""Queues and who works them off: live edges, arrivals, backlog, and how long a message takes."""

from bot.investigator.asking import Reading, captures, metric, number
from bot.investigator.case import Case
from bot.investigator.facts.latencies import Latency, latencies
from bot.investigator.facts.rates import arrival_rate
from gonogo.context import Statistic
from gonogo.pattern import pattern
from gonogo.resource import Declared, Relation, Resource
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
_PRODUCED = pattern(r"(?i).*(published|produced|incoming|enqueued|sent|messages_in|added).*")


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
    found = arrival_rate(case, queue, wanted)
    if found is not None:
        return found
    found = metric(case, queue, (_PRODUCED,), wanted)
    return found if found is not None and found.unit == "1/s" else None


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
        (r"(?i)(?:took|duration|elapsed|in)[=: ]+(?P<t>[\d.]+) ?ms\b", 1e-3),
        (r"(?i)(?:took|duration|elapsed|in|done|finished in|seconds)[=: ]+(?P<t>[\d.]+) ?(?:s|sec|seconds)?\b(?! ?ms)", 1.0),
    ):
        if (found := captures(case, reader, tried, "t", "p50", factor=factor, unit="s")) is not None:
            return found
    return None


def kind(case: Case, resource: str) -> str:
    """The kind of a resource that was read."""
    found = case.production.resource(resource)
    return found.kind if found is not None else ""
