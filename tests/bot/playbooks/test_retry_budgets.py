"""Attempts of proxies and meshes: where they go stands beside them, and a budget bounds what they add."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "retries"]


def a_mesh(*, cpu=None, errors=None, others=("orders",)):
    production = MemoryProduction("github:acme/mesh")
    board = production.resource("kubernetes:p/menu/deployment/board", "kubernetes.deployment", "board", is_deployed=True)
    menu = production.resource("kubernetes:p/menu/deployment/menu-api", "kubernetes.deployment", "menu-api")
    production.edge(board, menu, "invokes")
    for other in others:
        production.edge(
            board, production.resource(f"kubernetes:p/menu/deployment/{other}", "kubernetes.deployment", other), "invokes"
        )
    production.metric(board, "http_requests_per_second", "Count/Second", 100.0)
    if cpu is not None:
        production.metric(menu, "cpu_utilization", "Percent", cpu)
    if errors is not None:
        production.metric(menu, "http_error_ratio", "Percent", errors)
    return production


ENVOY = """static_resources:
  listeners:
    - name: egress
      route_config:
        virtual_hosts:
          - name: all
            routes:
              - route:
                  cluster: menu
                  retry_policy: {{retry_on: 5xx, num_retries: {}{}}}
  clusters:
    - name: orders
      load_assignment: {{endpoints: [{{endpoint: {{address: {{socket_address: {{address: orders.menu.svc, port_value: 80}}}}}}}}]}}
    - name: menu
      load_assignment: {{endpoints: [{{endpoint: {{address: {{socket_address: {{address: menu-api.menu.svc, port_value: 80}}}}}}}}]}}
{}"""
BUDGET = "      circuit_breakers: {thresholds: [{retry_budget: {budget_percent: {value: 10}, min_retry_concurrency: 3}}]}\n"
ISTIO = (
    "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {{name: menu, namespace: menu}}\nspec:\n  hosts: [menu-api.menu.svc.cluster.local]\n"
    "  http:\n    - route: [{{destination: {{host: menu-api}}}}]\n      retries: {{attempts: {}, perTryTimeout: 2s}}\n"
)
GRPC = '{{"methodConfig": [{{"name": [{{"service": "menu-api"}}], "retryPolicy": {{"maxAttempts": {}, "initialBackoff": "0.1s", "backoffMultiplier": 1}}}}]{}}}\n'
THROTTLED = ', "retryThrottling": {"maxTokens": 10, "tokenRatio": 0.1}'
NGINX = "http {{\n  server {{\n    location / {{\n      proxy_pass http://menu-api;\n      proxy_next_upstream_tries {};\n    }}\n  }}\n}}\n"
PROFILE = {
    "profile.yaml": "apiVersion: linkerd.io/v1alpha2\nkind: ServiceProfile\nmetadata: {name: menu-api.menu.svc.cluster.local, namespace: menu}\n"
    "spec:\n  retryBudget: {retryRatio: 0.1, minRetriesPerSecond: 10, ttl: 10s}\n"
}
SITES = {
    "envoy": ("envoy.yaml", lambda n: ENVOY.format(n, "", "")),
    "istio": ("vs.yaml", ISTIO.format),
    "grpc": ("service_config.json", lambda n: GRPC.format(n, "")),
    "nginx": ("nginx.conf", NGINX.format),
}
BOUNDED = {
    "envoy": ("envoy.yaml", lambda n: ENVOY.format(n, "", BUDGET), {}),
    "grpc": ("service_config.json", lambda n: GRPC.format(n, THROTTLED), {}),
    "linkerd": ("config/retry.yaml", "retry:\n  menu:\n    host: menu-api\n    attempts: {}\n".format, PROFILE),
}


@pytest.mark.parametrize(("path", "text"), SITES.values(), ids=SITES)
def test_the_service_beside_the_attempts_is_the_one_they_go_to(path, text) -> None:
    assert told(evaluation_of({path: text(2)}, {path: text(4)}, a_mesh(cpu=20.0, errors=0.01))) == ["refuted"]
    assert told(evaluation_of({path: text(2)}, {path: text(6)}, a_mesh())) == ["plausible"]


@pytest.mark.parametrize(("path", "text", "more"), BOUNDED.values(), ids=BOUNDED)
def test_a_budget_bounds_what_attempts_add_to_a_busy_service(path, text, more) -> None:
    files = {path: text(2), **more}

    assert told(evaluation_of(files, {path: text(6)}, a_mesh(cpu=85.0, errors=2.0))) == ["refuted"]
    assert told(evaluation_of(files, {path: text(6)}, a_mesh(cpu=96.0, errors=2.0))) == ["plausible"]


def test_the_budget_of_another_cluster_bounds_nothing() -> None:
    text = ENVOY.format("{}", "", "").replace("    - name: menu\n", BUDGET + "    - name: menu\n")

    assert told(
        evaluation_of(
            {"envoy.yaml": text.replace("{}", "2")}, {"envoy.yaml": text.replace("{}", "6")}, a_mesh(cpu=85.0, errors=2.0)
        )
    ) != ["refuted"]


def test_attempts_of_envoy_with_a_back_off_to_a_service_that_never_fails_are_refuted() -> None:
    path, pause = "envoy.yaml", ", retry_back_off: {base_interval: 0.05s, max_interval: 1s}"
    before, after = ENVOY.format(1, "", ""), ENVOY.format(5, pause, "")

    assert told(evaluation_of({path: before}, {path: after}, a_mesh(cpu=60.0, errors=0.0))) == ["refuted"]
