"""Amazon CloudWatch: alarms, what they watch, and whom they tell."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from context_graph.providers.aws.asking import Asking, chosen, listed, part
from gonogo.pattern import pattern
from gonogo.resource import Relation

SERVICE = "cloudwatch"
PERMISSIONS = ("cloudwatch:DescribeAlarms",)

_ALARM = (
    "AlarmName AlarmDescription StateValue StateUpdatedTimestamp Namespace MetricName Statistic ExtendedStatistic Period"
    " EvaluationPeriods DatapointsToAlarm Threshold ComparisonOperator TreatMissingData ActionsEnabled Unit"
)
_IN_RULE = pattern(r"\b(?:ALARM|OK|INSUFFICIENT_DATA)\s*\(\s*\"?([^\")]{1,512})\"?\s*\)")

_WATCHED: Mapping[str, tuple[tuple[tuple[str, ...], str, Callable[..., str]], ...]] = {
    # namespace: the dimensions that say it all, the service of the ARN, and the resource part made of them
    "AWS/Lambda": ((("FunctionName",), "lambda", "function:{}".format),),
    "AWS/SQS": ((("QueueName",), "sqs", "{}".format),),
    "AWS/SNS": ((("TopicName",), "sns", "{}".format),),
    "AWS/DynamoDB": ((("TableName",), "dynamodb", "table/{}".format),),
    "AWS/RDS": (
        (("DBInstanceIdentifier",), "rds", "db:{}".format),
        (("DBClusterIdentifier",), "rds", "cluster:{}".format),
        (("ProxyName",), "", "{}".format),
    ),
    "AWS/DocDB": (
        (("DBInstanceIdentifier",), "rds", "db:{}".format),
        (("DBClusterIdentifier",), "rds", "cluster:{}".format),
    ),
    "AWS/ECS": ((("ClusterName", "ServiceName"), "ecs", "service/{}/{}".format), (("ClusterName",), "ecs", "cluster/{}".format)),
    "ECS/ContainerInsights": (
        (("ClusterName", "ServiceName"), "ecs", "service/{}/{}".format),
        (("ClusterName",), "ecs", "cluster/{}".format),
    ),
    "AWS/ApplicationELB": (
        (("TargetGroup",), "elasticloadbalancing", "{}".format),
        (("LoadBalancer",), "elasticloadbalancing", "loadbalancer/{}".format),
    ),
    "AWS/NetworkELB": (
        (("TargetGroup",), "elasticloadbalancing", "{}".format),
        (("LoadBalancer",), "elasticloadbalancing", "loadbalancer/{}".format),
    ),
    "AWS/ElastiCache": (
        (("ReplicationGroupId",), "elasticache", "replicationgroup:{}".format),
        (("CacheClusterId",), "elasticache", "cluster:{}".format),
    ),
    "AWS/Kinesis": ((("StreamName",), "kinesis", "stream/{}".format),),
    "AWS/Firehose": ((("DeliveryStreamName",), "firehose", "deliverystream/{}".format),),
    "AWS/Events": ((("EventBusName", "RuleName"), "events", "rule/{}/{}".format), (("RuleName",), "events", "rule/{}".format)),
    "AWS/States": ((("StateMachineArn",), "", "{}".format),),
    "AWS/Logs": ((("LogGroupName",), "logs", "log-group:{}".format),),
}
_WITHOUT_REGION: Mapping[str, tuple[str, str]] = {
    # namespace: its dimension, and the ARN after `arn:PARTITION:`; {0} the region, {1} the account, {2} the dimension's value
    "AWS/S3": ("BucketName", "s3:::{2}"),
    "AWS/CloudFront": ("DistributionId", "cloudfront::{1}:distribution/{2}"),
    "AWS/Route53": ("HostedZoneId", "route53:::hostedzone/{2}"),
}


def collect(ask: Asking) -> None:
    """Every alarm, composite ones too, which are only listed when they are asked for."""
    for kind, read in (("MetricAlarm", _metric_alarm), ("CompositeAlarm", _composite_alarm)):
        for alarm in ask.pages(SERVICE, "describe_alarms", f"{kind}s", AlarmTypes=[kind], MaxRecords=100):
            with ask.detail(f"alarm {alarm.get('AlarmName')}"):
                read(ask, alarm)
                _actions(ask, alarm)


def _metric_alarm(ask: Asking, alarm: Mapping[str, Any]) -> None:
    arn = alarm["AlarmArn"]
    dimensions = {d["Name"]: d["Value"] for d in alarm.get("Dimensions") or ()}
    ask.resource(arn, "aws.cloudwatch.alarm", alarm["AlarmName"], {**chosen(alarm, _ALARM), "dimensions": dimensions})
    watched = [(alarm.get("Namespace"), alarm.get("MetricName"), listed(alarm, "Dimensions"))]
    for query in listed(alarm, "Metrics"):  # an alarm on an expression
        metric = part(query, "MetricStat.Metric")
        watched.append((metric.get("Namespace"), metric.get("MetricName"), listed(metric, "Dimensions")))
    for namespace, name, compared in watched:
        for target in _targets(ask, namespace or "", {d["Name"]: d["Value"] for d in compared}):
            ask.mention(arn, target, f"{namespace} {name}", Relation.DEPENDS_ON)


def _composite_alarm(ask: Asking, alarm: Mapping[str, Any]) -> None:
    arn = alarm["AlarmArn"]
    ask.resource(arn, "aws.cloudwatch.composite_alarm", alarm["AlarmName"], chosen(alarm, f"{_ALARM} AlarmRule"))
    for name in _IN_RULE.findall(alarm.get("AlarmRule") or ""):
        other = name if name.startswith("arn:") else ask.arn("cloudwatch", f"alarm:{name.strip()}")
        ask.mention(arn, other, "AlarmRule", Relation.DEPENDS_ON)


def _targets(ask: Asking, namespace: str, dimensions: Mapping[str, str]) -> Iterator[str]:
    """What the dimensions name; the first that says it all."""
    for names, service, resource in _WATCHED.get(namespace, ()):
        if all(name in dimensions for name in names):
            part = resource(*(dimensions[name] for name in names))
            yield ask.arn(service, part) if service else part
            return
    if namespace == "AWS/ApiGateway":
        yield from _apis(ask, dimensions)
    elif namespace in _WITHOUT_REGION and (value := dimensions.get(_WITHOUT_REGION[namespace][0])):
        yield f"arn:{ask.partition}:{_WITHOUT_REGION[namespace][1].format(ask.scope.region, ask.scope.account, value)}"


def _apis(ask: Asking, dimensions: Mapping[str, str]) -> Sequence[str]:
    if "ApiId" in dimensions:
        return [f"arn:{ask.partition}:apigateway:{ask.scope.region}::/apis/{dimensions['ApiId']}"]
    return [dimensions["ApiName"]] if "ApiName" in dimensions else []  # a REST API's metrics have its name alone


def _actions(ask: Asking, alarm: Mapping[str, Any]) -> None:
    if alarm.get("ActionsEnabled") is False:
        return
    for which in ("AlarmActions", "OKActions", "InsufficientDataActions"):
        for action in alarm.get(which) or ():
            if ":automate:" in action or ":autoscaling:" in action:
                continue  # reboots an instance, scales a group: not a resource that is told
            relation = Relation.TRIGGERS if ":lambda:" in action else Relation.PUBLISHES_TO
            ask.edge(alarm["AlarmArn"], action, relation, which)
