"""Declarations that tie a source of messages to what takes them: mappings, subscriptions, rules, queue consumers."""

import re
from collections.abc import Mapping

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, DeclaredEdge, Relation
from heuristics.rule import Declarations

_KIND = pattern(
    r"aws\.(lambda\.event_source_mapping|sns\.subscription|events\.(rule|target)|scheduler\.schedule|pipes\.pipe|logs\.subscription_filter"
    r"|s3\.bucket_notification|lambda\.(s3|stream|kafka|msk|activemq|rabbitmq|iot|cloudwatchlog)_event)|cloudflare\.queue_consumer"
    r"|google\.(pubsub\.subscription|eventarc\.trigger)|azure\.\w*(eventgrid|servicebus)\w*\.\w*subscription\w*|kubernetes\.(trigger|subscription|kafkasource)"
)
_SOURCES = (
    "source", "queue", "topic", "stream", "topic_arn", "event_source_arn", "bucket", "event_bus_name", "rule", "log_group_name", "schedule"
)  # fmt: skip
_TAKERS = (
    "function",
    "endpoint",
    "target",
    "arn",
    "targets",
    "lambda_function",
    "destination_arn",
    "push_config.push_endpoint",
    "spec.subscriber.ref.name",
)


class Tie(Record):
    """One joiner with both its ends, by declaration where the tree declares them, else as it is written."""

    joiner: Declared
    source: Declared | None
    source_text: str
    taker: Declared | None
    taker_text: str

    @property
    def source_name(self) -> str:
        """What the source is called: the physical name, else the last part of an ARN or address."""
        return _called(self.source, self.source_text)

    @property
    def taker_name(self) -> str:
        """What the consumer is called."""
        return _called(self.taker, self.taker_text)

    @property
    def is_schedule(self) -> bool:
        """Whether a clock and not a message wakes the consumer."""
        return "schedule" in self.joiner.settings or self.joiner.kind == "aws.scheduler.schedule"

    @property
    def is_fan_out(self) -> bool:
        """Whether every consumer of the source gets every message, so that another one does not stand in."""
        kind = self.source.kind if self.source is not None else ""
        text = f"{kind} {self.source_text} {self.joiner.kind}".lower()
        return (
            re.search(r"sns|topic|kinesis|stream|events\.|pubsub|kafka|bucket|s3_event|logs\.", text) is not None
            and "sqs" not in text
        )


def is_joiner(declared: Declared) -> bool:
    """Whether this declaration ties a source to a consumer."""
    return _KIND.fullmatch(declared.kind) is not None


def ties_of(side: Declarations) -> tuple[Tie, ...]:
    """Every tie that the manifests of one side declare."""
    joiners = [d for d in side.resources if is_joiner(d)]
    if not joiners:
        return ()
    known = {d.address: d for d in side.resources}
    by_evidence: dict[str, list[DeclaredEdge]] = {}
    for edge in side.edges:
        by_evidence.setdefault(edge.evidence, []).append(edge)
        by_evidence.setdefault("from " + edge.source, []).append(edge)
    return tuple(_tie(joiner, known, by_evidence) for joiner in joiners)


def _tie(joiner: Declared, known: Mapping[str, Declared], edges: Mapping[str, list[DeclaredEdge]]) -> Tie:
    source, taker = None, None
    for edge in edges.get(joiner.address, ()):
        if edge.relation in (Relation.TRIGGERS, Relation.PUBLISHES_TO):
            source, taker = source or known.get(edge.source), taker or known.get(edge.target)
    for edge in edges.get("from " + joiner.address, ()):
        other = known.get(edge.target)
        if other is None or other is source or other is taker:
            continue
        if edge.relation is Relation.TRIGGERS or (edge.relation is Relation.DEPENDS_ON and _takes(edge.evidence)):
            taker = taker or other
        elif edge.relation is Relation.DEPENDS_ON and not re.search(r"iam|role|permission", other.kind):
            source = source or other
    taker = taker or known.get(joiner.part_of or "")  # an event of a function, whose source is declared elsewhere
    if joiner.kind == "aws.events.rule" and source is None:
        source = joiner
    return Tie(joiner, source, _written(joiner, _SOURCES), taker, _written(joiner, _TAKERS))


def _takes(evidence: str) -> bool:
    key = evidence.partition(" = ")[0].lower().replace("_", "")
    return re.search(r"function|endpoint|target|destination", key) is not None


def _written(joiner: Declared, keys: tuple[str, ...]) -> str:
    for key in keys:
        setting = joiner.settings.get(key)
        if setting is not None:
            return str(setting.value) if isinstance(setting.value, str) else setting.text
    return ""


def _called(declared: Declared | None, text: str) -> str:
    if declared is not None:
        return declared.name or declared.address.rpartition(".")[2]
    return re.split(r"[:/]", text.strip("\"'"))[-1] if text else ""
