"""Load balancers that are replaced or hidden, against the requests that they get."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

TERRAFORM = 'resource "aws_lb" "web" {{\n  name     = "{name}"\n  internal = {internal}\n  idle_timeout = {idle}\n{more}}}\n'
STACK = "Resources:\n  Web:\n    Type: AWS::ElasticLoadBalancingV2::LoadBalancer\n    Properties:\n      Name: {name}\n      Scheme: {scheme}\n"


def terraform(*, name="web", internal="false", idle=60, more=""):
    return {"lb.tf": TERRAFORM.format(name=name, internal=internal, idle=idle, more=more)}


def stack(*, name="web", scheme="internet-facing"):
    return {"lb.yaml": STACK.format(name=name, scheme=scheme)}


def told(base, head, *, rate=30.0, **attributes):
    production = MemoryProduction()
    lb = production.resource("arn:aws:elasticloadbalancing:eu-west-1:1:loadbalancer/app/web/1", "aws.elb.loadbalancer", "web", is_deployed=True, **attributes)  # fmt: skip
    if rate is not None:
        production.metric(lb, "RequestCount", "Count", rate * 300)
    evaluation = evaluation_of(base, head, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "replaced-balancer"]


@pytest.mark.parametrize(("base", "head"), [(terraform(), terraform(internal="true")), (stack(), stack(scheme="internal"))])
@pytest.mark.parametrize("attributes", [{"scheme": "internet-facing"}, {"Scheme": "internet-facing"}, {"internal": False}])
def test_a_public_balancer_that_is_hidden_is_a_no_go(base, head, attributes) -> None:
    assert told(base, head, **attributes) == ["confirmed"]


def test_one_that_is_internal_already_stays_as_it_is() -> None:
    assert told(terraform(), terraform(internal="true"), internal=True) == ["refuted"]
    assert told(terraform(), terraform(internal="true"), Scheme="internal") == ["refuted"]
    assert told(stack(), stack(scheme="internal"), scheme="internal") == ["refuted"]


KEPT = "  lifecycle {\n    create_before_destroy = true\n  }\n"


@pytest.mark.parametrize(
    ("base", "head", "rate", "expected"),
    [
        (terraform(), terraform(name="front"), 30.0, "confirmed"),
        (terraform(), terraform(name="front"), 0.0003, "refuted"),
        (terraform(more=KEPT), terraform(name="front", more=KEPT), 30.0, "plausible"),
        (stack(), stack(name="front"), 30.0, "plausible"),
        (terraform(), terraform(name="front"), None, "plausible"),
    ],
)
def test_another_name_is_another_balancer(base, head, rate, expected) -> None:
    assert told(base, head, rate=rate, scheme="internet-facing") == [expected]


@pytest.mark.parametrize("head", [terraform(idle=120), terraform(more='  tags = {\n    a = "b"\n  }\n')])
def test_what_changes_in_place_is_not_spoken_of(head) -> None:
    assert told(terraform(), head, scheme="internet-facing") == []
