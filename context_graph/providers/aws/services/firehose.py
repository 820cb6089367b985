"""Amazon Data Firehose: delivery streams, what feeds them and where they deliver."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from context_graph.providers.aws.asking import Asking, chosen, dig
from gonogo.resource import Relation

SERVICE = "firehose"
PERMISSIONS = ("firehose:DescribeDeliveryStream", "firehose:ListDeliveryStreams")

_DELIVERED = {"BucketARN", "DomainARN", "TableARN", "CatalogARN"}


def collect(ask: Asking) -> None:
    """Every delivery stream with its source, its function and its destinations."""
    for name in ask.pages(SERVICE, "list_delivery_streams", "DeliveryStreamNames", Limit=100):
        with ask.detail(f"delivery stream {name}"):
            answer = ask.one(SERVICE, "describe_delivery_stream", DeliveryStreamName=name)
            _stream(ask, name, answer["DeliveryStreamDescription"])


def _stream(ask: Asking, name: str, stream: Mapping[str, Any]) -> None:
    arn = stream["DeliveryStreamARN"]
    ask.resource(arn, "aws.firehose.delivery_stream", name, chosen(stream, "DeliveryStreamType DeliveryStreamStatus"))
    if source := dig(stream, "Source.KinesisStreamSourceDescription.KinesisStreamARN"):
        ask.edge(source, arn, Relation.TRIGGERS, "Source")
    if source := dig(stream, "Source.MSKSourceDescription.MSKClusterARN"):
        ask.edge(source, arn, Relation.TRIGGERS, "Source")
    for key, value in _leaves(stream.get("Destinations") or ()):
        if key in _DELIVERED:
            ask.edge(arn, value, Relation.WRITES_TO, key)
        elif key == "RoleARN":
            ask.edge(arn, value, Relation.DEPENDS_ON, "RoleARN")
        elif key == "LambdaArn":
            ask.edge(arn, value, Relation.INVOKES, "processor")
        elif key == "ClusterJDBCURL":
            ask.mention(arn, value.removeprefix("jdbc:"), key, Relation.WRITES_TO)
        elif key == "Url":
            ask.mention(arn, value, "HTTP endpoint", Relation.WRITES_TO)


def _leaves(value: Any) -> Iterator[tuple[str, str]]:
    """Every text with its key; a parameter of a processor under its own name."""
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        key, here = waiting.pop()
        if isinstance(here, Mapping):
            below = cast("Mapping[str, Any]", here)
            if isinstance(name := below.get("ParameterName"), str):
                waiting.append((name, below.get("ParameterValue")))
            waiting += below.items()
        elif isinstance(here, list | tuple):
            waiting += [(key, inner) for inner in cast("list[Any]", here)]
        elif isinstance(here, str):
            yield key, here
