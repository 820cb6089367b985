"""Network rules that go, judged by who is in their source."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

GROUP = "arn:aws:ec2:eu-west-1:1:security-group/sg-db"
HEAD = (
    'resource "aws_security_group" "db" {\n  name = "orders-db"\n}\n\nresource "aws_security_group_rule" "a" {\n'
    '  type = "ingress"\n  from_port = 5432\n  to_port = 5432\n  security_group_id = aws_security_group.db.id\n'
    "  source_security_group_id = var.web_security_group_id\n}\n"
)
RULE = (
    '\nresource "aws_security_group_rule" "b" {\n  type = "ingress"\n  from_port = 5432\n  to_port = 5432\n'
    "  security_group_id = aws_security_group.db.id\n  SOURCE\n}\n"
)
BY_VARIABLE = "source_security_group_id = var.billing_sg_id"
BY_ID = 'source_security_group_id = "sg-bill"'
BY_ADDRESS = 'cidr_blocks = ["10.4.0.0/16"]'


def _production(
    running: int, held: float | None = None, rate: float | None = None, groups: tuple[str, ...] = ("sg-bill",)
) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    group = production.resource(
        GROUP, "aws.ec2.security_group", "orders-db", is_deployed=True,
        ingress=[{"port": 5432, "source": "sg-web"}, {"port": 5432, "source": "sg-bill"}],
    )  # fmt: skip
    database = production.resource("arn:aws:rds:eu-west-1:1:db:orders", "aws.rds.instance", "orders", security_groups=["sg-db"])
    billing = production.resource(
        "arn:aws:ecs:eu-west-1:1:service/core/billing", "aws.ecs.service", "billing", is_deployed=True,
        running_count=running, security_groups=list(groups), subnet_cidrs=["10.4.3.0/24"],
    )  # fmt: skip
    production.edge(group, database, "connects_to")
    production.edge(billing, database, "reads_from")
    if held is not None:
        production.metric(database, "DatabaseConnections{client=billing}", "Count", held)
    if rate is not None:
        production.metric(billing, "RequestCountPerSecond", "Count/Second", rate)
    return production


def _statuses(base: str, head: str, production: MemoryProduction | None) -> list[Status]:
    evaluation = evaluation_of({"net.tf": base}, {"net.tf": head}, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "narrowed-network"]


@pytest.mark.parametrize("source", [BY_VARIABLE, BY_ID, BY_ADDRESS])
@pytest.mark.parametrize(
    ("production", "expected"),
    [
        (_production(3, held=20.0), Status.CONFIRMED),
        (_production(3, rate=5.0), Status.CONFIRMED),
        (_production(3, held=0.0), Status.REFUTED),
        (_production(0), Status.REFUTED),
        (_production(3), Status.PLAUSIBLE),
    ],
)
def test_who_is_in_the_source_decides(source: str, production: MemoryProduction, expected: Status) -> None:
    assert _statuses(HEAD + RULE.replace("SOURCE", source), HEAD, production) == [expected]


def test_a_peer_that_another_group_still_lets_in_is_not_cut_off() -> None:
    production = _production(3, rate=5.0, groups=("sg-bill", "sg-web"))
    assert Status.CONFIRMED not in _statuses(HEAD + RULE.replace("SOURCE", BY_VARIABLE), HEAD, production)


def test_a_source_that_is_spelled_anew_is_no_proof() -> None:
    head = HEAD + RULE.replace("SOURCE", "source_security_group_id = local.clients.billing")
    assert _statuses(HEAD + RULE.replace("SOURCE", BY_VARIABLE), head, _production(3, held=20.0)) == [Status.PLAUSIBLE]
