"""Which metrics of CloudWatch say how a resource of a kind does: namespace, dimensions, statistics, units.

Source: each service's page of CloudWatch metrics in the AWS documentation. A metric's bare name stands for the statistic that its
page calls meaningful; others are named after a dot, as `Duration.p99`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from gonogo.resource import Resource

Dimensions = Mapping[str, str]


@dataclass(frozen=True)
class Wanted:
    """One series: CloudWatch's metric and statistic, and what it is called here."""

    metric: str
    statistic: str
    unit: str
    label: str


@dataclass(frozen=True)
class KindMetrics:
    """What is read of one kind of resource, and how its metrics are told from others'."""

    namespace: str
    dimensions: Callable[[Resource], Dimensions | None]
    wanted: tuple[Wanted, ...]
    region: str | None = None
    """Where the metrics are kept, when it is not where the resource is."""


def _counts(*metrics: str) -> Iterator[Wanted]:
    for metric in metrics:
        yield Wanted(metric, "Sum", "Count", metric)


def _levels(statistic: str, unit: str, *metrics: str) -> Iterator[Wanted]:
    for metric in metrics:
        yield Wanted(metric, statistic, unit, metric)


def _spread(metric: str, unit: str, *statistics: str) -> Iterator[Wanted]:
    """`p99` and the like; `max` is CloudWatch's Maximum."""
    names = {"max": "Maximum", "mean": "Average"}
    for statistic in statistics:
        yield Wanted(metric, names.get(statistic, statistic), unit, f"{metric}.{statistic}")


def _named(dimension: str) -> Callable[[Resource], Dimensions | None]:
    return lambda resource: {dimension: resource.name}


def _arn(dimension: str) -> Callable[[Resource], Dimensions | None]:
    return lambda resource: {dimension: resource.id}


def _by_attribute(dimension: str, *keys: str) -> Callable[[Resource], Dimensions | None]:
    """The first of these attributes, else the last part of the id."""

    def found(resource: Resource) -> Dimensions | None:
        value = next((v for k in keys if isinstance(v := resource.attributes.get(k), str) and v), None)
        return {dimension: value or resource.id.rpartition("/")[2]}

    return found


def _load_balancer(resource: Resource) -> Dimensions | None:
    _, is_arn, rest = resource.id.partition(":loadbalancer/")
    return {"LoadBalancer": rest} if is_arn else None


def _target_group(resource: Resource) -> Dimensions | None:
    _, is_arn, rest = resource.id.partition(":targetgroup/")
    return {"TargetGroup": f"targetgroup/{rest}"} if is_arn else None


def _ecs_service(resource: Resource) -> Dimensions | None:
    parts = resource.id.partition(":service/")[2].split("/")
    named = str(resource.attributes.get("cluster") or resource.attributes.get("cluster_arn") or "")
    cluster = parts[0] if len(parts) == 2 else named.rpartition("/")[2]
    return {"ClusterName": cluster, "ServiceName": resource.name} if cluster else None


def _opensearch(resource: Resource) -> Dimensions | None:
    return {"DomainName": resource.name, "ClientId": resource.account} if resource.account else None


_DATABASE = (
    *_levels("Average", "Percent", "CPUUtilization"),
    *_levels("Maximum", "Count", "DatabaseConnections"),
    *_levels("Average", "Bytes", "FreeableMemory"),
    *_levels("Average", "Count/Second", "WriteIOPS", "ReadIOPS"),
    *_levels("Average", "Seconds", "WriteLatency", "ReadLatency"),
    *_levels("Average", "Count", "DiskQueueDepth"),
)
_STORAGE = (*_levels("Minimum", "Bytes", "FreeStorageSpace"), *_levels("Maximum", "Seconds", "ReplicaLag"))
_CACHE = (
    *_levels("Average", "Percent", "CPUUtilization"),
    *_levels("Average", "Percent", "EngineCPUUtilization", "DatabaseMemoryUsagePercentage", "CacheHitRate"),
    *_levels("Maximum", "Count", "CurrConnections"),
    *_counts("Evictions"),
)
_STREAM = (
    *_counts("IncomingRecords"),
    *_levels("Sum", "Bytes", "IncomingBytes"),
    *_levels("Maximum", "Milliseconds", "GetRecords.IteratorAgeMilliseconds"),
    *_counts("WriteProvisionedThroughputExceeded", "ReadProvisionedThroughputExceeded"),
)
_LOAD_BALANCER = (
    *_counts("RequestCount", "HTTPCode_Target_5XX_Count", "HTTPCode_Target_4XX_Count", "HTTPCode_ELB_5XX_Count"),
    *_spread("TargetResponseTime", "Seconds", "p50", "p95", "p99"),
    *_counts("RejectedConnectionCount", "TargetConnectionErrorCount"),
    *_levels("Sum", "Count", "ActiveConnectionCount"),
)

