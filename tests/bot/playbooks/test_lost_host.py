"""Host names that leave a certificate, a route or a published address."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

HOST = "pay.acme.example"
INGRESS_ID, CERTIFICATE_ID = "kubernetes:p/web/ingress/pay", "kubernetes:p/web/certificate/web-tls"
CERTIFICATE = "apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata:\n  name: web-tls\n  namespace: web\nspec:\n  secretName: web-tls\n  dnsNames:\n    - acme.example\n"
INGRESS = (
    "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: pay\n  namespace: web\nspec:\n  tls:\n    - hosts: [pay.acme.example]\n"
    "      secretName: web-tls\n  rules:\n    - host: www.acme.example\n"
)
RULE = "    - host: pay.acme.example\n"


def a_cluster(
    rate: float | list[float] | None, *, hosts: tuple[str, ...] = (HOST,), is_by_host: bool = True, is_tied: bool = True
) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    secret = {"tls_secret": "web-tls"} if is_tied else {}
    ingress = production.resource(
        INGRESS_ID, "kubernetes.ingress", "pay", is_deployed=True, cluster="p", namespace="web", hosts=list(hosts), **secret
    )
    certificate = production.resource(
        CERTIFICATE_ID, "kubernetes.certificate", "web-tls", is_deployed=True, cluster="p", namespace="web"
    )
    if is_tied:
        production.edge(ingress, certificate, "reads_from")
    if rate is not None:
        name = f"nginx_requests_per_second{{host={HOST}}}" if is_by_host else "nginx_requests_per_second"
        production.metric(ingress, name, "Count/Second", rate)
    return production


def _statuses(base: dict[str, str], head: dict[str, str | None], production: MemoryProduction | None) -> list[Status]:
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "lost-host"]


def _without_the_name(production: MemoryProduction | None, kept: str = "") -> list[Status]:
    base = {"c.yaml": CERTIFICATE + kept + f"    - {HOST}\n"}
    return _statuses(base, {"c.yaml": CERTIFICATE + kept}, production)


@pytest.mark.parametrize(
    ("production", "expected"),
    [
        (a_cluster(20.0), [Status.CONFIRMED]),
        (a_cluster(20.0, is_by_host=False), [Status.CONFIRMED]),
        (a_cluster(0.0), [Status.REFUTED]),
        (a_cluster([5.0] * 288 + [0.0] * 288), [Status.PLAUSIBLE]),
        (a_cluster(None), [Status.PLAUSIBLE]),
        (a_cluster(20.0, hosts=(HOST, "www.acme.example"), is_by_host=False), [Status.PLAUSIBLE]),
        (a_cluster(None, hosts=("www.acme.example",)), [Status.REFUTED]),
        (a_cluster(20.0, is_tied=False), [Status.PLAUSIBLE]),
        (None, []),
    ],
)
def test_a_name_that_leaves_a_certificate_is_held_against_who_comes_for_it(
    production: MemoryProduction | None, expected: list[Status]
) -> None:
    assert _without_the_name(production) == expected


def test_a_wildcard_that_stays_covers_one_label() -> None:
    assert _without_the_name(a_cluster(20.0), '    - "*.acme.example"\n') == [Status.REFUTED]
    assert _without_the_name(a_cluster(20.0), '    - "*.eu.acme.example"\n') == [Status.CONFIRMED]


def test_access_lines_stand_in_where_no_series_counts_the_host() -> None:
    production = a_cluster(None)
    production.log(INGRESS_ID, '10.0.0.9 "POST https://pay.acme.example/in HTTP/1.1" 202 27ms')

    assert _without_the_name(production) == [Status.CONFIRMED]


def test_the_lines_of_another_host_do_not_count() -> None:
    production = a_cluster(None)
    production.log(INGRESS_ID, '10.0.0.9 "POST https://old.pay.acme.example/in HTTP/1.1" 202 27ms')

    assert _without_the_name(production) == [Status.PLAUSIBLE]


def test_a_name_that_moves_to_another_place_of_the_list_is_silent() -> None:
    base = {"c.yaml": CERTIFICATE + f"    - {HOST}\n    - www.acme.example\n"}

    assert _statuses(base, {"c.yaml": CERTIFICATE + f"    - www.acme.example\n    - {HOST}\n"}, a_cluster(20.0)) == []


@pytest.mark.parametrize(("rate", "expected"), [(9.0, Status.CONFIRMED), (0.0, Status.REFUTED)])
def test_a_host_that_leaves_the_rules_of_an_ingress(rate: float, expected: Status) -> None:
    production = a_cluster(rate, hosts=(HOST, "www.acme.example"))

    assert _statuses({"i.yaml": INGRESS + RULE}, {"i.yaml": INGRESS}, production) == [expected]


def test_a_host_that_moves_to_another_route_is_not_a_loss() -> None:
    route = "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: pay, namespace: web}\nspec:\n  hostnames: [pay.acme.example]\n"

    found = _statuses({"i.yaml": INGRESS + RULE}, {"i.yaml": INGRESS, "r.yaml": route}, a_cluster(9.0, hosts=(HOST, "a.example")))

    assert Status.CONFIRMED not in found


ACM = 'resource "aws_acm_certificate" "web" {\n  domain_name = "acme.example"\n  subject_alternative_names = [NAMES]\n}\n'
CLOUDFORMATION = "AWSTemplateFormatVersion: '2010-09-09'\nResources:\n  Web:\n    Type: AWS::CertificateManager::Certificate\n    Properties:\n      DomainName: acme.example\n      SubjectAlternativeNames: [NAMES]\n"
PULUMI = 'import * as aws from "@pulumi/aws";\nnew aws.acm.Certificate("web", { domainName: "acme.example", subjectAlternativeNames: [NAMES] });\n'


@pytest.mark.parametrize(("path", "text"), [("m.tf", ACM), ("t.yaml", CLOUDFORMATION), ("index.ts", PULUMI)])
@pytest.mark.parametrize(("rate", "expected"), [(300.0, Status.CONFIRMED), (0.0, Status.REFUTED)])
def test_a_managed_certificate_loses_a_name(path: str, text: str, rate: float, expected: Status) -> None:
    production = MemoryProduction("github:acme/shop")
    balancer = production.resource(
        "arn:aws:elb:e:1:loadbalancer/app/web/1", "aws.elb.loadbalancer", "web", is_deployed=True, hosts=["acme.example", HOST],
    )  # fmt: skip
    kind = "aws.certificatemanager.certificate" if path == "t.yaml" else "aws.acm.certificate"
    certificate = production.resource("arn:aws:acm:e:1:certificate/1", kind, "acme.example", is_deployed=True)
    production.edge(balancer, certificate, "reads_from")
    production.metric(balancer, f"RequestCount{{host={HOST}}}", "Count", rate)
    project = {"Pulumi.yaml": "name: web\nruntime: nodejs\n"}
    base, head = (text.replace("NAMES", names) for names in (f'"{HOST}", "a.acme.example"', '"a.acme.example"'))

    found = _statuses({path: base, **project}, {path: head}, production)

    assert found == [expected]


SERVICE = "apiVersion: v1\nkind: Service\nmetadata:\n  name: edge\n  namespace: web\n  annotations:\n    external-dns.alpha.kubernetes.io/hostname: NAMES\nspec: {type: LoadBalancer}\n"
GATEWAY = (
    "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: edge, namespace: web}\nspec:\n  listeners:\nNAMES"
)
MESH = (
    "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: edge, namespace: web}\nspec:\n  hosts: [NAMES]\n"
)
TRAEFIK = "apiVersion: traefik.io/v1alpha1\nkind: IngressRoute\nmetadata: {name: edge, namespace: web}\nspec:\n  routes:\nNAMES"


@pytest.mark.parametrize(
    ("kind", "text", "both", "one"),
    [
        ("service", SERVICE, f"a.acme.example,{HOST}", "a.acme.example"),
        ("virtualservice", MESH, f"a.acme.example, {HOST}", "a.acme.example"),
        (
            "gateway", GATEWAY, f"    - {{name: a, hostname: a.acme.example}}\n    - {{name: b, hostname: {HOST}}}\n",
            "    - {name: a, hostname: a.acme.example}\n",
        ),
        (
            "ingressroute", TRAEFIK, f"    - match: Host(`a.acme.example`)\n    - match: Host(`{HOST}`) && PathPrefix(`/in`)\n",
            "    - match: Host(`a.acme.example`)\n",
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize(("rate", "expected"), [(12.0, Status.CONFIRMED), (0.0, Status.REFUTED)])
def test_every_kind_of_route_names_its_hosts(kind: str, text: str, both: str, one: str, rate: float, expected: Status) -> None:
    production = MemoryProduction("github:acme/shop")
    edge = production.resource(
        f"kubernetes:p/web/{kind}/edge", f"kubernetes.{kind}", "edge", is_deployed=True, cluster="p", namespace="web"
    )
    production.metric(edge, f"requests_per_second{{authority={HOST}}}", "Count/Second", rate)

    assert _statuses({"e.yaml": text.replace("NAMES", both)}, {"e.yaml": text.replace("NAMES", one)}, production) == [expected]
