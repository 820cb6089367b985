"""More than one page of everything: each service's own token, and the lists for which boto3 has no paginator."""

import pytest

from context_graph.collecting import ScopeStatus


def entries(number: int, make) -> list:
    return [make(n) for n in range(number * 2, number * 2 + 2)]


PAGED = [
    # service, list, its key, an entry, how the token goes out, how it comes in, answers to the other questions
    ("events", "ListEventBuses", "EventBuses", lambda n: {"Name": f"b{n}", "Arn": f"arn:aws:events:eu-west-1:1:event-bus/b{n}"}, "NextToken", "NextToken"),
    ("lambda", "ListFunctions", "Functions", lambda n: {"FunctionArn": f"arn:aws:lambda:e:1:function:f{n}", "FunctionName": f"f{n}"}, "NextMarker", "Marker"),
    ("dynamodb", "ListTables", "TableNames", lambda n: f"t{n}", "LastEvaluatedTableName", "ExclusiveStartTableName"),
    ("rds", "DescribeDBInstances", "DBInstances", lambda n: {"DBInstanceArn": f"arn:{n}", "DBInstanceIdentifier": f"d{n}"}, "Marker", "Marker"),
    ("rds", "DescribeDBClusters", "DBClusters", lambda n: {"DBClusterArn": f"arn:{n}", "DBClusterIdentifier": f"d{n}"}, "Marker", "Marker"),
    ("elasticache", "DescribeReplicationGroups", "ReplicationGroups", lambda n: {"ARN": f"arn:{n}", "ReplicationGroupId": f"r{n}"}, "Marker", "Marker"),
    ("elbv2", "DescribeTargetGroups", "TargetGroups", lambda n: {"TargetGroupArn": f"arn:{n}", "TargetGroupName": f"g{n}"}, "NextMarker", "Marker"),
    ("secretsmanager", "ListSecrets", "SecretList", lambda n: {"ARN": f"arn:aws:secretsmanager:e:1:secret:s{n}-AbCdEf", "Name": f"s{n}"}, "NextToken", "NextToken"),
    ("ssm", "DescribeParameters", "Parameters", lambda n: {"Name": f"p{n}"}, "NextToken", "NextToken"),
    ("logs", "DescribeLogGroups", "logGroups", lambda n: {"logGroupName": f"l{n}"}, "nextToken", "nextToken"),
    ("s3", "ListBuckets", "Buckets", lambda n: {"Name": f"b{n}", "BucketRegion": "eu-west-1"}, "ContinuationToken", "ContinuationToken"),
    ("apigateway", "GetRestApis", "items", lambda n: {"id": f"a{n}", "name": f"a{n}"}, "position", "position"),
    ("apigateway", "GetApis", "Items", lambda n: {"ApiId": f"a{n}", "Name": f"a{n}"}, "NextToken", "NextToken"),
]  # fmt: skip


@pytest.mark.parametrize(("service", "operation", "key", "make", "out", "into"), PAGED)
def test_every_page_of_a_list_is_read(aws, service, operation, key, make, out, into) -> None:
    def page(parameters: dict) -> dict:
        number = int(parameters.get(into, "page-0").removeprefix("page-"))
        return {key: entries(number, make)} | ({out: f"page-{number + 1}"} if number < 2 else {})

    aws.answers[operation] = page
    aws.answers["DescribeTable"] = lambda p: {
        "Table": {"TableArn": f"arn:aws:dynamodb:e:1:table/{p['TableName']}", "TableName": p["TableName"]}
    }

    read = aws.collect(service)

    assert read.status is ScopeStatus.OK
    assert len(read.resources) == 6


def test_firehose_which_has_no_token_is_read_past_its_first_page(aws) -> None:
    def page(parameters: dict) -> dict:
        first = int(parameters.get("ExclusiveStartDeliveryStreamName", "-1")) + 1
        names = [str(n) for n in range(first, min(first + 10, 25))]
        return {"DeliveryStreamNames": names, "HasMoreDeliveryStreams": first + 10 < 25}

    aws.answers["ListDeliveryStreams"] = page
    aws.answers["DescribeDeliveryStream"] = lambda p: {
        "DeliveryStreamDescription": {"DeliveryStreamARN": f"arn:{p['DeliveryStreamName']}", "Destinations": []}
    }

    assert len(aws.collect("firehose").resources) == 25


def test_queues_and_buckets_are_asked_with_a_page_size_without_which_there_is_no_second_page(aws) -> None:
    aws.collect("sqs")
    aws.collect("s3")

    asked = dict(aws.calls)
    assert asked["ListQueues"]["MaxResults"] == 1000
    assert asked["ListBuckets"]["MaxBuckets"] == 1000


def test_composite_alarms_are_asked_for_since_they_are_not_listed_otherwise(aws) -> None:
    aws.collect("cloudwatch")

    assert [p["AlarmTypes"] for o, p in aws.calls if o == "DescribeAlarms"] == [["MetricAlarm"], ["CompositeAlarm"]]


def test_services_of_a_cluster_are_described_ten_at_a_time(aws) -> None:
    aws.answers["ListClusters"] = {"clusterArns": ["arn:aws:ecs:eu-west-1:1:cluster/core"]}
    aws.answers["ListServices"] = {"serviceArns": [f"arn:aws:ecs:eu-west-1:1:service/core/s{n}" for n in range(23)]}

    aws.collect("ecs")

    assert [len(p["services"]) for o, p in aws.calls if o == "DescribeServices"] == [10, 10, 3]


def test_a_token_that_never_changes_does_not_go_on_for_ever(aws) -> None:
    aws.answers["ListEventBuses"] = {"EventBuses": [], "NextToken": "again"}

    assert aws.collect("events").status is ScopeStatus.PARTIAL