KINDS: Mapping[str, KindMetrics] = {
    "aws.lambda.function": KindMetrics(
        "AWS/Lambda",
        _named("FunctionName"),
        (
            *_counts("Invocations", "Errors", "Throttles"),
            *_spread("Duration", "Milliseconds", "p50", "p95", "p99", "max"),
            *_spread("ConcurrentExecutions", "Count", "max"),
            *_spread("AsyncEventAge", "Milliseconds", "max"),
            *_spread("IteratorAge", "Milliseconds", "max"),
            *_counts("DeadLetterErrors", "AsyncEventsDropped"),
        ),
    ),
    "aws.sqs.queue": KindMetrics(
        "AWS/SQS",
        _named("QueueName"),
        (
            *_counts("NumberOfMessagesSent", "NumberOfMessagesReceived", "NumberOfMessagesDeleted"),
            *_levels("Maximum", "Count", "ApproximateNumberOfMessagesVisible", "ApproximateNumberOfMessagesNotVisible"),
            *_levels("Maximum", "Seconds", "ApproximateAgeOfOldestMessage"),
        ),
    ),
    "aws.sns.topic": KindMetrics(
        "AWS/SNS",
        lambda r: {"TopicName": r.id.rpartition(":")[2] if r.id.startswith("arn:") else r.name},
        tuple(_counts("NumberOfMessagesPublished", "NumberOfNotificationsDelivered", "NumberOfNotificationsFailed")),
    ),
    "aws.rds.instance": KindMetrics("AWS/RDS", _named("DBInstanceIdentifier"), (*_DATABASE, *_STORAGE)),
    "aws.rds.cluster": KindMetrics(
        "AWS/RDS",
        _named("DBClusterIdentifier"),
        (*_DATABASE, *_levels("Maximum", "Milliseconds", "AuroraReplicaLagMaximum"), *_levels("Average", "Count/Second", "CommitThroughput")),
    ),
    "aws.docdb.instance": KindMetrics("AWS/DocDB", _named("DBInstanceIdentifier"), (*_DATABASE,)),
    "aws.docdb.cluster": KindMetrics("AWS/DocDB", _named("DBClusterIdentifier"), (*_DATABASE,)),
    "aws.neptune.instance": KindMetrics("AWS/Neptune", _named("DBInstanceIdentifier"), tuple(_levels("Average", "Percent", "CPUUtilization"))),
    "aws.neptune.cluster": KindMetrics("AWS/Neptune", _named("DBClusterIdentifier"), tuple(_levels("Average", "Percent", "CPUUtilization"))),
    "aws.rds.proxy": KindMetrics(
        "AWS/RDS", _named("ProxyName"), tuple(_levels("Maximum", "Count", "ClientConnections", "DatabaseConnections"))
    ),
    "aws.dynamodb.table": KindMetrics(
        "AWS/DynamoDB",
        _named("TableName"),
        tuple(_counts("ConsumedWriteCapacityUnits", "ConsumedReadCapacityUnits", "WriteThrottleEvents", "ReadThrottleEvents")),
    ),
    "aws.ecs.service": KindMetrics(
        "AWS/ECS",
        _ecs_service,
        (*_levels("Average", "Percent", "CPUUtilization", "MemoryUtilization"), *_spread("CPUUtilization", "Percent", "max"), *_spread("MemoryUtilization", "Percent", "max")),
    ),
    "aws.elb.loadbalancer": KindMetrics("AWS/ApplicationELB", _load_balancer, _LOAD_BALANCER),
    "aws.elb.target_group": KindMetrics(
        "AWS/ApplicationELB", _target_group, tuple(_levels("Minimum", "Count", "HealthyHostCount"))
    ),
    "aws.apigateway.api": KindMetrics(
        "AWS/ApiGateway",
        _named("ApiName"),
        (*_counts("Count", "4XXError", "5XXError"), *_spread("Latency", "Milliseconds", "p50", "p95", "p99"), *_spread("IntegrationLatency", "Milliseconds", "p99")),
    ),
    "aws.apigatewayv2.api": KindMetrics(
        "AWS/ApiGateway",
        _by_attribute("ApiId", "api_id", "ApiId"),
        (*_counts("Count", "4xx", "5xx"), *_spread("Latency", "Milliseconds", "p50", "p95", "p99"), *_spread("IntegrationLatency", "Milliseconds", "p99")),
    ),
    "aws.kinesis.stream": KindMetrics("AWS/Kinesis", _named("StreamName"), _STREAM),
    "aws.firehose.delivery_stream": KindMetrics(
        "AWS/Firehose",
        _named("DeliveryStreamName"),
        (*_counts("IncomingRecords"), *_levels("Sum", "Bytes", "IncomingBytes"), *_levels("Maximum", "Seconds", "DeliveryToS3.DataFreshness")),
    ),
    "aws.elasticache.cluster": KindMetrics("AWS/ElastiCache", _named("CacheClusterId"), _CACHE),
    "aws.elasticache.replication_group": KindMetrics("AWS/ElastiCache", _named("ReplicationGroupId"), _CACHE),
    "aws.s3.bucket": KindMetrics(
        "AWS/S3",
        lambda r: {"BucketName": r.name, "FilterId": "EntireBucket"},
        (*_counts("AllRequests", "GetRequests", "PutRequests", "4xxErrors", "5xxErrors"), *_spread("FirstByteLatency", "Milliseconds", "p99")),
    ),
    "aws.stepfunctions.state_machine": KindMetrics(
        "AWS/States",
        _arn("StateMachineArn"),
        (*_counts("ExecutionsStarted", "ExecutionsFailed", "ExecutionsTimedOut", "ExecutionThrottled"), *_spread("ExecutionTime", "Milliseconds", "p99")),
    ),
    "aws.events.rule": KindMetrics("AWS/Events", _named("RuleName"), tuple(_counts("Invocations", "FailedInvocations", "ThrottledRules"))),
    "aws.cloudfront.distribution": KindMetrics(
        "AWS/CloudFront",
        lambda r: {"DistributionId": r.id.rpartition("/")[2] if "/" in r.id else r.name, "Region": "Global"},
        (*_counts("Requests"), *_levels("Average", "Percent", "4xxErrorRate", "5xxErrorRate")),
        region="us-east-1",
    ),
    "aws.opensearch.domain": KindMetrics(
        "AWS/ES",
        _opensearch,
        (*_levels("Maximum", "Percent", "CPUUtilization", "JVMMemoryPressure"), *_levels("Minimum", "Megabytes", "FreeStorageSpace"), *_counts("ClusterIndexWritesBlocked")),
    ),
    "aws.logs.group": KindMetrics(
        "AWS/Logs", _named("LogGroupName"), (*_levels("Sum", "Bytes", "IncomingBytes"), *_counts("IncomingLogEvents"))
    ),
}  # fmt: skip
"""Kind → what is read of it."""

ROUTED = ("aws.apigateway.api", "aws.apigatewayv2.api")
"""Kinds whose requests are also counted by route, where detailed metrics are on."""


def dimensions_of(resource: Resource) -> tuple[KindMetrics, Dimensions] | None:
    """The table's entry for a resource and its dimensions; None for kinds without metrics, or when a dimension is unknown."""
    is_second = resource.kind == "aws.apigateway.api" and "/apis/" in resource.id  # HTTP and WebSocket APIs are told by their id
    kind = KINDS.get("aws.apigatewayv2.api" if is_second else resource.kind)
    dimensions = kind.dimensions(resource) if kind is not None else None
    return (kind, dimensions) if kind is not None and dimensions is not None else None
