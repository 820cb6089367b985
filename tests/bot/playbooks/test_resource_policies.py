"""A queue, topic, bucket or function that lets another service in no more."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

TOPIC_AND_QUEUE = """resource "aws_sns_topic" "scans" {
  name = "scans"
}
resource "aws_sqs_queue" "billing" {
  name = "billing"
}
"""
SUBSCRIPTION = """resource "aws_sns_topic_subscription" "billing" {
  topic_arn = aws_sns_topic.scans.arn
  protocol = "sqs"
  endpoint = aws_sqs_queue.billing.arn
}
"""
DOCUMENT = """data "aws_iam_policy_document" "billing" {
  statement {
    actions = ["sqs:SendMessage"]
    resources = [aws_sqs_queue.billing.arn]
    principals {
      type = "Service"
      identifiers = ["sns.amazonaws.com"]
    }
  }
}
resource "aws_sqs_queue_policy" "billing" {
  queue_url = aws_sqs_queue.billing.id
  policy = data.aws_iam_policy_document.billing.json
}
"""
ENCODED = """resource "aws_sqs_queue_policy" "billing" {
  queue_url = aws_sqs_queue.billing.url
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect = "Allow"
      Action = "sqs:SendMessage"
      Principal = { Service = "sns.amazonaws.com" }
      Resource = aws_sqs_queue.billing.arn
      Condition = { ArnEquals = { "aws:SourceArn" = aws_sns_topic.scans.arn } }
    }]
  })
}
"""
STACK = """Resources:
  Billing:
    Type: AWS::SQS::Queue
    Properties: {QueueName: billing}
  Scans:
    Type: AWS::SNS::Topic
    Properties: {TopicName: scans}
"""
STACK_SUBSCRIPTION = """  Subscription:
    Type: AWS::SNS::Subscription
    Properties: {TopicArn: !Ref Scans, Protocol: sqs, Endpoint: !GetAtt Billing.Arn}
"""
STACK_POLICY = """  Policy:
    Type: AWS::SQS::QueuePolicy
    Properties:
      Queues: [!Ref Billing]
      PolicyDocument:
        Statement:
          - Effect: Allow
            Principal: {Service: sns.amazonaws.com}
            Action: sqs:SendMessage
            Resource: !GetAtt Billing.Arn
            Condition: {ArnEquals: {"aws:SourceArn": !Ref Scans}}
