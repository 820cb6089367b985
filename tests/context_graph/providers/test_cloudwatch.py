"""CloudWatch against a small fake that knows percentiles, pages, throttling and refusals."""

from collections.abc import Callable, Generator
from datetime import UTC, datetime, timedelta
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config

from context_graph.providers.cloudwatch import CALLS, CloudWatchSource
from context_graph.providers.cloudwatch_logs import CALLS as LOG_CALLS
from context_graph.providers.cloudwatch_logs import CloudWatchLogsSource
from context_graph.providers.cloudwatch_metrics import KINDS
from context_graph.telemetry import Answer, Fact
from gonogo.context import Window
from gonogo.resource import Resource
from gonogo.word import Json, ResourceId

_SPEC = spec_from_file_location("fake_cloudwatch", Path(__file__).with_name("fake_cloudwatch.py"))
assert _SPEC is not None
assert _SPEC.loader is not None
_FAKE = module_from_spec(_SPEC)
__import__("sys").modules["fake_cloudwatch"] = _FAKE
_SPEC.loader.exec_module(_FAKE)
FakeCloudWatch, serving = _FAKE.FakeCloudWatch, _FAKE.serving

END = datetime(2026, 5, 11, 12, tzinfo=UTC)
START = END - timedelta(hours=2)
WINDOW = Window(start=START, end=END)
ACCOUNT = "111122223333"


@pytest.fixture
def cloudwatch() -> Generator[Any]:
    with serving(FakeCloudWatch()) as fake:
        yield fake


def client_of(fake: Any) -> Callable[[str, str], Any]:
    def made(service: str, region: str) -> Any:
        settings = Config(retries={"mode": "standard", "max_attempts": 4}, connect_timeout=2, read_timeout=5)
        keys = {"aws_access_key_id": "x", "aws_secret_access_key": "y"}
        return boto3.client(service, region_name=region, endpoint_url=fake.url, config=settings, **keys)

    return made


def a_resource(kind: str, name: str, at: str, **attributes: Json) -> Resource:
    return Resource(id=ResourceId(at), kind=kind, name=name, account=ACCOUNT, region="eu-west-1", attributes=attributes)


def function(name: str = "resize", **attributes: Json) -> Resource:
    return a_resource("aws.lambda.function", name, f"arn:aws:lambda:eu-west-1:{ACCOUNT}:function:{name}", **attributes)


def ask(fake: Any, *resources: Resource, fact: Fact = Fact.SERIES) -> Answer:
    source = CloudWatchSource(client_of(fake), account=ACCOUNT)
    answers = [call.run() for call in source.calls(fact, resources, WINDOW)]
    return Answer([s for a in answers for s in a.facts], [g for a in answers for g in a.gaps])


def second(minutes: float) -> float:
    return (START + timedelta(minutes=minutes)).timestamp()


def test_statistics_and_percentiles_are_series_of_their_own(cloudwatch: Any):
    durations = [(second(10 + at / 100), float(at)) for at in range(101)]
    cloudwatch.sample("AWS/Lambda", "Duration", {"FunctionName": "resize"}, *durations)
    cloudwatch.sample("AWS/Lambda", "Invocations", {"FunctionName": "resize"}, *((at, 1.0) for at, _ in durations))

    found = {s.metric: s for s in ask(cloudwatch, function()).facts}

    assert found["Duration.p99"].values[2] == pytest.approx(99)
    assert found["Duration.p50"].values[2] == pytest.approx(50)
    assert found["Duration.max"].values[2] == 100
    assert found["Invocations"].values[2] == 101
    assert (found["Invocations"].unit, found["Duration.p99"].unit) == ("Count", "Milliseconds")


def test_series_lie_on_one_grid_and_a_period_without_data_is_a_gap_not_zero(cloudwatch: Any):
    for metric in ("Invocations", "Errors"):
        cloudwatch.sample("AWS/Lambda", metric, {"FunctionName": "resize"}, (second(0), 0.0), (second(62), 7.0))

    found = ask(cloudwatch, function()).facts

    assert {(s.start, s.step_s, len(s.values)) for s in found} == {(START, 300.0, 24)}
    assert [v for v in found[0].values if v is not None] == [0.0, 7.0]
    assert found[0].values[12] == 7.0


