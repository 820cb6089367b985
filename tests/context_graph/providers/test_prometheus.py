"""Series read from a real Prometheus whose content is known sample by sample."""

from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from time import monotonic

import pytest

from context_graph.providers.http_json import JsonApi
from context_graph.providers.labels import selectors_of
from context_graph.providers.prometheus import PrometheusSource
from context_graph.providers.prometheus_queries import MAX_SERIES
from context_graph.telemetry import Answer, Fact, grid, steps_in
from gonogo.context import Series, Window
from gonogo.resource import Resource
from gonogo.word import Json, ResourceId
from scripts.prometheus_server import prometheus_server, server_binaries

END = datetime(2026, 5, 11, 12, tzinfo=UTC)
WINDOW = Window(start=END - timedelta(hours=2), end=END)
SILENT = range(3000, 4200)
"""Seconds after the start in which nothing was scraped."""

RULES = """
groups:
  - name: shop
    rules:
      - {alert: BasketDown, expr: vector(1), labels: {namespace: shop, deployment: basket}}
      - {alert: OtherDown, expr: vector(1), labels: {namespace: shop, deployment: other}}
      - {alert: BasketSlow, expr: vector(1), for: 1h, labels: {namespace: shop, deployment: basket}}
"""


def openmetrics() -> str:
    """Two pods of basket: 10 requests a second each on two routes, one of which restarts; a pod of another deployment."""
    start = int(WINDOW.start.timestamp()) - 1200
    seconds = [s for s in range(0, 7200 + 1200 + 60, 30) if s - 1200 not in SILENT]
    pods = ("basket-7d9f8b6c54-abcde", "basket-7d9f8b6c54-fghij")
    lines = ["# TYPE http_requests counter"]
    for pod in (*pods, "basket-worker-7d9f8b6c54-abcde"):
        for route, rate in (("/v1/items", 9), ("/v1/items/{id}", 1)):
            for s in seconds:
                since = s - 4800 if pod == pods[1] and s >= 4800 else s  # a restart sets the counter to zero
                labels = f'namespace="shop",pod="{pod}",route="{route}"'
                lines.append(f"http_requests_total{{{labels}}} {rate * since} {start + s}")
    lines.append("# TYPE http_request_duration_seconds histogram")
    for bound, share in (("0.1", 0.5), ("0.5", 0.9), ("1.0", 1.0), ("+Inf", 1.0)):
        for s in seconds:
            labels = f'namespace="shop",pod="{pods[0]}",le="{bound}"'
            lines.append(f"http_request_duration_seconds_bucket{{{labels}}} {10 * share * s:g} {start + s}")
    for part, value in (("count", 10.0), ("sum", 2.0)):
        of = f'http_request_duration_seconds_{part}{{namespace="shop",pod="{pods[0]}"}}'
        lines += [f"{of} {value * s:g} {start + s}" for s in seconds]
    lines.append("# TYPE container_memory_working_set_bytes gauge")
    for at, pod in enumerate(pods):
        for s in seconds:
            spike = 500e6 if at == 1 and s == 6030 else 0
            lines.append(
                f'container_memory_working_set_bytes{{namespace="shop",pod="{pod}"}} {(at + 1) * 1e8 + spike:g} {start + s}'
            )
    lines.append("# TYPE kube_deployment_status_replicas_available gauge")
    of = 'kube_deployment_status_replicas_available{namespace="shop",deployment="basket"}'
    lines += [f"{of} 2 {start + s}" for s in seconds]
    for at in range(30):
        lines.append(f"# TYPE many_things_{at:02} gauge")
        lines += [f'many_things_{at:02}{{job="many"}} {s} {start + s}' for s in seconds]
    return "\n".join(lines) + "\n# EOF\n"


@pytest.fixture(scope="module")
def url() -> Generator[str]:
    if server_binaries() is None:
        pytest.skip("no Prometheus binaries; install the package prometheus")
    with prometheus_server(openmetrics(), rules=RULES) as started:
        yield started


def basket(**attributes: Json) -> Resource:
    at = ResourceId("kubernetes:prod/shop/deployment/basket")
    return Resource(id=at, kind="kubernetes.deployment", name="basket", attributes={"namespace": "shop", **attributes})


def ask(source: PrometheusSource, resource: Resource, fact: Fact = Fact.SERIES, window: Window = WINDOW) -> Answer:
    (call,) = source.calls(fact, [resource], window)
    return call.run()


def series_of(url: str, resource: Resource) -> dict[str, Series]:
    return {s.metric: s for s in ask(PrometheusSource(JsonApi(url)), resource).facts}


