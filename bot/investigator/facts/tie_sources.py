"""The live source behind a subscription, mapping or rule, and what else feeds the consumer behind it."""

from bot.investigator.asking import Reading, edge, metric
from bot.investigator.case import Case
from bot.investigator.facts.rates import ARRIVALS, arrival_rate
from gonogo.evidence import GraphEvidence
from gonogo.record import Record
from gonogo.resource import Edge, Relation, Resource
from gonogo.word import ResourceId
from heuristics.delivery import RemovedConsumer
from heuristics.delivery.data_sources import looked_up
from heuristics.delivery.joiners import Tie

QUEUES = (
    "sqs", "queue", "kafka", "rabbit", "topic", "sns", "kinesis", "stream", "pubsub", "nats", "servicebus", "eventhub", "dynamodb", "events", "mq",
)  # fmt: skip
_OF_JOINER = {
    "aws.sns.subscription": ("sns",),
    "aws.events.rule": ("events", "eventbridge"),
    "aws.events.target": ("events", "eventbridge"),
    "aws.lambda.event_source_mapping": ("sqs", "kinesis", "dynamodb", "kafka", "msk", "mq"),
    "google.pubsub.subscription": ("pubsub",),
}
_FEEDS = (Relation.TRIGGERS, Relation.PUBLISHES_TO, Relation.WRITES_TO, Relation.INVOKES, Relation.ROUTES_TO)
_ALIKE = 0.2
"""Rates of two sources that differ by less than this share may well be the same messages."""


class Feed(Record):
    """Another live path into a consumer."""

    resource: Resource
    edge: GraphEvidence | None
    rate: Reading | None
    is_off: bool
    """It carries nothing: switched off, or silent over the whole window."""


def source_of_tie(case: Case, tie: Tie | None, program: Resource | None) -> Resource | None:
    """The one live source that the tie names, or that the graph shows for it."""
    if tie is None:
        return None
    live = case.live_of(tie.source)
    if live is not None:
        return live
    found = looked_up(case.diff.base, tie.joiner.file, tie.source_text)
    wanted = {tie.source_text, tie.source_name, found.name if found is not None and found.name else ""} - {""}
    named = [r for r in case.production.resources if r.id in wanted or (r.name in wanted and any(q in r.kind for q in QUEUES))]
    if found is not None and len(named) > 1:
        named = [r for r in named if found.kind.partition(".")[0] in r.kind]
    if len(named) == 1:
        return named[0]
    if program is None:
        return None
    sources = [s for r in takes_from(case, program) if (s := case.production.resource(r)) is not None]
    words = (found.kind.partition(".")[0],) if found is not None else _OF_JOINER.get(tie.joiner.kind, ())
    near = [s for s in sources if any(word in s.kind for word in words)] if words else sources
    return near[0] if len(near) == 1 else None


def takes_from(case: Case, program: Resource) -> list[ResourceId]:
    """Queues, topics, streams and rules that the graph shows as sources of a program."""
    found = [e.source for e in case.into(program.id, Relation.TRIGGERS, Relation.PUBLISHES_TO)]
    found += [e.target for e in case.out_of(program.id, Relation.READS_FROM)]
    kinds = {r.id: r.kind for r in case.production.resources}
    return [
        r for r in dict.fromkeys(found) if any(q in kinds.get(r, "") for q in QUEUES) and "dynamodb.table" not in kinds.get(r, "")
    ]


def other_feeds(case: Case, program: Resource | None, source: Resource | None) -> list[Feed]:
    """Every other live path into the consumer; for a program that is no queue, other queues are work of their own."""
    if program is None:
        return []
    edges = [e for e in case.into(program.id, *_FEEDS) if source is None or e.source != source.id]
    return [found for e in edges if (found := _feed(case, e)) is not None]


def carries_the_same(case: Case, source: Resource | None, arriving: Reading | None, feed: Feed) -> bool:
    """Whether the other path may bring the same messages: one publisher feeds both, or both are as busy."""
    if source is None or feed.is_off:
        return not feed.is_off
    publishers = {e.source for e in case.into(source.id, *_FEEDS)}
    if publishers & {e.source for e in case.into(feed.resource.id, *_FEEDS)}:
        return True
    if arriving is None or feed.rate is None or feed.resource.kind == source.kind:
        return False
    return abs(feed.rate.value - arriving.value) <= _ALIKE * max(feed.rate.value, arriving.value)


def arrivals(case: Case, source: Resource | None, program: Resource | None) -> Reading | None:
    """Messages a second at the source; else what its consumer gets, when this is all that feeds it."""
    found = arrival_rate(case, source.id) if source is not None else None
    if found is None and source is not None and "events" in source.kind:
        found = calls_of_program(case, source)
    if found is not None:
        return found
    if program is not None and len(case.into(program.id, *_FEEDS)) <= 1:
        return calls_of_program(case, program)
    return None


def calls_of_program(case: Case, program: Resource) -> Reading | None:
    """Calls, or messages received, a second, on average."""
    names = ("NumberOfMessagesReceived", "Invocations", "MatchedEvents", "TriggeredRules", *ARRIVALS)
    found = metric(case, program.id, names, "mean")
    return found if found is not None and found.unit == "1/s" else None


def sources_of(case: Case, lost: RemovedConsumer, program: Resource | None, named: set[str]) -> list[Resource | None]:
    """The live sources: the one that the tie names, else those that the graph shows for a program that goes."""
    if lost.tie is not None:
        return [source_of_tie(case, lost.tie, program)]
    if program is None:
        return []
    sources = [case.production.resource(r) for r in takes_from(case, program)]
    return [s for s in sources if s is not None and s.name not in named]


def _feed(case: Case, found: Edge) -> Feed | None:
    resource = case.production.resource(found.source)
    if resource is None or not any(
        q in resource.kind for q in (*QUEUES, "lambda", "ecs", "deployment", "worker", "pipe", "bucket")
    ):
        return None
    rate = arrival_rate(case, resource.id) or calls_of_program(case, resource)
    is_disabled = str(resource.attributes.get("state") or "").upper() == "DISABLED" or resource.attributes.get("enabled") is False
    is_silent = rate is not None and rate.value == 0
    return Feed(resource, edge(case, found.source, found.target, found.relation), rate, is_disabled or is_silent)
