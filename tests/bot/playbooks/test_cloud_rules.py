"""Rules of firewalls, network ACLs and security groups of every cloud, judged by the packets that are counted by source."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

NACL = """resource "aws_network_acl" "db" {{
  vpc_id = "vpc-1"
  ingress {{
    protocol   = "tcp"
    rule_no    = 90
    action     = "allow"
    cidr_block = "10.9.0.0/16"
    from_port  = 5432
    to_port    = 5432
  }}
{}}}
"""
NACL_RULE = '  ingress {\n    protocol   = "tcp"\n    rule_no    = 100\n    action     = "allow"\n    cidr_block = "10.3.0.0/18"\n    from_port  = 5432\n    to_port    = 5432\n  }\n'
NSG = 'resource "azurerm_network_security_group" "db" {{\n  name = "db"\n{}}}\n'
NSG_RULE = '  security_rule {\n    name = "NAME"\n    direction = "Inbound"\n    access = "Allow"\n    destination_port_range = "5432"\n    source_address_prefix = "CIDR"\n  }\n'
RANGES = 'resource "google_compute_firewall" "db" {{\n  name = "db"\n  network = "main"\n  allow {{\n    protocol = "tcp"\n    ports = ["5432"]\n  }}\n  source_ranges = {}\n}}\n'
PREFIXES = (
    'resource "azurerm_network_security_rule" "db" {{\n  name = "db"\n  access = "Allow"\n  direction = "Inbound"\n  destination_port_range = "5432"\n'
    "  source_address_prefixes = {}\n}}\n"
)
KEPT = NSG_RULE.replace("NAME", "web").replace("CIDR", "10.9.0.0/16")
FORMS = {
    "network acl": ("aws.ec2.network_acl", NACL.format(NACL_RULE), NACL.format("")),
    "security rules": (
        "azure.network.security_group",
        NSG.format(KEPT + NSG_RULE.replace("NAME", "batch").replace("CIDR", "10.3.0.0/18")),
        NSG.format(KEPT),
    ),
    "ranges": ("google.compute.firewall", RANGES.format('["10.9.0.0/16", "10.3.0.0/18"]'), RANGES.format('["10.9.0.0/16"]')),
    "prefixes": (
        "azure.network.security_rule",
        PREFIXES.format('["10.9.0.0/16", "10.3.0.0/18"]'),
        PREFIXES.format('["10.9.0.0/16"]'),
    ),
}


def judged(kind, base, head, *, flows):
    production = MemoryProduction("github:acme/net")
    group = production.resource("cloud:net/db", kind, "db", is_deployed=True)
    for source, rate in {"10.9.1.0/24": 5.0, **flows}.items():
        production.metric(group, f"AcceptedFlows{{source={source}}}", "Count", rate)
    evaluation = evaluation_of({"main.tf": base}, {"main.tf": head}, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "narrowed-network"]


@pytest.mark.parametrize(("kind", "base", "head"), FORMS.values(), ids=FORMS)
def test_packets_of_the_source_decide(kind, base, head) -> None:
    assert judged(kind, base, head, flows={"10.3.4.0/24": 600.0}) == ["confirmed"]
    assert judged(kind, base, head, flows={"10.3.4.0/24": 0.0}) == ["refuted"]
    assert judged(kind, base, head, flows={}) == ["plausible"]


@pytest.mark.parametrize(("kind", "base", "head"), FORMS.values(), ids=FORMS)
def test_a_rule_that_comes_is_silent(kind, base, head) -> None:
    assert judged(kind, head, base, flows={"10.3.4.0/24": 600.0}) == []
