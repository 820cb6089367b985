"""A metric that code exports under another name, or no more, while an autoscaler or an alarm still reads the old one."""

from collections.abc import Mapping
from typing import Any

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

HPA = """\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: mixer, namespace: media}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: mixer}
  minReplicas: 2
  maxReplicas: 40
  metrics:
    - type: Pods
      pods:
        metric: {name: songs_waiting}
        target: {type: AverageValue, averageValue: "5"}
"""
GO = 'package m\n\nvar w = prometheus.NewGauge(prometheus.GaugeOpts{\n\tName: "songs_waiting",\n\tHelp: "Songs that wait.",\n})\n'
GO_PARTS = 'package m\n\nvar w = promauto.NewGauge(prometheus.GaugeOpts{\n\tNamespace: "songs",\n\tName:      "waiting",\n\tHelp: "x",\n})\n'
PYTHON = 'from prometheus_client import Gauge\n\nWAITING = Gauge("songs_waiting", "Songs that wait.")\n'
PYTHON_PARTS = 'WAITING = Gauge(\n    name="waiting",\n    documentation="x",\n    namespace="songs",\n)\n'
MICROMETER = 'class M {\n  Gauge g = Gauge.builder("songs.waiting", q, Queue::size)\n    .register(registry);\n}\n'
KOTLIN = 'val waiting = registry.gauge("songs.waiting", AtomicInteger(0))\n'
NODE = 'const waiting = new client.Gauge({\n  name: "songs_waiting",\n  help: "x",\n});\n'
OTEL = 'const waiting = meter.createObservableGauge("songs.waiting");\n'
RUBY = 'WAITING = Prometheus::Client::Gauge.new(:songs_waiting, docstring: "x")\n'
RUST = 'let w = register_int_gauge!("songs_waiting", "x").unwrap();\n'
CSHARP = 'static readonly Gauge W = Metrics.CreateGauge("songs_waiting", "x");\n'
STATSD = 'statsd.gauge("songs.waiting", len(queue))\n'
CONSTANT = 'package m\n\nconst waitingName = "songs_waiting"\n'
FORMS = {
    "m/metrics.go": (GO, "songs_waiting", "songs_pending"),
    "m/parts.go": (GO_PARTS, '"waiting"', '"pending"'),
    "m/space.go": (GO_PARTS, '"songs"', '"mixer"'),
    "m/metrics.py": (PYTHON, "songs_waiting", "songs_pending"),
    "m/parts.py": (PYTHON_PARTS, '"songs"', '"mixer"'),
    "src/main/java/M.java": (MICROMETER, "songs.waiting", "songs.pending"),
    "src/main/kotlin/M.kt": (KOTLIN, "songs.waiting", "songs.pending"),
    "src/metrics.ts": (NODE, "songs_waiting", "songs_pending"),
    "src/otel.js": (OTEL, "songs.waiting", "songs.pending"),
    "lib/metrics.rb": (RUBY, "songs_waiting", "songs_pending"),
    "src/metrics.rs": (RUST, "songs_waiting", "songs_pending"),
    "Metrics.cs": (CSHARP, "songs_waiting", "songs_pending"),
    "m/statsd.py": (STATSD, "songs.waiting", "songs.pending"),
    "m/names.go": (CONSTANT, "songs_waiting", "songs_pending"),
    "m/gone.py": (PYTHON, 'WAITING = Gauge("songs_waiting", "Songs that wait.")\n', ""),
}
EVERY_DAY = [2.0] * 144 + [9.0] * 72 + [20.0] * 48 + [8.0] * 24


