import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "batch-and-visibility"]


def a_queue(*, sent=3000.0, waiting=None, timeout_s=60, visibility_s=360, errors=None, **seconds):
    production = MemoryProduction("github:acme/geo")
    function = production.resource(
        "arn:aws:lambda:eu-west-1:1:function:geo", "aws.lambda.function", "geo", is_deployed=True, timeout_s=timeout_s
    )
    queue = production.resource(
        "arn:aws:sqs:eu-west-1:1:addresses", "aws.sqs.queue", "addresses", visibility_timeout_s=visibility_s
    )
    production.edge(queue, function, "triggers")
    production.metric(queue, "NumberOfMessagesSent", "Count", sent)
    if waiting is not None:
        production.metric(queue, "ApproximateNumberOfMessagesVisible", "Count", waiting)
    if errors is not None:
        production.metric(function, "Errors", "Count", errors)
    for percentile, value in seconds.items():
        production.metric(function, f"Duration.{percentile}", "Milliseconds", value * 1000)
    return production


TERRAFORM = """resource "aws_sqs_queue" "addresses" {{
  name = "addresses"
  visibility_timeout_seconds = {visibility}
  redrive_policy = jsonencode({{ deadLetterTargetArn = "arn:aws:sqs:eu-west-1:1:dead", maxReceiveCount = {receives} }})
}}
resource "aws_lambda_function" "geo" {{
  function_name = "geo"
  handler = "geo.handler"
  timeout = {timeout}
}}
resource "aws_lambda_event_source_mapping" "geo" {{
  event_source_arn = aws_sqs_queue.addresses.arn
  function_name = aws_lambda_function.geo.arn
  batch_size = {batch}
  maximum_batching_window_in_seconds = {window}
}}
"""
SAM = """Resources:
  Addresses:
    Type: AWS::SQS::Queue
    Properties:
      QueueName: addresses
      VisibilityTimeout: {visibility}
      RedrivePolicy: {{deadLetterTargetArn: "arn:aws:sqs:eu-west-1:1:dead", maxReceiveCount: {receives}}}
  Geo:
    Type: AWS::Serverless::Function
    Properties:
      FunctionName: geo
      Handler: geo.handler
      Timeout: {timeout}
      Events:
        Queue:
          Type: SQS
          Properties:
            Queue: !GetAtt Addresses.Arn
            BatchSize: {batch}
            MaximumBatchingWindowInSeconds: {window}
"""
BEFORE = {"visibility": 360, "timeout": 60, "batch": 10, "window": 20, "receives": 5}
both_manifests = pytest.mark.parametrize(("path", "text"), [("main.tf", TERRAFORM), ("template.yaml", SAM)])


def change(path, text, production, more=None, **after):
    files = {path: text.format(**BEFORE), **(more or {})}
    return told(evaluation_of(files, {path: text.format(**(BEFORE | after))}, production))


@both_manifests
def test_a_batch_that_takes_longer_than_the_function_may_run_is_confirmed(path, text) -> None:
    assert change(path, text, a_queue(p50=14, p99=22, sent=6000.0), batch=100) == ["confirmed"]


@both_manifests
def test_a_batch_of_short_messages_is_refuted(path, text) -> None:
    assert change(path, text, a_queue(p99=0.9), batch=25) == ["refuted"]


@both_manifests
def test_without_durations_a_bigger_batch_stays_a_question(path, text) -> None:
    assert change(path, text, a_queue(), batch=50) == ["plausible"]


@both_manifests
def test_batches_that_nothing_fills_do_not_confirm(path, text) -> None:
    assert change(path, text, a_queue(p50=14, p99=22, sent=2.0), batch=100) == ["plausible"]


@both_manifests
def test_a_handler_that_works_side_by_side_does_not_confirm(path, text) -> None:
    handler = {"geo.py": "async def handler(event, context):\n    await asyncio.gather(*[one(r) for r in event['Records']])\n"}

    assert change(path, text, a_queue(p50=14, p99=22, sent=6000.0), more=handler, batch=100) == ["plausible"]


@both_manifests
@pytest.mark.parametrize("after", [{"batch": 5}, {"visibility": 900}, {"receives": 8}, {"window": 5}])
def test_changes_that_leave_room_are_silent(path, text, after) -> None:
    assert change(path, text, a_queue(p50=1, max=5), **after) == []


@both_manifests
def test_a_message_that_comes_back_during_a_run_is_confirmed(path, text) -> None:
    assert change(path, text, a_queue(p50=40, p95=55), visibility=30) == ["confirmed"]


@both_manifests
def test_a_visibility_above_time_out_and_window_is_refuted(path, text) -> None:
    assert change(path, text, a_queue(), visibility=90) == ["refuted"]


@both_manifests
def test_a_visibility_above_the_slowest_run_is_refuted(path, text) -> None:
    assert change(path, text, a_queue(max=4), visibility=30) == ["refuted"]