def test_five_hundred_queries_go_together_and_every_page_is_read(cloudwatch: Any):
    functions = [function(f"f{at}") for at in range(120)]  # 12 metrics each
    for one in functions:
        cloudwatch.sample("AWS/Lambda", "Invocations", {"FunctionName": one.name}, *((second(m), 1.0) for m in range(120)))
    cloudwatch.datapoints_a_page = 700

    found = ask(cloudwatch, *functions).facts

    wanted = 120 * len(KINDS["aws.lambda.function"].wanted)
    sizes = [len(r["MetricDataQueries"]) for _, r in cloudwatch.requests if "NextToken" not in r]
    assert sizes == [500, 500, wanted - 1000]
    assert len(found) == 120
    assert all(s.values == (5.0,) * 24 for s in found)
    assert cloudwatch.calls()["GetMetricData"] > len(sizes)


def test_throttling_is_waited_out(cloudwatch: Any):
    cloudwatch.sample("AWS/Lambda", "Invocations", {"FunctionName": "resize"}, (second(1), 3.0))
    cloudwatch.throttled = 2

    answer = ask(cloudwatch, function())

    assert [s.metric for s in answer.facts] == ["Invocations"]
    assert answer.gaps == []


def test_a_refusal_is_a_gap_that_names_the_permission(cloudwatch: Any):
    cloudwatch.refused = {"GetMetricData"}

    answer = ask(cloudwatch, function())

    assert answer.facts == []
    assert "AccessDeniedException" in answer.gaps[0].why
    assert "cloudwatch:GetMetricData" in answer.gaps[0].why


def test_resources_of_another_account_are_said_to_be_out_of_reach(cloudwatch: Any):
    other = function().model_copy(update={"account": "999988887777"})

    answer = ask(cloudwatch, other)

    assert answer.facts == []
    assert "1 resources are of account 999988887777; these credentials open 111122223333" in answer.gaps[0].why


@pytest.mark.parametrize(
    ("resource", "namespace", "dimensions", "metric"),
    [
        (a_resource("aws.sqs.queue", "orders", f"arn:aws:sqs:eu-west-1:{ACCOUNT}:orders"), "AWS/SQS", {"QueueName": "orders"}, "NumberOfMessagesSent"),
        (a_resource("aws.rds.instance", "ledger", f"arn:aws:rds:eu-west-1:{ACCOUNT}:db:ledger"), "AWS/RDS", {"DBInstanceIdentifier": "ledger"}, "CPUUtilization"),
        (a_resource("aws.dynamodb.table", "carts", f"arn:aws:dynamodb:eu-west-1:{ACCOUNT}:table/carts"), "AWS/DynamoDB", {"TableName": "carts"}, "WriteThrottleEvents"),
        (a_resource("aws.ecs.service", "web", f"arn:aws:ecs:eu-west-1:{ACCOUNT}:service/prod/web"), "AWS/ECS", {"ClusterName": "prod", "ServiceName": "web"}, "MemoryUtilization"),
        (a_resource("aws.elb.loadbalancer", "edge", f"arn:aws:elasticloadbalancing:eu-west-1:{ACCOUNT}:loadbalancer/app/edge/50dc6c495c0c9188"), "AWS/ApplicationELB", {"LoadBalancer": "app/edge/50dc6c495c0c9188"}, "TargetResponseTime.p99"),
        (a_resource("aws.apigateway.api", "shop", "arn:aws:apigateway:eu-west-1::/restapis/a1b2"), "AWS/ApiGateway", {"ApiName": "shop"}, "5XXError"),
        (a_resource("aws.apigateway.api", "shop", "arn:aws:apigateway:eu-west-1::/apis/a1b2"), "AWS/ApiGateway", {"ApiId": "a1b2"}, "5xx"),
        (a_resource("aws.kinesis.stream", "clicks", f"arn:aws:kinesis:eu-west-1:{ACCOUNT}:stream/clicks"), "AWS/Kinesis", {"StreamName": "clicks"}, "GetRecords.IteratorAgeMilliseconds"),
        (a_resource("aws.elasticache.cluster", "sessions", f"arn:aws:elasticache:eu-west-1:{ACCOUNT}:cluster:sessions"), "AWS/ElastiCache", {"CacheClusterId": "sessions"}, "DatabaseMemoryUsagePercentage"),
        (a_resource("aws.s3.bucket", "photos", "arn:aws:s3:::photos"), "AWS/S3", {"BucketName": "photos", "FilterId": "EntireBucket"}, "GetRequests"),
        (a_resource("aws.sns.topic", "sold", f"arn:aws:sns:eu-west-1:{ACCOUNT}:sold"), "AWS/SNS", {"TopicName": "sold"}, "NumberOfMessagesPublished"),
    ],
    ids=lambda value: value.kind if isinstance(value, Resource) else "",
)  # fmt: skip
def test_each_kind_is_told_by_its_own_dimensions(
    cloudwatch: Any, resource: Resource, namespace: str, dimensions: dict[str, str], metric: str
):
    cloudwatch.sample(namespace, metric.split(".p", maxsplit=1)[0], dimensions, (second(1), 4.0))

    assert metric in [s.metric for s in ask(cloudwatch, resource).facts]


