"""How long a call takes is read wherever it is measured: by the caller or the callee, as a metric or in log lines."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

BOARD = "kubernetes:ops/dispatch/deployment/dispatch-board"
ETA = "kubernetes:ops/routing/deployment/eta-engine"
YAML = "server:\n  port: 8080\neta:\n  base-url: http://eta-engine.routing.svc:8080\n  call-timeout: {}\n  max-idle-connections: 20\n"
CLIENT = """class EtaClient(props: EtaProperties) {
    private val http = OkHttpClient.Builder().callTimeout(props.callTimeout).build()
    fun minutes(truck: String) = http.newCall(Request.Builder().url("${props.baseUrl}/v2/eta?truck=$truck").build()).execute()
}
"""


def a_production(*metrics, lines=(), others=()):
    """The board calls the engine (and others); `metrics` are resource, name, unit and value."""
    production = MemoryProduction("github:acme/board")
    production.resource(BOARD, "kubernetes.deployment", "dispatch-board", is_deployed=True, replicas=4)
    production.resource(ETA, "kubernetes.deployment", "eta-engine", replicas=9)
    production.edge(BOARD, ETA, "invokes")
    for name in others:
        production.resource(f"kubernetes:ops/x/deployment/{name}", "kubernetes.deployment", name)
        production.edge(BOARD, f"kubernetes:ops/x/deployment/{name}", "invokes")
    for resource, name, unit, value in metrics:
        production.metric(resource, name, unit, value)
    for resource, line, times in lines:
        production.log(resource, *[line] * times)
    return production


def told(production, old="4s", new="800ms", yaml=YAML):
    base = {"src/main/resources/application.yaml": yaml.format(old), "src/main/kotlin/EtaClient.kt": CLIENT}
    evaluation = evaluation_of(base, {"src/main/resources/application.yaml": yaml.format(new)}, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "time-out"]


MEASURED = [
    (BOARD, "http_client_requests_seconds.{}{{client_name=eta-engine}}", "Seconds", 1),
    (BOARD, "http_client_requests_seconds.{}{{clientName=eta-engine.routing.svc}}", "Seconds", 1),
    (BOARD, "http.client.request.duration.{}{{server.address=eta-engine.routing.svc.cluster.local}}", "Seconds", 1),
    (BOARD, "grpc_client_handling_seconds.{}{{grpc_service=EtaEngine}}", "Seconds", 1),
    (BOARD, "istio_request_duration_milliseconds.{}{{destination_service_name=eta-engine}}", "Milliseconds", 1000),
    (BOARD, "okhttp_requests_seconds.{}{{target_host=eta-engine.routing.svc}}", "Seconds", 1),
    (BOARD, "outbound_http_ms.{}{{peer=eta-engine}}", "Milliseconds", 1000),
    (BOARD, "envoy_cluster_upstream_rq_time.{}{{envoy_cluster_name=eta-engine}}", "Milliseconds", 1000),
    (BOARD, "eta_engine_call_seconds.{}", "Seconds", 1),
    (BOARD, "eta_client_latency_ms.{}", "Milliseconds", 1000),
    (ETA, "http_server_requests_seconds.{}", "Seconds", 1),
    (ETA, "http_server_requests_seconds.{}{{uri=/v2/eta}}", "Seconds", 1),
    (ETA, "request_latency_ms.{}", "Milliseconds", 1000),
    (ETA, "rpc.server.duration.{}", "Milliseconds", 1000),
    (ETA, "TargetResponseTime.{}", "Seconds", 1),
]


@pytest.mark.parametrize(("resource", "name", "unit", "factor"), MEASURED, ids=[m[1] for m in MEASURED])
def test_a_limit_below_the_slowest_twentieth_is_confirmed_wherever_that_is_measured(resource, name, unit, factor) -> None:
    production = a_production(
        (resource, name.format("p50"), unit, 0.3 * factor), (resource, name.format("p95"), unit, 0.97 * factor)
    )

    assert told(production) == ["confirmed"]


@pytest.mark.parametrize(("resource", "name", "unit", "factor"), MEASURED, ids=[m[1] for m in MEASURED])
def test_a_limit_far_above_the_slowest_call_is_refuted_wherever_that_is_measured(resource, name, unit, factor) -> None:
    production = a_production(
        (resource, name.format("p95"), unit, 0.07 * factor), (resource, name.format("p99"), unit, 0.12 * factor)
    )

    assert told(production) == ["refuted"]


def test_what_the_caller_measures_goes_before_what_the_callee_does() -> None:
    production = a_production(
        (BOARD, "http_client_requests_seconds.p95{client_name=eta-engine}", "Seconds", 0.97),
        (ETA, "http_server_requests_seconds.p95", "Seconds", 0.1),
    )

    assert told(production) == ["confirmed"]


def test_calls_to_another_service_say_nothing() -> None:
    production = a_production(
        (BOARD, "http_client_requests_seconds.p95{client_name=geocoder}", "Seconds", 0.97), others=("geocoder",)
    )

    assert told(production) == ["plausible"]


def test_a_pool_that_is_waited_for_is_no_call() -> None:
    assert told(a_production((BOARD, "hikaricp_connections_acquire_seconds.p95", "Seconds", 3.0))) == ["plausible"]


LINES = [
    (ETA, "GET /v2/eta 200 {}ms"),
    (ETA, '{{"method":"GET","path":"/v2/eta","status":200,"duration_ms":{}}}'),
    (ETA, "handled /v2/eta in {} ms"),
    (ETA, "method=GET path=/v2/eta status=200 latency={}ms"),
    (BOARD, "eta-engine answered 200 in {} ms"),
    (BOARD, '{{"msg":"outgoing call","target":"eta-engine","status":200,"elapsed_ms":{}}}'),
    (BOARD, "--> GET http://eta-engine.routing.svc:8080/v2/eta 200 ({} ms)"),
]


@pytest.mark.parametrize(("resource", "line"), LINES)
def test_log_lines_that_tell_the_time_of_each_call_are_read(resource, line) -> None:
    slow = a_production(lines=[(resource, line.format(310), 90), (resource, line.format(1210), 10)])
    quick = a_production(lines=[(resource, line.format(41), 90), (resource, line.format(210), 10)])

    assert told(slow) == ["confirmed"]
    assert told(quick) == ["refuted"]


def test_lines_that_only_slow_calls_write_confirm_nothing() -> None:
    line = "slow call to eta-engine: 200 in 1210 ms"

    assert told(a_production(lines=[(BOARD, line, 80)])) == ["plausible"]


def test_a_handful_of_lines_confirms_nothing() -> None:
    assert told(a_production(lines=[(ETA, "GET /v2/eta 200 310ms", 9), (ETA, "GET /v2/eta 200 1210ms", 1)])) == ["plausible"]


FORMS = [
    ("app/eta.py", 'r = httpx.get("http://eta-engine:8080/v2/eta", timeout={})\n', "4.0", "0.8"),
    ("app/eta.py", "stub.Get(request, timeout={})  # http://eta-engine:50051\n", "4", "0.8"),
    ("src/eta.ts", "const eta = axios.create({{ baseURL: 'http://eta-engine:8080', timeout: {} }});\n", "4000", "800"),
    ("internal/eta.go", 'package eta\n\nfunc Get(ctx context.Context) {{\n\tctx, cancel := context.WithTimeout(ctx, {})\n\tdefer cancel()\n\thttp.Get("http://eta-engine:8080/v2/eta")\n}}\n', "4*time.Second", "800*time.Millisecond"),
    ("src/Eta.cs", 'var client = new HttpClient {{ BaseAddress = new Uri("http://eta-engine:8080"), Timeout = TimeSpan.FromMilliseconds({}) }};\n', "4000", "800"),
    ("src/eta.rs", 'let client = reqwest::Client::builder().timeout(Duration::from_millis({})).build()?;\nlet url = "http://eta-engine:8080";\n', "4000", "800"),
    ("app/eta.php", "<?php\n$eta = new GuzzleHttp\\Client(['base_uri' => 'http://eta-engine:8080', 'timeout' => {}]);\n", "4.0", "0.8"),
    ("lib/eta.rb", 'conn = Faraday.new(url: "http://eta-engine:8080", request: {{ timeout: {} }})\n', "4", "0.8"),
    ("src/Eta.java", 'class Eta {{\n  EtaGrpc.EtaBlockingStub stub = EtaGrpc.newBlockingStub(channel("eta-engine")).withDeadlineAfter({}, TimeUnit.MILLISECONDS);\n}}\n', "4000", "800"),
    ("src/main/resources/application.properties", "eta.base-url=http://eta-engine:8080\neta.read-timeout={}\n", "4000", "800"),
    ("config.toml", '[eta]\nurl = "http://eta-engine:8080"\ntimeout_ms = {}\n', "4000", "800"),
    ("deploy/board.yaml", 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: dispatch-board, namespace: dispatch}}\nspec:\n  template:\n    spec:\n      containers:\n        - name: app\n          env:\n            - {{name: ETA_ENGINE_TIMEOUT_MS, value: "{}"}}\n', "4000", "800"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "old", "new"), FORMS, ids=[f"{f[0]}-{n}" for n, f in enumerate(FORMS)])
def test_the_time_out_is_read_in_any_client(path, text, old, new) -> None:
    slow = a_production((BOARD, "http_client_requests_seconds.p95{client_name=eta-engine}", "Seconds", 0.97))
    evaluation = evaluation_of({path: text.format(old)}, {path: text.format(new)}, slow)

    assert [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "time-out"] == ["confirmed"]


def test_lines_of_other_routes_of_the_callee_say_nothing() -> None:
    slow_reports = [(ETA, "GET /v2/eta 200 120ms", 50), (ETA, "GET /v1/reports 200 2900ms", 50)]
    unknown = [(ETA, "GET /v1/trips 200 120ms", 50), (ETA, "GET /v1/reports 200 2900ms", 50)]

    assert told(a_production(lines=slow_reports)) == ["refuted"]
    assert told(a_production(lines=unknown)) == ["plausible"]