def _scaled(
    replicas: list[float] | None = None, *, kind: str = "kubernetes.horizontalpodautoscaler", **attributes: Any
) -> MemoryProduction:
    production = MemoryProduction()
    worker = production.resource("kubernetes:c/media/deployment/mixer", "kubernetes.deployment", "mixer", is_deployed=True)
    found = attributes or {"metrics": [{"type": "Pods", "name": "songs_waiting", "target_average_value": 5}]}
    scaler = production.resource(f"kubernetes:c/media/{kind[11:]}/mixer", kind, "mixer", min_replicas=2, max_replicas=40, **found)
    production.edge(scaler, worker, "triggers")
    production.metric(worker, "songs_waiting", "Count", [30.0, 90.0] * 400)
    values = replicas if replicas is not None else EVERY_DAY * 7
    if values:
        production.metric(scaler, "kube_horizontalpodautoscaler_status_current_replicas", "Count", values)
    return production


def _statuses(base: dict[str, str], head: Mapping[str, str | None], production: MemoryProduction) -> list[Status]:
    said = evaluation_of(base, head, production)
    return [e.status for e in said.ledger if e.trajectory.playbook == "lost-metric"]


def _renamed(path: str, production: MemoryProduction, **more: str) -> list[Status]:
    text, old, new = FORMS[path]
    files = {name.replace("__", "/"): content for name, content in more.items()}
    return _statuses({path: text, **files}, {path: text.replace(old, new), **files}, production)


@pytest.mark.parametrize("path", FORMS)
def test_an_autoscaler_that_reads_the_old_name_stays_where_it_is(path: str) -> None:
    assert _renamed(path, _scaled()) == [Status.CONFIRMED]


@pytest.mark.parametrize("path", ["m/metrics.go", "m/metrics.py", "src/main/java/M.java"])
def test_it_is_the_same_where_the_manifest_stands_beside_the_code(path: str) -> None:
    text, old, new = FORMS[path]

    assert _statuses({path: text, "hpa.yaml": HPA}, {path: text.replace(old, new), "hpa.yaml": HPA}, _scaled()) == [
        Status.CONFIRMED
    ]


@pytest.mark.parametrize("path", ["m/metrics.go", "m/metrics.py", "src/metrics.ts"])
def test_an_autoscaler_that_follows_in_the_same_change_refutes_it(path: str) -> None:
    text, old, new = FORMS[path]
    head = {path: text.replace(old, new), "hpa.yaml": HPA.replace(old, new)}

    assert _statuses({path: text, "hpa.yaml": HPA}, head, _scaled()) == [Status.REFUTED]


def test_an_autoscaler_that_never_scaled_refutes_it() -> None:
    assert _renamed("m/metrics.go", _scaled([2.0] * 2000)) == [Status.REFUTED]


def test_a_count_that_hardly_moves_leaves_the_question() -> None:
    assert _renamed("m/metrics.go", _scaled([9.0, 10.0] * 1000)) == [Status.PLAUSIBLE]


def test_it_is_a_question_where_nobody_counted_the_copies() -> None:
    assert _renamed("m/metrics.go", _scaled([])) == [Status.PLAUSIBLE]


def test_a_peak_of_one_day_of_the_window_leaves_the_question() -> None:
    assert _renamed("m/metrics.go", _scaled([2.0] * 500 + [20.0] * 20 + [2.0] * 1400)) == [Status.PLAUSIBLE]


def test_another_metric_of_the_autoscaler_still_scales_up() -> None:
    both = [{"type": "Pods", "name": "songs_waiting"}, {"type": "Resource", "name": "cpu", "target_average_utilization": 70}]

    assert _renamed("m/metrics.go", _scaled(metrics=both)) == [Status.PLAUSIBLE]


def test_both_names_side_by_side_are_silent() -> None:
    head = {"m/metrics.go": GO + GO.replace("var w", "var v").replace("songs_waiting", "songs_pending")}

    assert _statuses({"m/metrics.go": GO}, head, _scaled()) == []
    moved = {"m/other.go": GO, "m/metrics.go": GO.replace("songs_waiting", "songs_pending")}
    assert _statuses({"m/metrics.go": GO}, moved, _scaled()) == []


def test_a_metric_that_nothing_reads_is_silent() -> None:
    assert _renamed("m/metrics.go", _scaled(metrics=[{"type": "Pods", "name": "songs_waiting_long"}])) == []


