"""Network rules that go, held against what comes through them: by source, by rule, at the group and behind it."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

GROUP, DATABASE = "arn:aws:ec2:e:1:security-group/sg-db", "arn:aws:rds:e:1:db:ledger"
KEPT = '    security_groups = ["sg-web"]\n    from_port = 5432\n    to_port = 5432\n    protocol = "tcp"\n  }\n'
GOES = KEPT.replace("sg-web", "sg-bill")
INLINE = 'resource "aws_security_group" "db" {\n  name = "ledger-db"\n  ingress {\n' + KEPT + "RULE}\n"
OWN = (
    'resource "aws_security_group" "db" {\n  name = "ledger-db"\n}\nresource "aws_vpc_security_group_ingress_rule" "web" {\n  security_group_id = aws_security_group.db.id\n'
    '  referenced_security_group_id = "sg-web"\n  from_port = 5432\n  to_port = 5432\n}\nRULE'
)
OWN_RULE = (
    'resource "aws_vpc_security_group_ingress_rule" "bill" {\n  security_group_id = aws_security_group.db.id\n  referenced_security_group_id = var.bill\n'
    '  from_port = 5432\n  to_port = 5432\n}\nvariable "bill" {\n  default = "sg-bill"\n}\n'
)
CLOUDFORMATION = (
    "AWSTemplateFormatVersion: '2010-09-09'\nResources:\n  Db:\n    Type: AWS::EC2::SecurityGroup\n    Properties:\n      GroupName: ledger-db\n      SecurityGroupIngress:\n"
    "        - {SourceSecurityGroupId: sg-web, FromPort: 5432, ToPort: 5432, IpProtocol: tcp}\nRULE"
)
PULUMI = (
    'import * as aws from "@pulumi/aws";\nexport const db = new aws.ec2.SecurityGroup("db", { name: "ledger-db", ingress: [\n'
    '  { protocol: "tcp", fromPort: 5432, toPort: 5432, securityGroups: ["sg-web"] },\nRULE] });\n'
)
FORMS = [
    ("net.tf", INLINE, "  ingress {\n" + GOES),
    ("net.tf", OWN, OWN_RULE),
    ("t.yaml", CLOUDFORMATION, "        - {SourceSecurityGroupId: sg-bill, FromPort: 5432, ToPort: 5432, IpProtocol: tcp}\n"),
    ("index.ts", PULUMI, '  { protocol: "tcp", fromPort: 5432, toPort: 5432, securityGroups: ["sg-bill"] },\n'),
]


def _production(metric: str, values: float | list[float], *, unit: str = "Count", at: str = GROUP) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    production.resource(GROUP, "aws.ec2.security_group", "ledger-db", is_deployed=True)
    production.resource(DATABASE, "aws.rds.instance", "ledger", security_groups=["sg-db"])
    production.edge(GROUP, DATABASE, "routes_to")
    production.metric(at, metric, unit, values)
    return production


def _statuses(path: str, text: str, rule: str, production: MemoryProduction) -> list[Status]:
    project = {"Pulumi.yaml": "name: net\nruntime: nodejs\n"}
    base, head = {path: text.replace("RULE", rule), **project}, {path: text.replace("RULE", "")}
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "narrowed-network"]


@pytest.mark.parametrize(("path", "text", "rule"), FORMS)
@pytest.mark.parametrize(("count", "expected"), [(59.0, Status.CONFIRMED), (0.0, Status.REFUTED)])
def test_every_form_of_a_rule_is_held_against_its_accepted_connections(
    path: str, text: str, rule: str, count: float, expected: Status
) -> None:
    production = _production("FlowLogAcceptedConnections{source=sg-bill}", count)

    assert _statuses(path, text, rule, production) == [expected]


@pytest.mark.parametrize(
    ("metric", "unit", "at"),
    [
        ("AcceptedFlows{src_security_group=sg-bill}", "Count", GROUP),
        ("NewConnectionCount{client_sg=sg-bill}", "Count", DATABASE),
        ("DatabaseConnections{source_group=sg-bill}", "Count", DATABASE),
        ("ProcessedBytes{source_id=sg-bill}", "Bytes", GROUP),
        ("flow_records_per_second{source=sg-bill,action=ACCEPT}", "Count/Second", GROUP),
    ],
)
def test_what_comes_through_has_many_names(metric: str, unit: str, at: str) -> None:
    path, text, rule = FORMS[0]

    assert _statuses(path, text, rule, _production(metric, 12.0, unit=unit, at=at)) == [Status.CONFIRMED]


@pytest.mark.parametrize(
    "metric",
    [
        "FlowLogRejectedConnections{source=sg-bill}",
        "AcceptedFlows{source=sg-bill,action=REJECT}",
        "AcceptedFlows{source=sg-billing}",
    ],
)
def test_what_was_refused_or_came_from_another_says_nothing(metric: str) -> None:
    path, text, rule = FORMS[0]

    assert _statuses(path, text, rule, _production(metric, 12.0)) == [Status.PLAUSIBLE]


def test_what_came_until_yesterday_is_a_question() -> None:
    path, text, rule = FORMS[0]
    production = _production("AcceptedFlows{source=sg-bill}", [9.0] * 288 + [0.0] * 288)

    assert _statuses(path, text, rule, production) == [Status.PLAUSIBLE]


FIREWALL = 'resource "google_compute_firewall" "bill" {\n  name = "allow-bill"\n  network = "main"\n  source_ranges = ["10.9.0.0/16"]\n  allow {\n    protocol = "tcp"\n    ports = ["5432"]\n  }\n}\n'


@pytest.mark.parametrize(("count", "expected"), [(7.0, Status.CONFIRMED), (0.0, Status.REFUTED)])
def test_a_firewall_counts_its_hits_by_its_own_name(count: float, expected: Status) -> None:
    production = MemoryProduction("github:acme/shop")
    firewall = production.resource("gcp:p/firewalls/allow-bill", "google.compute.firewall", "allow-bill", is_deployed=True)
    production.metric(firewall, "firewall_hit_count{firewall_name=allow-bill}", "Count", count)

    assert _statuses("net.tf", "RULE", FIREWALL, production) == [expected]


NSG = 'resource "azurerm_network_security_group" "db" {\n  name = "db-nsg"\n  security_rule {\n    name = "allow-web"\n    direction = "Inbound"\n    access = "Allow"\n    destination_port_range = "5432"\n    source_address_prefix = "10.8.0.0/16"\n  }\nRULE}\n'
NSG_RULE = '  security_rule {\n    name = "allow-bill"\n    direction = "Inbound"\n    access = "Allow"\n    destination_port_range = "5432"\n    source_address_prefix = "10.9.0.0/16"\n  }\n'


@pytest.mark.parametrize(("count", "expected"), [(7.0, Status.CONFIRMED), (0.0, Status.REFUTED)])
def test_a_rule_inside_of_a_group_is_counted_by_its_name(count: float, expected: Status) -> None:
    production = MemoryProduction("github:acme/shop")
    group = production.resource("azure:nsg/db", "azure.network.security_group", "db-nsg", is_deployed=True)
    production.metric(group, "nsg_allowed_flows{rule=allow-bill}", "Count", count)

    assert _statuses("net.tf", NSG, NSG_RULE, production) == [expected]
