"""Values that are new and go out in messages to programs whose code is elsewhere."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

SENDER = "arn:aws:ecs:eu-west-1:1:service/c/orders"
TOPIC = "arn:aws:sns:eu-west-1:1:orders"
QUEUE = "arn:aws:sqs:eu-west-1:1:ledger-orders"
LEDGER = "arn:aws:lambda:eu-west-1:1:function:ledger"
FORMS = {
    "python": (
        {"app/state.py": 'from enum import StrEnum\n\n\nclass State(StrEnum):\n    OPEN = "OPEN"\n    PAID = "PAID"\n{new}', "app/send.py": "import boto3\nsns = boto3.client('sns')\n\n\ndef pay(o):\n    sns.publish(TopicArn=T, Message=dump(o, State.PAID))\n{sent}"},
        '    HELD = "HELD"\n',
        "\n\ndef hold(o):\n    sns.publish(TopicArn=T, Message=dump(o, State.HELD))\n",
    ),
    "typescript": (
        {"src/state.ts": 'export type State = "OPEN" | "PAID"{new};\n', "src/send.ts": 'export const pay = (o) => sns.send(new PublishCommand({ Message: dump(o, "PAID") }));\n{sent}'},
        ' | "HELD"',
        'export const hold = (o) => sns.send(new PublishCommand({ Message: dump(o, "HELD") }));\n',
    ),
    "java": (
        {"src/State.java": "public enum State {\n  OPEN,\n  PAID{new}\n}\n", "src/Send.java": "class Send {\n  void pay(Order o) { sns.publish(dump(o, State.PAID)); }\n{sent}}\n"},
        ",\n  HELD",
        "  void hold(Order o) { sns.publish(dump(o, State.HELD)); }\n",
    ),
    "kotlin": (
        {"src/State.kt": "enum class State { OPEN, PAID{new} }\n", "src/Send.kt": "class Send {\n  fun pay(o: Order) = publisher.publish(o.copy(state = State.PAID))\n{sent}}\n"},
        ", HELD",
        "  fun hold(o: Order) = publisher.publish(o.copy(state = State.HELD))\n",
    ),
}  # fmt: skip


def _sides(form: str) -> tuple[dict[str, str], dict[str, str]]:
    files, new, sent = FORMS[form]
    base = {p: t.replace("{new}", "").replace("{sent}", "") for p, t in files.items()}
    return base, {p: t.replace("{new}", new).replace("{sent}", sent) for p, t in files.items()}


def _production(rate: float = 900.0, *, owner: str = "github:acme/ledger", states: list[str] | None = None) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    production.resource(SENDER, "aws.ecs.service", "orders", is_deployed=True)
    subscription = {"protocol": "sqs", "endpoint": QUEUE, "filter_policy": {"state": list(states)} if states else None}
    production.resource(TOPIC, "aws.sns.topic", "orders", subscriptions=[subscription])
    production.resource(QUEUE, "aws.sqs.queue", "ledger-orders")
    production.resource(LEDGER, "aws.lambda.function", "ledger")
    production.resource(owner, "github.repository", owner.removeprefix("github:"))
    production.edge(SENDER, TOPIC, "publishes_to")
    production.edge(TOPIC, QUEUE, "publishes_to")
    production.edge(QUEUE, LEDGER, "triggers")
    production.edge(owner, LEDGER, "deploys_to")
    production.metric(QUEUE, "NumberOfMessagesSent", "Count", rate)
    return production


def _statuses(base: dict[str, str], head: dict[str, str], production: MemoryProduction) -> list[Status]:
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "wire-contract"]


@pytest.mark.parametrize("form", sorted(FORMS))
def test_a_value_that_another_repository_gets_is_a_question(form: str) -> None:
    assert _statuses(*_sides(form), _production()) == [Status.PLAUSIBLE]


@pytest.mark.parametrize("form", sorted(FORMS))
def test_a_value_that_nobody_sends_is_silent(form: str) -> None:
    base, head = _sides(form)
    only = {p: t for p, t in head.items() if "tate" in p.rpartition("/")[2]}

    assert _statuses(base, only, _production()) == []


@pytest.mark.parametrize(
    ("production", "expected"),
    [
        (_production(states=["OPEN", "PAID"]), [Status.REFUTED]),
        (_production(states=["OPEN", "HELD"]), [Status.PLAUSIBLE]),
        (_production(0.0), [Status.REFUTED]),
        (_production(owner="github:acme/shop"), []),
    ],
)
def test_filters_rates_and_owners_decide(production: MemoryProduction, expected: list[Status]) -> None:
    assert _statuses(*_sides("python"), production) == expected