def test_a_counter_is_a_rate_over_all_replicas_and_a_restart_is_not_a_fall(url: str):
    found = series_of(url, basket())

    requests = found["http_requests_per_second"]
    read = [v for v in requests.values if v is not None]
    assert requests.unit == "Count/Second"
    # the restarted pod loses at most what it counted between two scrapes (30 s of a step of 300 s)
    assert min(read) >= 20 * 0.94
    assert max(read) == pytest.approx(20, rel=1e-6)


def test_a_counter_is_also_split_by_route(url: str):
    found = series_of(url, basket())

    assert found["http_requests_per_second{route=/v1/items}"].values[3] == pytest.approx(18)
    assert found["http_requests_per_second{route=/v1/items/{id}}"].values[3] == pytest.approx(2)


def test_buckets_are_percentiles(url: str):
    found = series_of(url, basket())

    assert found["http_request_duration_seconds.p99"].values[3] == pytest.approx(0.95)
    assert found["http_request_duration_seconds.p50"].values[3] == pytest.approx(0.1)
    assert found["http_request_duration_seconds.p99"].unit == "Seconds"


def test_a_gauge_with_a_limit_of_one_replica_is_the_highest_of_them_and_a_spike_inside_a_step_is_seen(url: str):
    memory = series_of(url, basket())["container_memory_working_set_bytes"]

    assert memory.unit == "Bytes"
    assert memory.values[3] == 2e8
    spike = (6030 - 1200) // 300
    assert memory.values[spike] == 7e8


def test_all_series_lie_on_one_grid_and_a_gap_stays_a_gap(url: str):
    found = series_of(url, basket())

    assert {(s.start, s.step_s, len(s.values)) for s in found.values()} == {(WINDOW.start, 300.0, steps_in(WINDOW))}
    silent = [at for at in range(steps_in(WINDOW)) if at * 300 in range(SILENT.start, SILENT.stop - 300)]
    assert silent == [10, 11, 12]
    for metric in ("http_requests_per_second", "container_memory_working_set_bytes", "http_request_duration_seconds.p99"):
        assert [at for at, v in enumerate(found[metric].values) if v is None and at in silent] == silent
        assert all(v is not None for at, v in enumerate(found[metric].values) if at not in range(9, 15))


def test_objects_of_kubernetes_are_told_by_namespace_and_kind_not_by_a_shared_beginning(url: str):
    worker = basket().model_copy(update={"name": "basket-worker", "id": "kubernetes:prod/shop/deployment/basket-worker"})

    assert series_of(url, basket())["kube_deployment_status_replicas_available"].values[0] == 2
    assert series_of(url, worker)["http_requests_per_second"].values[3] == pytest.approx(10)
    assert series_of(url, basket(namespace="elsewhere")) == {}


def test_sixteen_series_are_read_and_the_rest_is_named(url: str):
    many = Resource(id=ResourceId("fly:app:many"), kind="fly.app", name="many")

    answer = ask(PrometheusSource(JsonApi(url)), many)

    assert len(answer.facts) == MAX_SERIES
    assert "16 series were read; 14 more were not (many_things_16" in answer.gaps[0].why


def test_selectors_of_the_configuration_replace_the_table(url: str):
    other = Resource(id=ResourceId("aws:thing:1"), kind="aws.ec2.instance", name="nothing-like-it")
    source = PrometheusSource(JsonApi(url), selectors={other.id: ['{job="many"}']})

    assert len(ask(source, other).facts) == MAX_SERIES


def test_alerts_that_fire_are_alarms_of_the_resource_they_are_labelled_with(url: str):
    source = PrometheusSource(JsonApi(url))
    window = grid(datetime.now(UTC))
    answer, until = Answer(), monotonic() + 30
    while not answer.facts and monotonic() < until:  # rules are evaluated every second
        answer = ask(source, basket(), Fact.ALARMS, Window(start=window.start, end=datetime.now(UTC)))

    assert [(a.name, a.state) for a in answer.facts] == [("BasketDown", "ALARM")]


def test_labels_are_quoted_and_names_with_signs_of_expressions_are_taken_literally():
    odd = Resource(
        id=ResourceId("x:y:1"), kind="fly.app", name='a"b\\c', attributes={"endpoint": "https://db.example.com:5432/x"}
    )

    selectors = selectors_of(odd, {})

    assert '{job="a\\"b\\\\c"}' in selectors
    assert '{instance=~"db\\\\.example\\\\.com(:[0-9]+)?"}' in selectors


def test_a_team_or_a_repository_has_no_series():
    assert (
        PrometheusSource(JsonApi("http://127.0.0.1:1")).calls(
            Fact.SERIES, [Resource(id=ResourceId("github:acme/shop"), kind="github.repository", name="acme/shop")], WINDOW
        )
        == []
    )