"""
FORMS = {
    "main.tf": (TOPIC_AND_QUEUE, SUBSCRIPTION, DOCUMENT),
    "sqs/main.tf": (TOPIC_AND_QUEUE, SUBSCRIPTION, ENCODED),
    "stack.yaml": (STACK, STACK_SUBSCRIPTION, STACK_POLICY),
}
every_form = pytest.mark.parametrize("path", FORMS)


def _messages(*, published: float | None = 900.0, sent: float | None = 900.0, is_joined: bool = True) -> MemoryProduction:
    production = MemoryProduction("github:acme/infra")
    topic = production.resource("arn:aws:sns:eu-west-1:1:scans", "aws.sns.topic", "scans", is_deployed=True)
    queue = production.resource("arn:aws:sqs:eu-west-1:1:billing", "aws.sqs.queue", "billing", is_deployed=True)
    if is_joined:
        production.edge(topic, queue, "publishes_to")
    if published is not None:
        production.metric(topic, "NumberOfMessagesPublished", "Count", published)
    if sent is not None:
        production.metric(queue, "NumberOfMessagesSent", "Count", sent)
    return production


def _told(path: str, base: str, head: str, production: MemoryProduction) -> list[str]:
    evaluation = evaluation_of({path: base}, {path: head}, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "removed-permission"]


@every_form
def test_a_topic_that_the_queue_lets_in_no_more_is_confirmed_by_what_it_publishes(path: str) -> None:
    rest, tie, policy = FORMS[path]

    assert _told(path, rest + tie + policy, rest + tie, _messages()) == ["confirmed"]


@every_form
def test_a_topic_on_which_nothing_is_published_refutes(path: str) -> None:
    rest, tie, policy = FORMS[path]

    assert _told(path, rest + tie + policy, rest + tie, _messages(published=0.0, sent=0.0)) == ["refuted"]


@every_form
def test_a_policy_that_goes_with_its_subscription_refutes(path: str) -> None:
    rest, tie, policy = FORMS[path]

    assert _told(path, rest + tie + policy, rest, _messages()) == ["refuted"]


@every_form
def test_without_counts_it_stays_a_question(path: str) -> None:
    rest, tie, policy = FORMS[path]

    assert _told(path, rest + tie + policy, rest + tie, _messages(published=None, sent=None)) == ["plausible"]


@every_form
def test_a_topic_that_production_does_not_join_to_the_queue_stays_a_question(path: str) -> None:
    rest, tie, policy = FORMS[path]

    assert _told(path, rest + tie + policy, rest + tie, _messages(is_joined=False)) == ["plausible"]


def test_another_policy_of_the_same_queue_that_lets_it_in_is_silent() -> None:
    rest, tie, _ = FORMS["main.tf"]

    assert _told("main.tf", rest + tie + DOCUMENT, rest + tie + ENCODED.replace('"billing" {', '"again" {', 1), _messages()) == []


FUNCTION = """resource "aws_lambda_function" "web" {
  function_name = "web"
}
resource "aws_apigatewayv2_api" "http" {
  name = "http"
}
"""
PERMISSION = """resource "aws_lambda_permission" "api" {
  action = "lambda:InvokeFunction"
  function_name = aws_lambda_function.web.function_name
  principal = "apigateway.amazonaws.com"
  source_arn = "${aws_apigatewayv2_api.http.execution_arn}/*/*"
}
"""


@pytest.mark.parametrize(("requests", "status"), [(600.0, "confirmed"), (0.0, "refuted"), (None, "plausible")])
def test_an_api_that_may_call_its_function_no_more(requests: float | None, status: str) -> None:
    production = MemoryProduction("github:acme/infra")
    function = production.resource("arn:aws:lambda:eu-west-1:1:function:web", "aws.lambda.function", "web", is_deployed=True)
    api = production.resource("arn:aws:apigateway:eu-west-1::/apis/a1", "aws.apigateway.api", "http", is_deployed=True)
    production.edge(api, function, "routes_to")
    if requests is not None:
        production.metric(api, "Count", "Count", requests)

    assert _told("main.tf", FUNCTION + PERMISSION, FUNCTION, production) == [status]


def test_a_permission_without_a_source_may_be_one_of_several() -> None:
    production = MemoryProduction("github:acme/infra")
    function = production.resource("arn:aws:lambda:eu-west-1:1:function:web", "aws.lambda.function", "web", is_deployed=True)
    api = production.resource("arn:aws:apigateway:eu-west-1::/apis/a1", "aws.apigateway.api", "http")
    production.edge(api, function, "routes_to")
    production.metric(api, "Count", "Count", 600.0)
    permission = "\n".join(line for line in PERMISSION.split("\n") if "source_arn" not in line)

    assert _told("main.tf", FUNCTION + permission, FUNCTION, production) == ["plausible"]


BUCKET = 'resource "aws_s3_bucket" "media" {\n  bucket = "media"\n}\n'
BUCKET_POLICY = """resource "aws_s3_bucket_policy" "media" {
  bucket = aws_s3_bucket.media.id
  policy = jsonencode({Statement = [{Effect = "Allow", Action = ["s3:GetObject"], Principal = {Service = "cloudfront.amazonaws.com"}, Resource = "${aws_s3_bucket.media.arn}/*"}]})
}
"""


@pytest.mark.parametrize(("requests", "status"), [(600.0, "confirmed"), (0.0, "refuted"), (None, "plausible")])
def test_a_distribution_that_may_read_its_bucket_no_more(requests: float | None, status: str) -> None:
    production = MemoryProduction("github:acme/infra")
    bucket = production.resource("arn:aws:s3:::media", "aws.s3.bucket", "media", is_deployed=True)
    edge = production.resource("arn:aws:cloudfront::1:distribution/E1", "aws.cloudfront.distribution", "media-cdn")
    production.edge(edge, bucket, "reads_from")
    if requests is not None:
        production.metric(edge, "Requests", "Count", requests)

    assert _told("main.tf", BUCKET + BUCKET_POLICY, BUCKET, production) == [status]
