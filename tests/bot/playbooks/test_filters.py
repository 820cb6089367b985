"""A subscription, rule or mapping gets a new filter."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

TERRAFORM = """resource "aws_sns_topic" "events" {{
  name = "events"
}}
resource "aws_sqs_queue" "intake" {{
  name = "intake"
}}
resource "aws_sns_topic_subscription" "intake" {{
  topic_arn     = aws_sns_topic.events.arn
  protocol      = "sqs"
  endpoint      = aws_sqs_queue.intake.arn
  filter_policy = jsonencode({{
    event_type = {values}
  }})
}}
"""
TEMPLATE = """AWSTemplateFormatVersion: "2010-09-09"
Resources:
  Events: {{Type: AWS::SNS::Topic, Properties: {{TopicName: events}}}}
  Intake: {{Type: AWS::SQS::Queue, Properties: {{QueueName: intake}}}}
  Subscription:
    Type: AWS::SNS::Subscription
    Properties:
      TopicArn: !Ref Events
      Protocol: sqs
      Endpoint: !GetAtt Intake.Arn
      FilterPolicy:
        event_type: {values}
"""
OLD = '["order.paid", "order.refunded"]'


def _statuses(
    manifest: str,
    new: str,
    *,
    old: str = OLD,
    sent: tuple[str, ...] = (),
    how: str = "published event_type={}",
    by: str = "publisher",
    rate: float | None = 30.0,
    code: dict[str, str] | None = None,
) -> list[Status]:
    production = MemoryProduction("github:acme/shop")
    topic = production.resource("arn:aws:sns:eu-west-1:1:events", "aws.sns.topic", "events", is_deployed=True)
    queue = production.resource("arn:aws:sqs:eu-west-1:1:intake", "aws.sqs.queue", "intake", is_deployed=True)
    places = {
        "publisher": production.resource("arn:aws:lambda:eu-west-1:1:function:pub", "aws.lambda.function", "pub"),
        "taker": production.resource("arn:aws:lambda:eu-west-1:1:function:take", "aws.lambda.function", "take"),
    }
    production.edge(places["publisher"], topic, "publishes_to")
    production.edge(topic, queue, "publishes_to")
    production.edge(queue, places["taker"], "triggers")
    for value in sent:
        production.log(places[by], how.format(value))
    if rate is not None:
        production.metric(queue, "NumberOfMessagesSent", "Count", rate)
    name = "main.tf" if "resource" in manifest else "template.yaml"
    base = {name: manifest.format(values=old), **(code or {})}
    evaluation = evaluation_of(base, {name: manifest.format(values=new)}, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "removed-consumer"]


@pytest.mark.parametrize("manifest", [TERRAFORM, TEMPLATE])
@pytest.mark.parametrize("how", ["published event_type={}", 'sent {{"event_type":"{}"}}', "eventType: {} ok"])
def test_a_filter_that_matches_nothing_that_is_sent_is_confirmed(manifest: str, how: str) -> None:
    sent = ("order.paid",) * 6 + ("order.refunded",)

    assert _statuses(manifest, '["order_paid", "order_refunded"]', sent=sent, how=how) == [Status.CONFIRMED]


def test_the_log_of_the_consumer_tells_it_too() -> None:
    assert _statuses(TERRAFORM, '["paid"]', sent=("order.paid",) * 6, by="taker") == [Status.CONFIRMED]


def test_the_code_of_the_publisher_tells_it_where_no_log_does() -> None:
    code = {"publish.py": 'import boto3\nKIND = "order.paid"\n'}

    assert _statuses(TERRAFORM, '["order_paid"]', old='["order.paid"]', code=code) == [Status.CONFIRMED]


def test_a_filter_that_still_takes_all_that_is_sent_is_refuted() -> None:
    sent = ("order.paid",) * 25

    assert _statuses(TERRAFORM, '[{ prefix = "order.pa" }]', old='["order.paid", "order.gone"]', sent=sent) == [Status.REFUTED]


@pytest.mark.parametrize("manifest", [TERRAFORM, TEMPLATE])
def test_a_wider_filter_is_refuted(manifest: str) -> None:
    assert _statuses(manifest, '["order.paid", "order.refunded", "order.lost"]') == [Status.REFUTED]


@pytest.mark.parametrize(
    ("new", "sent"),
    [
        ('["order.paid"]', ("order.paid",) * 6 + ("order.refunded",) * 6),
        ('["order.shipped"]', ("order.paid",) * 6 + ("order.shipped",) * 6),
        ('["order_paid"]', ()),
    ],
)
def test_a_filter_that_leaves_out_a_part_or_that_nothing_was_seen_of_is_a_question(new: str, sent: tuple[str, ...]) -> None:
    assert _statuses(TERRAFORM, new, sent=sent) == [Status.PLAUSIBLE]


def test_new_values_that_code_of_this_change_spells_do_not_confirm() -> None:
    code = {"publish.py": 'import boto3\nKIND = "order_paid"\n'}

    assert _statuses(TERRAFORM, '["order_paid"]', sent=("order.paid",) * 9, code=code) == [Status.PLAUSIBLE]


def test_a_queue_that_gets_nothing_is_refuted() -> None:
    assert _statuses(TERRAFORM, '["order_paid"]', sent=("order.paid",) * 9, rate=0) == [Status.REFUTED]