def test_a_test_or_a_document_exports_nothing() -> None:
    text, old, new = FORMS["m/metrics.go"]

    for path in ("m/metrics_test.go", "docs/metrics.md"):
        assert _statuses({path: text}, {path: text.replace(old, new)}, _scaled()) == []


@pytest.mark.parametrize(
    "attributes",
    [
        {"metrics": [{"type": "Pods", "pods": {"metric": {"name": "songs_waiting"}, "target": {"averageValue": "5"}}}]},
        {"metrics": [{"type": "External", "external": {"metric": {"name": "prometheus.googleapis.com|songs_waiting|gauge"}}}]},
        {"metrics": ["songs_waiting"]},
        {"triggers": [{"type": "prometheus", "metadata": {"query": "sum(songs_waiting{app='mixer'})", "threshold": "5"}}]},
        {"trigger_query": "max(max_over_time(songs_waiting[2m]))"},
    ],
)
def test_the_name_is_found_however_the_autoscaler_spells_it(attributes: dict[str, Any]) -> None:
    assert _renamed("m/metrics.go", _scaled(**attributes)) == [Status.CONFIRMED]


@pytest.mark.parametrize(("read", "expected"), [("songs_done_total", 1), ("songs_done", 1), ("songs_done_seconds_sum", 1), ("songs_done_per_second", 1), ("songs_done_by_user", 0)])  # fmt: skip
def test_suffixes_that_exporters_and_adapters_add_are_the_same_metric(read: str, expected: int) -> None:
    text = 'D = Counter("songs_done", "x")\n'
    production = _scaled(metrics=[{"type": "Pods", "name": read}])

    assert len(_statuses({"a.py": text}, {"a.py": text.replace("songs_done", "songs_ok")}, production)) == expected


def test_an_alarm_that_gets_no_data_is_told_and_does_not_block() -> None:
    production = MemoryProduction()
    worker = production.resource("arn:aws:ecs:eu-west-1:1:service/c/mixer", "aws.ecs.service", "mixer", is_deployed=True)
    alarm = production.resource(
        "arn:aws:cloudwatch:eu-west-1:1:alarm:late", "aws.cloudwatch.alarm", "late", metric_name="SongsLate"
    )
    production.edge(alarm, worker, "reads_from")
    production.metric(worker, "SongsLate", "Count", [0.0, 5.0] * 100)
    text = 'cloudwatch.put_metric_data(Namespace="Mixer", MetricData=[{"MetricName": "SongsLate", "Value": 1}])\n'

    assert _statuses({"a.py": text}, {"a.py": text.replace("SongsLate", "LateSongs")}, production) == [Status.PLAUSIBLE]


def test_without_production_the_manifest_leaves_the_question() -> None:
    text, old, new = FORMS["m/metrics.go"]
    said = evaluation_of({"m.go": text, "hpa.yaml": HPA}, {"m.go": text.replace(old, new), "hpa.yaml": HPA})

    assert [e.status for e in said.ledger if e.trajectory.playbook == "lost-metric"] == [Status.PLAUSIBLE]


def test_a_prefix_that_may_make_the_same_name_leaves_the_question() -> None:
    text = FORMS["m/metrics.py"][0]
    head = text.replace('"songs_waiting"', 'PREFIX + "waiting"')

    assert _statuses({"a.py": text}, {"a.py": head}, _scaled()) == [Status.PLAUSIBLE]


def test_a_name_that_libraries_export_leaves_the_question() -> None:
    text = 'R = Counter("http_requests_total", "x")\n'
    production = _scaled(metrics=[{"type": "Pods", "name": "http_requests_per_second"}])

    assert _statuses({"a.py": text}, {"a.py": "instrument(app)\n"}, production) == [Status.PLAUSIBLE]


def test_an_autoscaler_that_goes_in_the_same_change_is_silent() -> None:
    text, old, new = FORMS["m/metrics.go"]

    assert _statuses({"m.go": text, "hpa.yaml": HPA}, {"m.go": text.replace(old, new), "hpa.yaml": None}, _scaled()) == []
