"""Amazon Kinesis Data Streams."""

from context_graph.providers.aws.asking import Asking, chosen

SERVICE = "kinesis"
PERMISSIONS = ("kinesis:DescribeStreamSummary", "kinesis:ListStreams")


def collect(ask: Asking) -> None:
    """Every stream. What reads it is an event source mapping of Lambda, a pipe, or a delivery stream."""
    for name in ask.pages(SERVICE, "list_streams", "StreamNames", Limit=1000):
        with ask.detail(f"stream {name}"):
            summary = ask.one(SERVICE, "describe_stream_summary", StreamName=name)["StreamDescriptionSummary"]
            attributes = chosen(summary, "StreamStatus RetentionPeriodHours StreamModeDetails ConsumerCount EncryptionType")
            attributes["shard_count"] = summary.get("OpenShardCount")
            ask.resource(summary["StreamARN"], "aws.kinesis.stream", name, attributes)
