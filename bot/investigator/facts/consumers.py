"""Queues and who works them off: live edges, arrivals, backlog, and how long a message takes."""

from bot.investigator.asking import Reading, captures, metric
from bot.investigator.case import Case
from bot.investigator.facts.latencies import Latency, latencies
from bot.investigator.facts.rates import arrival_rate
from gonogo.pattern import pattern
from gonogo.resource import Declared, Relation
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
    for resource in (queue, *([reader] if reader else ())):
        found = metric(case, resource, _BACKLOG, "p50")
        if found is not None and found.unit != "1/s":
            return found
    return None


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