def test_requests_of_an_api_are_also_counted_by_route_where_that_is_measured(cloudwatch: Any):
    api = a_resource("aws.apigateway.api", "shop", "arn:aws:apigateway:eu-west-1::/restapis/a1b2")
    detailed = {"ApiName": "shop", "Stage": "live", "Method": "GET", "Resource": "/v1/orders"}
    cloudwatch.sample("AWS/ApiGateway", "Count", detailed, (second(1), 4.0))
    cloudwatch.sample("AWS/ApiGateway", "Count", {"ApiName": "shop"}, (second(1), 9.0))

    found = {s.metric: s.values[0] for s in ask(cloudwatch, api).facts}

    assert found == {"Count": 9.0, "Count{route=GET /v1/orders}": 4.0}


def test_alarms_that_ring_belong_to_the_resource_whose_dimensions_they_watch(cloudwatch: Any):
    def alarm(name: str, state: str, service: str) -> dict[str, Any]:
        dimensions = [{"Name": "ClusterName", "Value": "prod"}, {"Name": "ServiceName", "Value": service}]
        times = {"StateUpdatedTimestamp": second(90), "StateTransitionedTimestamp": second(30)}
        return {"AlarmName": name, "StateValue": state, "Namespace": "AWS/ECS", "Dimensions": dimensions, **times}

    cloudwatch.alarms = [
        alarm("a", "OK", "web"),
        alarm("b", "ALARM", "other"),
        alarm("c", "ALARM", "other"),
        alarm("d", "ALARM", "web"),
    ]
    web = a_resource("aws.ecs.service", "web", f"arn:aws:ecs:eu-west-1:{ACCOUNT}:service/prod/web")

    found = ask(cloudwatch, web, fact=Fact.ALARMS).facts

    assert [(a.name, a.resource, a.since) for a in found] == [("d", web.id, START + timedelta(minutes=30))]


def logs(fake: Any, resource: Resource) -> Answer:
    (call,) = CloudWatchLogsSource(client_of(fake), account=ACCOUNT).calls(Fact.LOGS, [resource], WINDOW)
    return call.run()


def test_log_lines_come_from_the_whole_span_with_errors_first_and_the_sample_is_said(cloudwatch: Any):
    lines = [(second(at / 50), f"INFO served {at}") for at in range(6000)]
    lines[5990] = (lines[5990][0], "ERROR charge refused password=hunter22")
    cloudwatch.events["/aws/lambda/resize"] = lines

    answer = logs(cloudwatch, function(log_group="/aws/lambda/resize"))

    stamps = [line.timestamp for line in answer.facts]
    assert stamps == sorted(stamps)
    assert stamps[0] < START + timedelta(minutes=10)
    assert stamps[-1] > END - timedelta(minutes=11)
    assert [(line.severity, line.message) for line in answer.facts if "charge" in line.message] == [
        ("ERROR", "ERROR charge refused password=(withheld)")
    ]
    assert len(answer.facts) == 1201
    assert "a sample of 1,201 lines" in answer.gaps[0].why


def test_few_lines_are_read_whole_and_a_missing_group_is_a_gap(cloudwatch: Any):
    cloudwatch.events["/aws/lambda/resize"] = [(second(3), "started")]

    assert [line.message for line in logs(cloudwatch, function(log_group="/aws/lambda/resize")).facts] == ["started"]
    assert logs(cloudwatch, function(log_group="/aws/lambda/resize")).gaps == []
    assert "no such log group" in logs(cloudwatch, function(log_group="/aws/lambda/gone")).gaps[0].why


def test_no_other_calls_are_made_than_those_that_the_permissions_are_derived_from(cloudwatch: Any):
    api = a_resource("aws.apigateway.api", "shop", "arn:aws:apigateway:eu-west-1::/restapis/a1b2")
    cloudwatch.events["g"] = []
    ask(cloudwatch, function(), api)
    ask(cloudwatch, function(), fact=Fact.ALARMS)
    logs(cloudwatch, function(log_group="g"))

    declared = {"".join(w.capitalize() for w in operation.split("_")) for _, operation in (*CALLS, *LOG_CALLS)}
    assert set(cloudwatch.calls()) == declared
