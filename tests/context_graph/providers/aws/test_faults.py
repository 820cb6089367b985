"""What a scope says when AWS does not answer as one would like: never an empty list instead of an error."""

import pytest

from context_graph.collecting import ScopeStatus
from context_graph.providers.aws.registry import SERVICES


def test_one_refused_list_leaves_the_rest_of_the_service_to_be_read(aws, refused) -> None:
    aws.answers["ListEventSourceMappings"] = refused("AccessDeniedException")
    aws.answers["ListFunctions"] = {"Functions": [{"FunctionArn": "arn:aws:lambda:eu-west-1:1:function:f", "FunctionName": "f"}]}

    read = aws.collect("lambda")

    assert [r.name for r in read.resources] == ["f"]
    assert read.status is ScopeStatus.PARTIAL
    assert read.denied == ["lambda:ListEventSourceMappings"]


@pytest.mark.parametrize(
    ("code", "http", "status"),
    [
        ("AccessDeniedException", 400, ScopeStatus.DENIED),
        ("AccessDenied", 403, ScopeStatus.DENIED),
        ("UnauthorizedOperation", 403, ScopeStatus.DENIED),
        ("403", 403, ScopeStatus.DENIED),
        ("ThrottlingException", 400, ScopeStatus.THROTTLED),
        ("Throttling", 400, ScopeStatus.THROTTLED),
        ("TooManyRequestsException", 429, ScopeStatus.THROTTLED),
        ("RequestLimitExceeded", 503, ScopeStatus.THROTTLED),
        ("PriorRequestNotComplete", 400, ScopeStatus.THROTTLED),
        ("SlowDown", 503, ScopeStatus.THROTTLED),
        ("SubscriptionRequiredException", 400, ScopeStatus.UNSUPPORTED),
        ("UnrecognizedClientException", 403, ScopeStatus.DENIED),  # a region that the account has not opted into
        ("InternalFailure", 500, ScopeStatus.PARTIAL),
    ],
)
@pytest.mark.parametrize("service", ["eks", "dynamodb"])
def test_a_list_that_fails_is_a_status_of_its_own(aws, refused, service: str, code: str, http: int, status: ScopeStatus) -> None:
    aws.answers |= {"ListClusters": refused(code, http), "ListTables": refused(code, http)}

    read = aws.collect(service)

    assert read.status is status
    assert code in read.why


def test_a_region_that_does_not_have_the_service_is_unsupported_and_asked_once(aws) -> None:
    from botocore.exceptions import EndpointConnectionError

    aws.answers["ListPipes"] = EndpointConnectionError(endpoint_url="https://pipes.eu-west-1.amazonaws.com")

    assert aws.collect("pipes").status is ScopeStatus.UNSUPPORTED
    assert [operation for operation, _ in aws.calls if operation != "GetCallerIdentity"] == ["ListPipes"]


def test_a_page_in_the_middle_that_fails_keeps_the_pages_before_it(aws, refused) -> None:
    aws.answers["ListTables"] = [{"TableNames": ["a"], "LastEvaluatedTableName": "a"}, refused("ThrottlingException")]
    aws.answers["DescribeTable"] = {"Table": {"TableArn": "arn:aws:dynamodb:eu-west-1:1:table/a", "TableName": "a"}}

    read = aws.collect("dynamodb")

    assert ([r.name for r in read.resources], read.status) == (["a"], ScopeStatus.PARTIAL)


@pytest.mark.parametrize(
    ("service", "answers", "asked", "code"),
    [
        ("dynamodb", {"ListTables": {"TableNames": ["a"]}}, "DescribeTable", "ResourceNotFoundException"),
        ("eks", {"ListClusters": {"clusters": ["a"]}}, "DescribeCluster", "ResourceNotFoundException"),
        ("pipes", {"ListPipes": {"Pipes": [{"Name": "a"}]}}, "DescribePipe", "NotFoundException"),
        ("kinesis", {"ListStreams": {"StreamNames": ["a"], "HasMoreStreams": False}}, "DescribeStreamSummary", "ResourceNotFoundException"),
        ("firehose", {"ListDeliveryStreams": {"DeliveryStreamNames": ["a"]}}, "DescribeDeliveryStream", "ResourceNotFoundException"),
        ("s3", {"ListBuckets": {"Buckets": [{"Name": "a", "BucketRegion": "eu-west-1"}]}}, "GetBucketNotificationConfiguration", "NoSuchBucket"),
        ("scheduler", {"ListSchedules": {"Schedules": [{"Name": "a", "GroupName": "default"}]}}, "GetSchedule", "ResourceNotFoundException"),
        (
            "stepfunctions", {"ListStateMachines": {"stateMachines": [{"name": "a", "stateMachineArn": "arn:x"}]}},
            "DescribeStateMachine", "StateMachineDoesNotExist",
        ),
    ],
)  # fmt: skip
def test_what_vanished_after_it_was_listed_is_nobodys_fault(aws, refused, service, answers, asked, code) -> None:
    aws.answers |= {**answers, asked: refused(code)}

    assert aws.collect(service).status is ScopeStatus.OK
    assert asked in [operation for operation, _ in aws.calls]


