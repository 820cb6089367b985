"""DNS records that go, held against who still resolves them and who comes for them."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

HOST = "beta.acme.example"
ZONE, BALANCER = "arn:aws:route53:::hostedzone/Z1", "arn:aws:elb:e:1:loadbalancer/app/web/1"
PROJECT = {"Pulumi.yaml": "name: dns\nruntime: nodejs\n"}
FORMS = {
    "dns.tf": 'resource "aws_route53_record" "beta" {\n  zone_id = "Z1"\n  name = "beta"\n  type = "CNAME"\n  ttl = 60\n  records = ["web-1.elb.example"]\n}\n',
    "cloudflare.tf": 'resource "cloudflare_record" "beta" {\n  zone_id = "Z1"\n  name = "beta"\n  type = "CNAME"\n  content = "web-1.elb.example"\n}\n',
    "t.yaml": "AWSTemplateFormatVersion: '2010-09-09'\nResources:\n  Beta:\n    Type: AWS::Route53::RecordSet\n    Properties: {Name: beta.acme.example., Type: CNAME, HostedZoneId: Z1, TTL: 60, ResourceRecords: [web-1.elb.example]}\n",
    "index.ts": 'import * as aws from "@pulumi/aws";\nnew aws.route53.Record("beta", {\n  zoneId: "Z1",\n  name: "beta.acme.example",\n  type: "CNAME",\n  ttl: 60,\n  records: ["web-1.elb.example"],\n});\n',
    "__main__.py": 'import pulumi_aws as aws\n\naws.route53.Record("beta", zone_id="Z1", name="beta.acme.example", type="CNAME", ttl=60, records=["web-1.elb.example"])\n',
    "main.go": 'package main\n\nimport "github.com/pulumi/pulumi-aws/sdk/v6/go/aws/route53"\n\nfunc main() {\n\troute53.NewRecord(ctx, "beta", &route53.RecordArgs{\n\t\tZoneId: pulumi.String("Z1"),\n\t\tName: pulumi.String("beta.acme.example"),\n\t\tType: pulumi.String("CNAME"),\n\t\tRecords: pulumi.StringArray{pulumi.String("web-1.elb.example")},\n\t})\n}\n',
}
KEPT = {"other.tf": 'resource "aws_sqs_queue" "q" {\n  name = "q"\n}\n'}


def _production(requests: float | None, queries: float | None) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    production.resource(ZONE, "aws.route53.zone", "acme.example", is_deployed=True)
    production.resource(BALANCER, "aws.elb.loadbalancer", "web")
    production.edge(ZONE, BALANCER, "routes_to")
    if requests is not None:
        production.metric(BALANCER, f"RequestCount{{host={HOST}}}", "Count", requests)
    if queries is not None:
        production.metric(ZONE, f"DNSQueries{{name={HOST}.}}", "Count", queries)
    return production


def _statuses(path: str, production: MemoryProduction, head: dict[str, str | None] | None = None) -> list[Status]:
    evaluation = evaluation_of({path: FORMS[path], **PROJECT, **KEPT}, {path: None, **(head or {})}, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "moved-dns"]


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize(
    ("requests", "queries", "expected"),
    [
        (0.0, 0.0, Status.REFUTED),
        (None, 0.0, Status.REFUTED),
        (90.0, 40.0, Status.CONFIRMED),
        (None, 400.0, Status.CONFIRMED),
        (None, 1.0, Status.PLAUSIBLE),
        (0.0, 40.0, Status.PLAUSIBLE),
        (None, None, Status.PLAUSIBLE),
    ],
)
def test_a_record_that_goes(path: str, requests: float | None, queries: float | None, expected: Status) -> None:
    assert _statuses(path, _production(requests, queries)) == [expected]


@pytest.mark.parametrize(("path", "wildcard"), [("dns.tf", "*"), ("index.ts", "*.acme.example")])
def test_a_wildcard_with_the_same_target_answers_for_it(path: str, wildcard: str) -> None:
    wider: dict[str, str | None] = {
        "wide.tf": FORMS["dns.tf"].replace('name = "beta"', f'name = "{wildcard}"').replace('"beta"', '"wide"')
    }

    assert _statuses(path, _production(90.0, 40.0), wider) == [Status.REFUTED]


def test_a_record_that_another_block_declares_is_silent() -> None:
    renamed: dict[str, str | None] = {
        "new.tf": FORMS["dns.tf"].replace('"aws_route53_record" "beta"', '"aws_route53_record" "moved"')
    }

    assert _statuses("dns.tf", _production(90.0, 40.0), renamed) == []


def test_a_record_that_is_renamed_leaves_its_old_name() -> None:
    renamed = FORMS["dns.tf"].replace('name = "beta"', 'name = "gamma"')
    evaluation = evaluation_of({"dns.tf": FORMS["dns.tf"]}, {"dns.tf": renamed}, _production(90.0, 40.0))

    assert [e.status for e in evaluation.ledger if e.trajectory.playbook == "moved-dns"] == [Status.CONFIRMED]