@both_manifests
def test_a_visibility_below_the_time_out_without_durations_stays_a_question(path, text) -> None:
    assert change(path, text, a_queue(), visibility=30) == ["plausible"]


@both_manifests
def test_a_time_out_raised_past_the_visibility_is_held_against_the_runs(path, text) -> None:
    assert change(path, text, a_queue(p50=380, p99=580), timeout=600) == ["confirmed"]
    assert change(path, text, a_queue(max=20), timeout=600) == ["refuted"]


@both_manifests
@pytest.mark.parametrize(("errors", "status"), [(18.0, "confirmed"), (0.0, "refuted"), (None, "plausible")])
def test_one_receive_is_held_against_failures(path, text, errors, status) -> None:
    production = a_queue(errors=errors)
    dead = production.resource("arn:aws:sqs:eu-west-1:1:dead", "aws.sqs.queue", "dead")
    production.edge("arn:aws:sqs:eu-west-1:1:addresses", dead, "publishes_to")
    production.metric(dead, "ApproximateNumberOfMessagesVisible", "Count", 3.0)

    assert change(path, text, production, receives=1) == [status]


@both_manifests
@pytest.mark.parametrize(
    ("series", "receives", "status"),
    [
        ({"Throttles": 90.0}, 1, "confirmed"),
        ({"Throttles": 900.0}, 2, "confirmed"),
        ({"Throttles": 0.0}, 1, "plausible"),
        ({"NumberOfMessagesReceived": 3600.0, "NumberOfMessagesDeleted": 3000.0}, 1, "confirmed"),
        ({"NumberOfMessagesReceived": 3010.0, "NumberOfMessagesDeleted": 3000.0}, 1, "plausible"),
    ],
)
def test_receives_that_say_nothing_of_the_message_count_too(path, text, series, receives, status) -> None:
    production = a_queue()
    for name, value in series.items():
        resource = "arn:aws:lambda:eu-west-1:1:function:geo" if name == "Throttles" else "arn:aws:sqs:eu-west-1:1:addresses"
        production.metric(resource, name, "Count", value)

    assert change(path, text, production, receives=receives) == [status]


@both_manifests
def test_failures_that_may_never_succeed_do_not_confirm(path, text) -> None:
    assert change(path, text, a_queue(errors=18.0), receives=1) == ["plausible"]


@pytest.mark.parametrize(
    ("seconds", "lag", "status"), [(0.2, 60000.0, "confirmed"), (0.01, 60000.0, "refuted"), (None, 60000.0, "plausible")]
)
def test_a_kafka_poll_is_held_against_its_interval(seconds, lag, status) -> None:
    production = MemoryProduction("github:acme/claims")
    pods = production.resource(
        "kubernetes:prod/c/deployment/scorer", "kubernetes.deployment", "scorer", is_deployed=True, replicas=3
    )
    topic = production.resource("kafka:prod:topic/claims", "kafka.topic", "claims", partitions=12)
    production.edge(topic, pods, "triggers")
    production.metric(topic, "kafka_consumergroup_lag", "Count", lag)
    if seconds is not None:
        production.metric(pods, "spring_kafka_listener_seconds.mean", "Seconds", seconds)
    path, text = "src/main/resources/application.properties", "spring.kafka.consumer.max-poll-records={}\n"

    assert told(evaluation_of({path: text.format(100)}, {path: text.format(5000)}, production)) == [status]


@pytest.mark.parametrize(
    ("dead", "line", "receives", "status"),
    [
        (2.0, "done order=17 in 7.1 s", 2, "refuted"),
        (0.0, "done order=17 in 7.1 s", 3, "refuted"),
        ([2.0, 3.0], "done order=17 in 7.1 s", 2, "plausible"),
        (2.0, "upload failed: reset by peer", 2, "plausible"),
        (2.0, "done order=17 in 7.1 s", 1, "plausible"),
        (None, "done order=17 in 7.1 s", 2, "plausible"),
    ],
    ids=["a few old ones", "empty", "it grew", "a line of a failure", "one try", "not measured"],
)
def test_fewer_receives_are_held_against_a_dead_letter_queue_that_nothing_enters(dead, line, receives, status) -> None:
    production = a_queue()
    queue, function = "arn:aws:sqs:eu-west-1:1:addresses", "arn:aws:lambda:eu-west-1:1:function:geo"
    gone = production.resource("arn:aws:sqs:eu-west-1:1:dead", "aws.sqs.queue", "dead")
    production.edge(queue, gone, "publishes_to")
    if dead is not None:
        production.metric(gone, "ApproximateNumberOfMessagesVisible", "Count", dead)
    for _ in range(60):
        production.log(function, line)

    assert change("main.tf", TERRAFORM, production, receives=receives) == [status]