ODD = {
    "lambda": {"ListFunctions": {"Functions": [{"FunctionName": "no-arn"}]}},
    "events": {"ListEventBuses": {"EventBuses": [{"Name": "default"}]}},
    "scheduler": {"ListSchedules": {"Schedules": [{"Name": "a", "GroupName": "g"}]}, "GetSchedule": {"Arn": "arn:a"}},
    "pipes": {"ListPipes": {"Pipes": [{"Name": "a"}]}, "DescribePipe": {"Name": "a"}},
    "stepfunctions": {
        "ListStateMachines": {"stateMachines": [{"name": "a", "stateMachineArn": "arn:a"}]},
        "DescribeStateMachine": {"stateMachineArn": "arn:a", "name": "a", "definition": "[" * 100_000},
    },
    "apigateway": {"GetRestApis": {"items": [{"name": "no id"}]}},
    "dynamodb": {"ListTables": {"TableNames": ["a"]}, "DescribeTable": {"Table": {}}},
    "rds": {"DescribeDBInstances": {"DBInstances": [{"DBInstanceIdentifier": "a"}]}},
    "elasticache": {"DescribeReplicationGroups": {"ReplicationGroups": [{"ARN": "arn:a"}]}},
    "ecs": {"ListTaskDefinitionFamilies": {"families": ["a"]}, "DescribeTaskDefinition": {}},
    "eks": {"ListClusters": {"clusters": ["a"]}, "DescribeCluster": {}},
    "elbv2": {"DescribeLoadBalancers": {"LoadBalancers": [{}]}},
    "s3": {"ListBuckets": {"Buckets": [{}]}},
    "kinesis": {"ListStreams": {"StreamNames": ["a"], "HasMoreStreams": False}},
    "firehose": {"ListDeliveryStreams": {"DeliveryStreamNames": ["a"]}},
    "cloudfront": {"ListDistributions": {"DistributionList": {"Items": [{"Id": "a"}]}}},
    "route53": {"ListHostedZones": {"HostedZones": [{"Name": "a"}]}},
    "secretsmanager": {"ListSecrets": {"SecretList": [{"Name": "a"}]}},
    "ssm": {"DescribeParameters": {"Parameters": [{}]}},
    "cloudwatch": {"DescribeAlarms": {"MetricAlarms": [{"AlarmName": "a"}]}},
    "iam": {"GetAccountAuthorizationDetails": {"RoleDetailList": [{"RoleName": "a", "Arn": "arn:a", "RolePolicyList": [
        {"PolicyName": "p", "PolicyDocument": "{not json"}]}]}},
    "logs": {"DescribeLogGroups": {"logGroups": [{}]}},
    "sqs": {"ListQueues": {"QueueUrls": ["https://sqs/1/a"]}, "GetQueueAttributes": {}},
    "sns": {"ListTopics": {"Topics": [{}]}},
}  # fmt: skip


@pytest.mark.parametrize("service", [service.name for service in SERVICES])
def test_data_of_an_unknown_shape_leaves_the_scope_partial(aws, service: str) -> None:
    aws.answers |= ODD[service]

    read = aws.collect(service)

    assert read.status is ScopeStatus.PARTIAL
    assert read.why


@pytest.mark.parametrize("service", [service.name for service in SERVICES])
def test_an_account_without_any_is_read_in_full(aws, service: str) -> None:
    read = aws.collect(service)

    assert (read.status, read.resources, read.why) == (ScopeStatus.OK, [], "")
