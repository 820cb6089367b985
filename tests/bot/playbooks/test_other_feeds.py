"""Subscriptions that go while another path leads to the same queue."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

QUEUE = 'resource "aws_sqs_queue" "in" {\n  name = "bills-in"\n}\n'
LOOKED_UP = 'data "aws_sns_topic" "sales" {\n  name = "sales"\n}\n'
SUBSCRIPTION = 'resource "aws_sns_topic_subscription" "in" {{\n  topic_arn = {topic}\n  protocol = "sqs"\n  endpoint = aws_sqs_queue.in.arn\n}}\n'
FORMS = ("data.aws_sns_topic.sales.arn", "var.sales_topic_arn", '"arn:aws:sns:eu-west-1:1:sales"')
TOPIC = "arn:aws:sns:eu-west-1:1:sales"
IN = "arn:aws:sqs:eu-west-1:1:bills-in"
RULE = "arn:aws:events:eu-west-1:1:rule/bus/bills"


def _production(
    *, topic: float | None, rule: float | None = None, state: str = "ENABLED", has_one_publisher: bool = False
) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    worker = production.resource("arn:aws:ecs:eu-west-1:1:service/x/bills", "aws.ecs.service", "bills", is_deployed=True)
    production.resource(IN, "aws.sqs.queue", "bills-in")
    production.resource(TOPIC, "aws.sns.topic", "sales")
    production.edge(IN, worker, "triggers")
    production.edge(TOPIC, IN, "publishes_to")
    production.metric(IN, "NumberOfMessagesReceived", "Count", 2500.0)
    if topic is not None:
        production.metric(TOPIC, "NumberOfMessagesPublished", "Count", topic)
    if rule is not None:
        production.resource(RULE, "aws.events.rule", "bills", state=state)
        production.edge(RULE, IN, "triggers")
        production.metric(RULE, "Invocations", "Count", rule)
    if has_one_publisher:
        shop = production.resource("arn:aws:ecs:eu-west-1:1:service/x/sales-api", "aws.ecs.service", "sales-api")
        production.edge(shop, TOPIC, "publishes_to")
        production.edge(shop, RULE, "publishes_to")
    return production


def _statuses(form: str, production: MemoryProduction) -> list[Status]:
    before = QUEUE + LOOKED_UP + SUBSCRIPTION.format(topic=form)
    evaluation = evaluation_of({"infra/queue.tf": before}, {"infra/queue.tf": QUEUE}, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "removed-consumer"]


@pytest.mark.parametrize("form", FORMS)
def test_a_silent_topic_beside_a_busy_rule_is_refuted(form: str) -> None:
    assert _statuses(form, _production(topic=0.0, rule=2500.0)) == [Status.REFUTED]


@pytest.mark.parametrize("form", FORMS)
def test_the_only_path_of_a_busy_topic_is_confirmed(form: str) -> None:
    assert _statuses(form, _production(topic=2500.0)) == [Status.CONFIRMED]


@pytest.mark.parametrize(
    "production",
    [
        _production(topic=2500.0, rule=0.0),
        _production(topic=2500.0, rule=40.0),
        _production(topic=2500.0, rule=2500.0, state="DISABLED", has_one_publisher=True),
    ],
)
def test_another_path_that_carries_nothing_or_something_else_does_not_help(production: MemoryProduction) -> None:
    assert _statuses(FORMS[0], production) == [Status.CONFIRMED]


@pytest.mark.parametrize(
    "production",
    [
        _production(topic=2500.0, rule=2480.0),
        _production(topic=2500.0, rule=900.0, has_one_publisher=True),
        _production(topic=None, rule=2500.0),
    ],
)
def test_another_path_that_may_carry_the_same_is_a_question(production: MemoryProduction) -> None:
    assert _statuses(FORMS[0], production) == [Status.PLAUSIBLE]
