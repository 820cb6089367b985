"""Amazon EventBridge Pipes: from a source, by way of an enrichment, to a target."""

from collections.abc import Mapping
from typing import Any

from context_graph.providers.aws.asking import Asking, chosen, dig, part
from gonogo.resource import Relation

SERVICE = "pipes"
PERMISSIONS = ("pipes:DescribePipe", "pipes:ListPipes")

_RUNS = ("RUNNING", "STARTING", "UPDATING", "CREATING")
_SOURCES = (
    "SqsQueueParameters", "KinesisStreamParameters", "DynamoDBStreamParameters",
    "ManagedStreamingKafkaParameters", "SelfManagedKafkaParameters", "ActiveMQBrokerParameters", "RabbitMQBrokerParameters",
)  # fmt: skip


def collect(ask: Asking) -> None:
    """Every pipe; it is triggered by its source and triggers its target while it runs."""
    for listed in ask.pages(SERVICE, "list_pipes", "Pipes", Limit=100):
        with ask.detail(f"pipe {listed.get('Name')}"):
            _pipe(ask, ask.one(SERVICE, "describe_pipe", Name=listed["Name"]))


def _pipe(ask: Asking, pipe: Mapping[str, Any]) -> None:
    arn = pipe["Arn"]
    attributes = chosen(pipe, "CurrentState DesiredState Source Target Enrichment")
    for name in _SOURCES:
        settings = part(pipe, f"SourceParameters.{name}")
        attributes |= chosen(settings, "BatchSize MaximumBatchingWindowInSeconds MaximumRetryAttempts ParallelizationFactor")
    ask.resource(arn, "aws.pipes.pipe", pipe["Name"], attributes)
    if pipe.get("CurrentState", "RUNNING") in _RUNS:
        if pipe["Source"].startswith("arn:"):  # a broker of one's own is `smk://host:port`
            ask.edge(pipe["Source"], arn, Relation.TRIGGERS, "Source")
        else:
            ask.mention(arn, pipe["Source"].partition("://")[2], "Source", Relation.READS_FROM)
        ask.edge(arn, pipe["Target"], Relation.TRIGGERS, "Target")
        if task := dig(pipe, "TargetParameters.EcsTaskParameters.TaskDefinitionArn"):
            ask.edge(arn, task, Relation.TRIGGERS, "Target")
        if enrichment := pipe.get("Enrichment"):
            ask.edge(arn, enrichment, Relation.INVOKES, "Enrichment")
    for name in _SOURCES:
        if dead_letters := dig(pipe, f"SourceParameters.{name}.DeadLetterConfig.Arn"):
            ask.edge(arn, dead_letters, Relation.PUBLISHES_TO, "DeadLetterConfig")
    if role := pipe.get("RoleArn"):
        ask.edge(arn, role, Relation.DEPENDS_ON, "RoleArn")
