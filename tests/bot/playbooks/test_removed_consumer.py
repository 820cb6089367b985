"""Consumers, subscriptions and dead letter queues that go."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

QUEUE = "arn:aws:sqs:eu-west-1:1:audit"
WRITER = "arn:aws:lambda:eu-west-1:1:function:writer"


def _statuses(base: dict[str, str], head: dict[str, str | None], production: MemoryProduction | None) -> list[Status]:
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "removed-consumer"]


def _production(sent: float | None = 3300.0) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    writer = production.resource(WRITER, "aws.lambda.function", "writer", is_deployed=True)
    api = production.resource("arn:aws:lambda:eu-west-1:1:function:api", "aws.lambda.function", "api", is_deployed=True)
    queue = production.resource(QUEUE, "aws.sqs.queue", "audit", message_retention_s=345600)
    production.edge(queue, writer, "triggers")
    production.edge(api, queue, "publishes_to")
    if sent is not None:
        production.metric(queue, "NumberOfMessagesSent", "Count", sent)
    return production


SAM = (
    "Transform: AWS::Serverless-2016-10-31\nResources:\n  Audit:\n    Type: AWS::SQS::Queue\n    Properties: {QueueName: audit}\n"
    "  Api:\n    Type: AWS::Serverless::Function\n    Properties: {FunctionName: api, Handler: api.handler}\n"
)
WRITES = (
    "  Writer:\n    Type: AWS::Serverless::Function\n    Properties:\n      FunctionName: writer\n      Handler: writer.handler\n"
    "      Events:\n        Queue:\n          Type: SQS\n          Properties: {Queue: !GetAtt Audit.Arn}\n"
)
TERRAFORM = 'resource "aws_sqs_queue" "audit" {\n  name = "audit"\n}\n\nresource "aws_lambda_function" "writer" {\n  function_name = "writer"\n}\n'
MAPPING = '\nresource "aws_lambda_event_source_mapping" "writer" {\n  event_source_arn = aws_sqs_queue.audit.arn\n  function_name = aws_lambda_function.writer.arn\n}\n'


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [("template.yaml", SAM + WRITES, SAM), ("main.tf", TERRAFORM + MAPPING, TERRAFORM)],
)
def test_the_only_consumer_of_a_busy_queue_is_confirmed(path: str, before: str, after: str) -> None:
    assert _statuses({path: before}, {path: after}, _production()) == [Status.CONFIRMED]


def test_a_queue_to_which_nothing_was_sent_is_refuted() -> None:
    assert _statuses({"template.yaml": SAM + WRITES}, {"template.yaml": SAM}, _production(sent=0)) == [Status.REFUTED]


def test_a_queue_that_another_live_consumer_takes_from_is_refuted() -> None:
    production = _production()
    other = production.resource("kubernetes:prod/a/deployment/audit", "kubernetes.deployment", "audit")
    production.edge(other, QUEUE, "reads_from")

    assert _statuses({"template.yaml": SAM + WRITES}, {"template.yaml": SAM}, production) == [Status.REFUTED]


def test_a_consumer_that_the_same_change_replaces_is_refuted() -> None:
    after = SAM + WRITES.replace("Writer:", "Keeper:").replace("FunctionName: writer", "FunctionName: keeper")

    assert _statuses({"template.yaml": SAM + WRITES}, {"template.yaml": after}, _production()) == [Status.REFUTED]


def test_an_unread_queue_is_a_question() -> None:
    assert _statuses({"template.yaml": SAM + WRITES}, {"template.yaml": SAM}, _production(sent=None)) == [Status.PLAUSIBLE]


@pytest.mark.parametrize(("sent", "expected"), [(3300.0, Status.CONFIRMED), (None, Status.PLAUSIBLE), (0.0, Status.REFUTED)])
def test_a_disabled_mapping_takes_nothing(sent: float | None, expected: Status) -> None:
    after = TERRAFORM + MAPPING.replace("}\n", "  enabled = false\n}\n")

    assert _statuses({"main.tf": TERRAFORM + MAPPING}, {"main.tf": after}, _production(sent)) == [expected]


def test_a_deployment_scaled_to_nothing_leaves_its_queue() -> None:
    production = MemoryProduction("github:acme/shop")
    worker = production.resource(
        "kubernetes:prod/a/deployment/worker", "kubernetes.deployment", "worker", is_deployed=True, namespace="a"
    )
    queue = production.resource(QUEUE, "aws.sqs.queue", "audit")
    production.edge(worker, queue, "reads_from")
    production.metric(queue, "NumberOfMessagesSent", "Count", 600.0)
    manifest = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: worker, namespace: a}\nspec:\n  replicas: 3\n  template:\n    spec:\n      containers: [{name: worker, image: w:1}]\n"

    assert _statuses({"k8s/w.yaml": manifest}, {"k8s/w.yaml": manifest.replace("replicas: 3", "replicas: 0")}, production) == [
        Status.CONFIRMED
    ]


TOPIC = 'resource "aws_sns_topic" "stock" {\n  name = "stock"\n}\n\nresource "aws_sqs_queue" "feed" {\n  name = "feed"\n}\n'
SUBSCRIPTION = '\nresource "aws_sns_topic_subscription" "feed" {\n  topic_arn = aws_sns_topic.stock.arn\n  protocol = "sqs"\n  endpoint = aws_sqs_queue.feed.arn\n}\n'


@pytest.mark.parametrize(("published", "expected"), [(900.0, Status.CONFIRMED), (0.0, Status.REFUTED)])
def test_a_subscription_that_fed_a_queue(published: float, expected: Status) -> None:
    production = MemoryProduction("github:acme/shop")
    topic = production.resource("arn:aws:sns:eu-west-1:1:stock", "aws.sns.topic", "stock", is_deployed=True)
    feed = production.resource("arn:aws:sqs:eu-west-1:1:feed", "aws.sqs.queue", "feed", is_deployed=True)
    other = production.resource("arn:aws:sqs:eu-west-1:1:other", "aws.sqs.queue", "other")
    production.edge(topic, feed, "publishes_to")
    production.edge(topic, other, "publishes_to")
    production.metric(topic, "NumberOfMessagesPublished", "Count", published)

    assert _statuses({"main.tf": TOPIC + SUBSCRIPTION}, {"main.tf": TOPIC}, production) == [expected]


def test_a_job_retired_with_its_schedule_is_silent() -> None:
    job = "  Nightly:\n    Type: AWS::Serverless::Function\n    Properties:\n      FunctionName: nightly\n      Events:\n        Clock: {Type: Schedule, Properties: {Schedule: rate(1 day)}}\n"

    assert _statuses({"template.yaml": SAM + job}, {"template.yaml": SAM}, _production()) == []


def test_a_larger_batch_is_silent() -> None:
    before, after = (SAM + WRITES.replace("Audit.Arn}", f"Audit.Arn, BatchSize: {n}}}") for n in (5, 10))

    assert _statuses({"template.yaml": before}, {"template.yaml": after}, _production()) == []


REDRIVE = "Resources:\n  Q:\n    Type: AWS::SQS::Queue\n    Properties:\n      QueueName: audit\n{policy}  Dead:\n    Type: AWS::SQS::Queue\n    Properties: {{QueueName: audit-dead}}\n  More:\n    Type: AWS::SQS::Queue\n    Properties: {{QueueName: more-dead}}\n"
POLICY = "      RedrivePolicy:\n        deadLetterTargetArn: !GetAtt {to}.Arn\n        maxReceiveCount: 4\n"


@pytest.mark.parametrize(
    ("dead", "after", "expected"),
    [
        ([float(n) for n in range(288)], "", Status.CONFIRMED),
        ([0.0] * 288, "", Status.REFUTED),
        (None, "", Status.PLAUSIBLE),
        ([float(n) for n in range(288)], POLICY.format(to="More"), Status.REFUTED),
    ],
)
def test_a_queue_that_loses_its_dead_letters(dead: list[float] | None, after: str, expected: Status) -> None:
    production = _production()
    target = production.resource(QUEUE + "-dead", "aws.sqs.queue", "audit-dead", is_deployed=True)
    if dead is not None:
        production.metric(target, "ApproximateNumberOfMessagesVisible", "Count", dead)
    base = {"template.yaml": REDRIVE.format(policy=POLICY.format(to="Dead"))}

    assert _statuses(base, {"template.yaml": REDRIVE.format(policy=after)}, production) == [expected]


MAPPING_ID = "arn:aws:lambda:eu-west-1:1:event-source-mapping:7d1c66b0"
OFF = TERRAFORM + MAPPING.replace("\n}\n", "\n  enabled = false\n}\n")


def _with_mapping(**attributes) -> MemoryProduction:
    production = _production()
    ends = {"EventSourceArn": QUEUE, "FunctionArn": WRITER}
    production.resource(MAPPING_ID, "aws.lambda.event_source_mapping", "7d1c66b0", **ends | attributes)
    production.edge(MAPPING_ID, WRITER, "triggers")
    return production


@pytest.mark.parametrize("head", [OFF, TERRAFORM])
@pytest.mark.parametrize("attributes", [{"State": "Disabled"}, {"state": "Disabling"}, {"Enabled": False}])
def test_what_production_has_switched_off_already_loses_nothing(head: str, attributes) -> None:
    assert _statuses({"main.tf": TERRAFORM + MAPPING}, {"main.tf": head}, _with_mapping(**attributes)) == [Status.REFUTED]


@pytest.mark.parametrize("attributes", [{"State": "Enabled"}, {"Enabled": True}, {}])
def test_a_mapping_that_is_on_or_says_nothing_refutes_nothing(attributes) -> None:
    assert _statuses({"main.tf": TERRAFORM + MAPPING}, {"main.tf": OFF}, _with_mapping(**attributes)) == [Status.CONFIRMED]


def test_a_mapping_of_another_queue_that_is_off_refutes_nothing() -> None:
    production = _with_mapping(State="Disabled", EventSourceArn="arn:aws:sqs:eu-west-1:1:other")

    assert _statuses({"main.tf": TERRAFORM + MAPPING}, {"main.tf": OFF}, production) == [Status.CONFIRMED]


def test_of_two_mappings_one_that_is_on_still_takes() -> None:
    production = _with_mapping(State="Disabled")
    second = MAPPING_ID.replace("7d1c", "8e2d")
    production.resource(
        second, "aws.lambda.event_source_mapping", "8e2d", State="Enabled", EventSourceArn=QUEUE, FunctionArn=WRITER
    )
    production.edge(second, WRITER, "triggers")

    assert _statuses({"main.tf": TERRAFORM + MAPPING}, {"main.tf": OFF}, production) == [Status.CONFIRMED]


ELSEWHERE = (
    "Transform: AWS::Serverless-2016-10-31\nParameters:\n  AuditArn: {Type: String}\nResources:\n"
    "  Writer:\n    Type: AWS::Serverless::Function\n    Properties:\n      FunctionName: writer\n      Handler: writer.handler\n"
    "      Events:\n        Queue:\n          Type: SQS\n          Properties: {Queue: !Ref AuditArn, Enabled: true}\n"
)


def test_an_event_whose_queue_is_declared_elsewhere_belongs_to_its_function() -> None:
    switched = {"template.yaml": ELSEWHERE.replace("true", "false")}

    assert _statuses({"template.yaml": ELSEWHERE}, switched, _production()) == [Status.CONFIRMED]
    assert _statuses({"template.yaml": ELSEWHERE}, switched, _with_mapping(State="Disabled")) == [Status.REFUTED]
