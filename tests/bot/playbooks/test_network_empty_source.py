"""A network rule goes whose source has nobody in it: nothing attached, or only what does not run."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

GROUP = 'resource "aws_security_group" "db" {\n  name = "ledger-db"\n}\n'
KEPT = """resource "aws_security_group_rule" "api" {
  type                     = "ingress"
  security_group_id        = aws_security_group.db.id
  source_security_group_id = "sg-api"
  protocol                 = "tcp"
  from_port                = 5432
  to_port                  = 5432
}
"""
RULE = KEPT.replace('"api"', '"nightly"').replace("sg-api", "sg-night")
INGRESS = """resource "aws_vpc_security_group_ingress_rule" "nightly" {
  security_group_id            = aws_security_group.db.id
  referenced_security_group_id = "sg-night"
  ip_protocol                  = "tcp"
  from_port                    = 5432
  to_port                      = 5432
}
"""
BY_VARIABLE = 'variable "nightly" {\n  default = "sg-night"\n}\n' + RULE.replace('"sg-night"', "var.nightly")
INLINE = """resource "aws_security_group" "db" {
  name = "ledger-db"
  ingress {
    from_port       = 5432
    to_port         = 5432
    protocol        = "tcp"
    security_groups = ["sg-night"]
  }
}
"""
CFN_GROUP = "Resources:\n  Db:\n    Type: AWS::EC2::SecurityGroup\n    Properties: {GroupName: ledger-db, GroupDescription: x}\n"
CFN_RULE = """  Nightly:
    Type: AWS::EC2::SecurityGroupIngress
    Properties:
      GroupId: !Ref Db
      SourceSecurityGroupId: sg-night
      IpProtocol: tcp
      FromPort: 5432
      ToPort: 5432
"""
FORMS = [
    ("net.tf", GROUP + KEPT + RULE, GROUP + KEPT),
    ("net.tf", GROUP + KEPT + INGRESS, GROUP + KEPT),
    ("net.tf", GROUP + KEPT + BY_VARIABLE, GROUP + KEPT),
    ("net.tf", INLINE, GROUP),
    ("stack.yaml", CFN_GROUP + CFN_RULE, CFN_GROUP),
]
UNATTACHED = [
    {"network_interfaces": []},
    {"network_interface_count": 0},
    {"attached_to": []},
    {"attachments": []},
    {"eni_count": 0},
    {"in_use": False},
    {"associated_resources": []},
    {"members": []},
]


def a_production(**attributes):
    production = MemoryProduction()
    production.resource("arn:aws:rds:eu-west-1:111122223333:db:ledger", "aws.rds.instance", "ledger", is_deployed=True)
    production.resource(
        "arn:aws:ec2:eu-west-1:111122223333:security-group/sg-night", "aws.ec2.security_group", "nightly", **attributes
    )
    return production


def with_a_user(kind, metric=None, **attributes):
    production = a_production()
    user = production.resource(
        "arn:aws:ecs:eu-west-1:111122223333:service/core/nightly", kind, "nightly", security_groups=["sg-night"], **attributes
    )
    production.edge(user, "arn:aws:ec2:eu-west-1:111122223333:security-group/sg-night", "connects_to")
    if metric is not None:
        production.metric(user, metric[0], "Count", metric[1])
    return production


def told(file, base, head, production):
    evaluation = evaluation_of({file: base}, {file: head}, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "narrowed-network"]


@pytest.mark.parametrize(("file", "base", "head"), FORMS)
@pytest.mark.parametrize("attributes", UNATTACHED)
def test_a_source_that_is_attached_to_nothing_cuts_off_nobody(file, base, head, attributes):
    assert told(file, base, head, a_production(**attributes)) == ["refuted"]


@pytest.mark.parametrize(("file", "base", "head"), FORMS)
@pytest.mark.parametrize("attributes", [{}, {"network_interfaces": ["eni-1"]}, {"in_use": True}, {"network_interface_count": 2}])
def test_a_source_that_may_have_somebody_in_it_stays_open(file, base, head, attributes):
    assert told(file, base, head, a_production(**attributes)) == ["plausible"]


@pytest.mark.parametrize(
    "production",
    [
        with_a_user("aws.ecs.service", ("RunningTaskCount", 0.0), desired_count=0),
        with_a_user("aws.ecs.service", desired_count=0),
        with_a_user("aws.autoscaling.group", ("GroupInServiceInstances", 0.0)),
        with_a_user("kubernetes.deployment", ("kube_deployment_status_replicas_available", 0.0)),
        with_a_user("aws.ec2.instance", state="stopped"),
    ],
)
def test_a_source_whose_only_user_does_not_run_cuts_off_nobody(production):
    assert told("net.tf", GROUP + KEPT + RULE, GROUP + KEPT, production) == ["refuted"]


@pytest.mark.parametrize(
    "production",
    [
        with_a_user("aws.ecs.service", ("RunningTaskCount", 2.0), desired_count=2),
        with_a_user("aws.ecs.service", ("RunningTaskCount", [*[0.0] * 280, *[1.0] * 8]), desired_count=0),
        with_a_user("aws.ec2.instance", state="running"),
    ],
)
def test_a_source_whose_user_ran_in_the_window_is_never_refuted(production):
    assert "refuted" not in told("net.tf", GROUP + KEPT + RULE, GROUP + KEPT, production)


def test_a_user_that_something_starts_now_and_then_is_no_idle_one():
    production = with_a_user("aws.ecs.service", desired_count=0)
    rule = production.resource("arn:aws:events:eu-west-1:111122223333:rule/nightly", "aws.events.rule", "nightly")
    production.edge(rule, "arn:aws:ecs:eu-west-1:111122223333:service/core/nightly", "triggers")
    assert told("net.tf", GROUP + KEPT + RULE, GROUP + KEPT, production) == ["plausible"]
