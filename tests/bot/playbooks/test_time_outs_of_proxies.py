"""A proxy gives up on what stands behind it: every proxy's way to write it, every way to have measured it, and for which path."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

FORMS = {
    "nginx": ("conf.d/reports.conf", "upstream reports {{\n    server reports-svc:8080;\n}}\nserver {{\n    location /reports/ {{\n        proxy_pass http://reports;\n        proxy_read_timeout {};\n    }}\n}}\n", "120s", "15s"),
    "fastcgi": ("nginx/site.conf", "server {{\n    location ~ ^/reports/ {{\n        fastcgi_pass reports:9000;\n        fastcgi_read_timeout {};\n    }}\n}}\n", "120", "15"),
    "grpc of nginx": ("nginx/site.conf", "server {{\n    location /reports/ {{\n        grpc_pass grpc://reports:9000;\n        grpc_read_timeout {};\n    }}\n}}\n", "2m", "15s"),
    "envoy": ("envoy.yaml", "static_resources:\n  listeners:\n    - name: l\n      filter_chains:\n        - filters:\n            - name: http\n              typed_config:\n                route_config:\n                  virtual_hosts:\n                    - name: all\n                      routes:\n                        - match: {{prefix: /reports/}}\n                          route: {{cluster: reports, timeout: {}}}\n", "120s", "15s"),
    "haproxy": ("haproxy.cfg", "defaults\n    timeout server 300s\n\nbackend reports\n    timeout server {}\n    server r1 reports:8080 check\n", "120s", "15s"),
    "haproxy in ms": ("haproxy.cfg", "backend reports\n    timeout server {}\n    server r1 reports:8080 check\n", "120000", "15000"),
    "caddy": ("Caddyfile", "example.com {{\n    handle /reports/* {{\n        reverse_proxy reports:8080 {{\n            transport http {{\n                response_header_timeout {}\n            }}\n        }}\n    }}\n}}\n", "2m", "15s"),
    "traefik": ("traefik/dynamic.yml", "http:\n  serversTransports:\n    reports:\n      forwardingTimeouts:\n        responseHeaderTimeout: {}\n  services:\n    reports:\n      loadBalancer:\n        serversTransport: reports\n", "120s", "15s"),
    "kong": ("kong.yml", "_format_version: '3.0'\nservices:\n  - name: reports\n    url: http://reports:8080\n    read_timeout: {}\n    routes:\n      - paths: [/reports/]\n", "120000", "15000"),
    "istio": ("k8s/vs.yaml", "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {{name: edge}}\nspec:\n  hosts: [edge]\n  http:\n    - match: [{{uri: {{prefix: /reports/}}}}]\n      timeout: {}\n      route:\n        - destination: {{host: reports}}\n", "120s", "15s"),
    "ingress-nginx": ("k8s/ing.yaml", 'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: main\n  annotations:\n    nginx.ingress.kubernetes.io/proxy-read-timeout: "{}"\nspec:\n  rules:\n    - http:\n        paths:\n          - path: /reports/\n            backend: {{service: {{name: reports, port: {{number: 80}}}}}}\n', "120", "15"),
    "ingress of haproxy": ("k8s/ing.yaml", "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: main\n  annotations:\n    haproxy.org/timeout-server: {}\nspec:\n  rules:\n    - http:\n        paths:\n          - path: /reports/\n            backend: {{service: {{name: reports, port: {{number: 80}}}}}}\n", "120s", "15s"),
    "gateway api": ("k8s/route.yaml", "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {{name: edge}}\nspec:\n  rules:\n    - matches: [{{path: {{type: PathPrefix, value: /reports/}}}}]\n      timeouts: {{request: {}}}\n      backendRefs: [{{name: reports, port: 80}}]\n", "120s", "15s"),
    "contour": ("k8s/route.yaml", "apiVersion: projectcontour.io/v1\nkind: HTTPProxy\nmetadata: {{name: edge}}\nspec:\n  routes:\n    - conditions: [{{prefix: /reports/}}]\n      timeoutPolicy: {{response: {}}}\n      services: [{{name: reports, port: 80}}]\n", "120s", "15s"),
}  # fmt: skip
EDGE, REPORTS, APP = (f"kubernetes:prod/web/deployment/{n}" for n in ("edge", "reports", "app"))


def an_edge(*series, log=()):
    """The proxy, with a slow and a fast service behind it; series are (resource, metric, unit, value)."""
    production = MemoryProduction("github:acme/edge")
    production.resource(EDGE, "kubernetes.deployment", "edge", is_deployed=True, replicas=4)
    for other in (APP, REPORTS):
        production.resource(other, "kubernetes.deployment", other.rpartition("/")[2])
        production.edge(EDGE, other, "routes_to")
    for resource, metric, unit, value in series:
        production.metric(resource, metric, unit, value)
    for line in log:
        production.log(EDGE, line)
    return production


def told(form, production):
    path, text, old, new = FORMS[form]
    evaluation = evaluation_of({path: text.format(old)}, {path: text.format(new)}, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "time-out"]


SLOW = [
    (REPORTS, "http_request_duration_seconds.p50", "Seconds", 9),
    (REPORTS, "http_request_duration_seconds.p95", "Seconds", 29),
]
FAST = [
    (REPORTS, "http_request_duration_seconds.p95", "Seconds", 1.8),
    (REPORTS, "http_request_duration_seconds.p99", "Seconds", 3.7),
]
SLOW_OTHER = [
    (APP, "http_request_duration_seconds.p95", "Seconds", 29),
    (APP, "http_request_duration_seconds.p99", "Seconds", 54),
]


@pytest.mark.parametrize("form", FORMS)
def test_a_service_that_takes_longer_than_its_proxy_waits_is_cut_off(form) -> None:
    assert told(form, an_edge(*SLOW)) == ["confirmed"]


@pytest.mark.parametrize("form", FORMS)
def test_a_service_that_answers_in_time_is_not_though_another_one_is_slow(form) -> None:
    assert told(form, an_edge(*FAST, *SLOW_OTHER)) == ["refuted"]


@pytest.mark.parametrize("form", FORMS)
def test_without_a_measurement_the_question_stays(form) -> None:
    assert told(form, an_edge()) == ["plausible"]


MEASURES = [
    "upstream_header_seconds.{p}{{location=/reports/}}",
    "nginx_upstream_response_time_seconds.{p}{{location=/reports/}}",
    "upstream_header_time.{p}{{route=GET /reports/{{id}}}}",
    "upstream_response_time.{p}{{upstream=reports}}",
    "envoy_cluster_upstream_rq_time.{p}{{cluster=reports}}",
    "haproxy_backend_response_time_seconds.{p}{{backend=reports}}",
    "traefik_service_request_duration_seconds.{p}{{service=reports@docker}}",
    "kong_upstream_latency_seconds.{p}{{service=reports}}",
    "ttfb_seconds.{p}{{path=/reports/}}",
    "origin_first_byte_seconds.{p}{{host=reports.web.svc}}",
]


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize(("middle", "high", "answer"), [(10, 29, "confirmed"), (0.7, 3.6, "refuted")])
def test_what_the_proxy_measured_of_the_path_or_service_counts(name, middle, high, answer) -> None:
    values = {"p50": middle, "p95": high, "p99": high * 1.5}
    series = [(EDGE, name.format(p=p), "Seconds", v) for p, v in values.items()]
    others = [(EDGE, "upstream_header_seconds.p99{location=/other/}", "Seconds", 54 if answer == "refuted" else 0.1)]

    assert told("nginx", an_edge(*series, *others)) == [answer]


def test_the_time_to_the_first_byte_counts_before_that_of_the_whole_answer() -> None:
    series = [
        (EDGE, "upstream_header_seconds.p99{location=/reports/}", "Seconds", 2),
        (EDGE, "request_time_seconds.p95{location=/reports/}", "Seconds", 60),
    ]

    assert told("nginx", an_edge(*series)) == ["refuted"]


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        ([f"GET /reports/{n} 200 uht={20 + n / 10}" for n in range(30)], "confirmed"),
        ([f"GET /reports/{n} 200 rt={20 + n / 10} ua=x" for n in range(30)], "confirmed"),
        ([f"GET /reports/{n} 200 upstream_response_time=2{n:03}ms" for n in range(30)], "refuted"),
        ([f"GET /reports/{n} 200 uht={n / 10}" for n in range(30)], "refuted"),
        ([f"GET /reports/{n} 200 uht={n / 2}" for n in range(30)], "plausible"),
        ([f"GET /reports/{n} 200 uht={20 + n}" for n in range(5)], "plausible"),
        ([f"GET /other/{n} 200 uht={20 + n}" for n in range(30)], "plausible"),
    ],
)
def test_the_access_log_of_the_proxy_tells_it_too(lines, answer) -> None:
    assert told("nginx", an_edge(log=lines)) == [answer]


def test_a_setting_for_all_routes_is_held_against_each_of_them() -> None:
    text = "http {{\n    proxy_read_timeout {};\n    server {{\n        location /reports/ {{\n            proxy_pass http://reports;\n        }}\n    }}\n}}\n"
    series = [
        (EDGE, f"upstream_header_seconds.p95{{location=/{where}/}}", "Seconds", v) for where, v in (("reports", 29), ("app", 0.1))
    ]
    base, head = ({"nginx/nginx.conf": text.format(v)} for v in ("120s", "15s"))

    evaluation = evaluation_of(base, head, an_edge(*series))

    assert [e.status.value for e in evaluation.ledger] == ["confirmed"]


def test_requests_of_the_path_stand_in_the_exposure() -> None:
    evaluation_ = an_edge(
        *SLOW,
        (EDGE, "http_requests_per_second{location=/reports/}", "Count/Second", 1.7),
        (EDGE, "http_requests_per_second{location=/}", "Count/Second", 900),
    )
    path, text, old, new = FORMS["nginx"]

    (entry,) = evaluation_of({path: text.format(old)}, {path: text.format(new)}, evaluation_).ledger

    assert "1.7 per second" in next(link.claim for link in entry.trajectory.links if link.role.value == "exposure")
