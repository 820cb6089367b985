"""Network rules, DNS records, origins and TLS versions that change who gets through."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

GROUP = "arn:aws:ec2:eu-west-1:1:security-group/sg-1"
SECURITY_GROUP = 'resource "aws_security_group" "db" {\n  name = "db"\n}\n'
RULE = '\nresource "aws_vpc_security_group_ingress_rule" "{name}" {{\n  security_group_id = aws_security_group.db.id\n  cidr_ipv4 = "{cidr}"\n  from_port = 5432\n  to_port = 5432\n  ip_protocol = "tcp"\n}}\n'
BATCH = RULE.format(name="batch", cidr="10.4.16.0/22")
INLINE = 'resource "aws_security_group" "db" {{\n  name = "db"\n{rules}}}\n'
INGRESS = '  ingress {{\n    from_port = 5432\n    to_port = 5432\n    protocol = "tcp"\n    cidr_blocks = ["{cidr}"]\n  }}\n'


def _statuses(
    playbook: str, base: dict[str, str], head: dict[str, str | None], production: MemoryProduction | None
) -> list[Status]:
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == playbook]


def _group(*flows: tuple[str, float]) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    production.resource(GROUP, "aws.ec2.security_group", "db", is_deployed=True)
    for source, value in flows:
        production.metric(GROUP, f"AcceptedFlows{{source={source}}}", "Count", value)
    return production


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (SECURITY_GROUP + BATCH, SECURITY_GROUP),
        (
            INLINE.format(rules=INGRESS.format(cidr="10.4.16.0/22") + INGRESS.format(cidr="10.9.0.0/16")),
            INLINE.format(rules=INGRESS.format(cidr="10.9.0.0/16")),
        ),
    ],
)
@pytest.mark.parametrize(
    ("flows", "expected"),
    [
        ([("10.4.16.0/22", 40.0)], Status.CONFIRMED),
        ([("10.4.16.0/22", 0.0), ("sg-9", 5.0)], Status.REFUTED),
        ([], Status.PLAUSIBLE),
    ],
)
def test_accepted_packets_of_the_rule_decide(before: str, after: str, flows: list[tuple[str, float]], expected: Status) -> None:
    assert _statuses("narrowed-network", {"sg.tf": before}, {"sg.tf": after}, _group(*flows)) == [expected]


def test_sampled_flow_logs_show_who_comes_through() -> None:
    production = _group()
    production.log(GROUP, *[f"2 1 eni-0 10.4.17.{n} 10.4.30.11 455{n} 5432 6 22 619 ACCEPT OK" for n in range(10, 14)])

    assert _statuses("narrowed-network", {"sg.tf": SECURITY_GROUP + BATCH}, {"sg.tf": SECURITY_GROUP}, production) == [
        Status.CONFIRMED
    ]


def test_a_wider_rule_that_covers_it_is_refuted() -> None:
    wider = SECURITY_GROUP + RULE.format(name="all", cidr="10.4.0.0/16")

    assert _statuses("narrowed-network", {"sg.tf": SECURITY_GROUP + BATCH}, {"sg.tf": wider}, _group(("10.4.16.0/22", 40.0))) == [
        Status.REFUTED
    ]


def test_a_new_rule_is_silent() -> None:
    assert _statuses("narrowed-network", {"sg.tf": SECURITY_GROUP}, {"sg.tf": SECURITY_GROUP + BATCH}, _group()) == []


ZONE = "arn:aws:route53:::hostedzone/Z1"
RECORD = 'resource "aws_route53_record" "www" {{\n  zone_id = "Z1"\n  name = "www.acme.example"\n  type = "CNAME"\n  ttl = {ttl}\n  records = ["{target}"]\n}}\n'


def _zone(*, rate: float | None = None, healthy: float | None = None) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    zone = production.resource(ZONE, "aws.route53.zone", "acme.example", is_deployed=True)
    old = production.resource("arn:aws:elb:old", "aws.elb.loadbalancer", "old-alb")
    new = production.resource("arn:aws:elb:new", "aws.elb.loadbalancer", "new-alb")
    production.edge(zone, old, "routes_to")
    production.edge(zone, new, "routes_to")
    production.metric(old, "RequestCountPerSecond", "Count/Second", 40.0)
    if rate is not None:
        production.metric(new, "RequestCountPerSecond", "Count/Second", rate)
    if healthy is not None:
        production.metric(new, "HealthyHostCount", "Count", healthy)
    return production


@pytest.mark.parametrize(
    ("target", "ttl", "production", "expected"),
    [
        ("cdn.vendor.example", 86400, _zone(), [Status.PLAUSIBLE]),
        ("new-alb-123.eu-west-1.elb.amazonaws.com", 60, _zone(rate=30.0), [Status.REFUTED]),
        ("new-alb-123.eu-west-1.elb.amazonaws.com", 86400, _zone(rate=30.0), [Status.PLAUSIBLE]),
        ("new-alb-123.eu-west-1.elb.amazonaws.com", 60, _zone(healthy=0.0), [Status.CONFIRMED]),
        ("old-alb-77.eu-west-1.elb.amazonaws.com", 30, _zone(), []),
    ],
)
def test_a_record_that_points_elsewhere(target: str, ttl: int, production: MemoryProduction, expected: list[Status]) -> None:
    base = {"dns.tf": RECORD.format(ttl=60, target="old-alb-77.eu-west-1.elb.amazonaws.com")}

    assert _statuses("moved-dns", base, {"dns.tf": RECORD.format(ttl=ttl, target=target)}, production) == expected


CORS_PY = 'from fastapi.middleware.cors import CORSMiddleware\n\nORIGINS = [\n    "https://www.acme.example",\n{beta}]\n'
CORS_JS = 'module.exports.allowedOrigins = [\n  "https://www.acme.example",\n{beta}];\n'


@pytest.mark.parametrize(("path", "code"), [("app/main.py", CORS_PY), ("src/cors.js", CORS_JS)])
@pytest.mark.parametrize(("requests", "expected"), [(90.0, Status.CONFIRMED), (0.0, Status.REFUTED), (None, Status.PLAUSIBLE)])
def test_an_origin_that_is_allowed_no_more(path: str, code: str, requests: float | None, expected: Status) -> None:
    production = MemoryProduction("github:acme/shop")
    service = production.resource("arn:aws:ecs:eu-west-1:1:service/web/api", "aws.ecs.service", "api", is_deployed=True)
    if requests is not None:
        production.metric(service, "http_requests{origin=https://beta.acme.example}", "Count", requests)
    base = {path: code.replace("{beta}", '    "https://beta.acme.example",\n')}

    assert _statuses("removed-origin", base, {path: code.replace("{beta}", "")}, production) == [expected]


def test_a_link_that_goes_from_ordinary_code_is_no_origin() -> None:
    base = {"app/links.py": 'DOCS = ["https://docs.acme.example", "https://help.acme.example"]\n'}

    assert _statuses("removed-origin", base, {"app/links.py": 'DOCS = ["https://docs.acme.example"]\n'}, MemoryProduction()) == []


LISTENER = 'resource "aws_lb" "web" {{\n  name = "web"\n}}\n\nresource "aws_lb_listener" "web" {{\n  load_balancer_arn = aws_lb.web.arn\n  port = 443\n  ssl_policy = "{policy}"\n}}\n'


@pytest.mark.parametrize(
    ("after", "old_clients", "expected"),
    [
        ("ELBSecurityPolicy-TLS13-1-3-2021-06", None, [Status.PLAUSIBLE]),
        ("ELBSecurityPolicy-TLS13-1-3-2021-06", 70.0, [Status.CONFIRMED]),
        ("ELBSecurityPolicy-TLS13-1-3-2021-06", 0.0, [Status.REFUTED]),
        ("ELBSecurityPolicy-TLS13-1-0-2021-06", 70.0, []),
    ],
)
def test_a_listener_that_asks_for_newer_tls(after: str, old_clients: float | None, expected: list[Status]) -> None:
    production = MemoryProduction("github:acme/shop")
    balancer = production.resource("arn:aws:elb:web", "aws.elb.loadbalancer", "web", is_deployed=True)
    if old_clients is not None:
        production.metric(balancer, "RequestCount{tls_version=TLSv1.2}", "Count", old_clients)
    base = {"lb.tf": LISTENER.format(policy="ELBSecurityPolicy-TLS13-1-2-2021-06")}

    assert _statuses("removed-origin", base, {"lb.tf": LISTENER.format(policy=after)}, production) == expected
