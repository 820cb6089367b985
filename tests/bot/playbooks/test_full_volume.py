"""Brokers and stores of metrics and logs that keep longer than their volumes have room for."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

GIB = 1024.0**3

MSK = """\
locals {
  retention_hours = 72
}

resource "aws_msk_configuration" "this" {
  name              = "tides"
  server_properties = <<-EOT
    log.retention.hours=${local.retention_hours}
  EOT
}
"""
PROPERTIES = "broker.id=1\nlog.retention.ms=259200000\nlog.segment.bytes=536870912\n"
COMPOSE = "services:\n  kafka:\n    image: confluentinc/cp-kafka:7.6.0\n    environment:\n      KAFKA_LOG_RETENTION_HOURS: 72\n"
ENVIRONMENT = 'env:\n  - name: KAFKA_CFG_LOG_RETENTION_HOURS\n    value: "72"\n'
STRIMZI = "spec:\n  kafka:\n    config:\n      log.retention.hours: 72\n"
FORMS = {
    "msk/locals.tf": (MSK, "= 72", "= %d"),
    "server.properties": (PROPERTIES, "259200000", "%d * 3600000"),
    "compose.prod.yaml": (COMPOSE, "HOURS: 72", "HOURS: %d"),
    "values-prod.yaml": (ENVIRONMENT, '"72"', '"%d"'),
    "kafka.yaml": (STRIMZI, "hours: 72", "hours: %d"),
}


def _cluster(*percent: float, **attributes: object) -> MemoryProduction:
    production = MemoryProduction()
    cluster = production.resource(
        "arn:aws:kafka:eu-west-1:1:cluster/tides/1",
        "aws.msk.cluster",
        "tides",
        is_deployed=True,
        volume_size_gib=500,
        **attributes,
    )  # pyright: ignore[reportArgumentType]
    if percent:
        production.metric(cluster, "KafkaDataLogsDiskUsed", "Percent", list(percent) * 100)
    return production


def _statuses(base: dict[str, str], head: dict[str, str], production: MemoryProduction) -> list[Status]:
    said = evaluation_of(base, head, production)  # pyright: ignore[reportArgumentType]
    return [e.status for e in said.ledger if e.trajectory.playbook == "full-volume"]


def _of_form(path: str, hours: int, production: MemoryProduction) -> list[Status]:
    text, old, new = FORMS[path]
    said = new % hours if "*" not in new else str(hours * 3_600_000)
    return _statuses({path: text}, {path: text.replace(old, said)}, production)


@pytest.mark.parametrize("path", FORMS)
def test_a_volume_that_is_half_full_does_not_hold_three_times_as_much(path: str) -> None:
    assert _of_form(path, 240, _cluster(45, 46, 47)) == [Status.CONFIRMED]


@pytest.mark.parametrize("path", FORMS)
def test_a_volume_with_room_refutes_it(path: str) -> None:
    assert _of_form(path, 120, _cluster(11, 12)) == [Status.REFUTED]


def test_near_the_limit_it_is_a_question() -> None:
    assert _of_form("server.properties", 144, _cluster(45, 48)) == [Status.PLAUSIBLE]


def test_it_is_silent_where_nobody_knows_how_full_it_is() -> None:
    assert _of_form("server.properties", 240, _cluster()) == []


def test_a_volume_that_grows_by_itself_leaves_the_question() -> None:
    assert _of_form("server.properties", 240, _cluster(45, 46, storage_autoscaling=True)) == [Status.PLAUSIBLE]


def test_a_volume_that_still_fills_today_leaves_the_question() -> None:
    assert _of_form("server.properties", 240, _cluster(36, 41, 48)) == [Status.PLAUSIBLE]


def test_topics_with_a_retention_of_their_own_leave_the_question() -> None:
    topic = {"topics/a.yaml": "topic: a\nconfig:\n  retention.ms: 86400000\n"}

    assert _statuses(
        {"server.properties": PROPERTIES, **topic},
        {"server.properties": PROPERTIES.replace("259200000", "864000000")},
        _cluster(45, 46),
    ) == [Status.PLAUSIBLE]


def test_a_bound_in_bytes_keeps_it_from_filling() -> None:
    text = PROPERTIES + "log.retention.bytes=107374182400\n"

    assert (
        _statuses({"server.properties": text}, {"server.properties": text.replace("259200000", "864000000")}, _cluster(45, 46))
        == []
    )


def test_a_bigger_volume_in_the_same_change_refutes_it() -> None:
    text = "retention_hours = 72\nvolume_gib = 500\n"

    assert _statuses({"a.tfvars": text}, {"a.tfvars": text.replace("72", "144").replace("500", "2000")}, _cluster(45, 46)) == [
        Status.REFUTED
    ]


def test_keeping_shorter_fills_nothing() -> None:
    assert _of_form("server.properties", 24, _cluster(45, 46)) == []


PROMETHEUS = """\
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: prometheus
  namespace: watch
spec:
  template:
    spec:
      containers:
        - name: prometheus
          image: prom/prometheus:v2.52.0
          args:
            - --storage.tsdb.path=/data
            - --storage.tsdb.retention.time=15d
"""


@pytest.mark.parametrize(
    ("metric", "unit", "value", "expected"),
    [
        ("kubelet_volume_stats_used_bytes", "Bytes", 60 * GIB, Status.CONFIRMED),
        ("kubelet_volume_stats_used_bytes", "Bytes", 12 * GIB, Status.REFUTED),
        ("kubelet_volume_stats_available_bytes", "Bytes", 40 * GIB, Status.CONFIRMED),
        ("volume_used_percent", "Percent", 60, Status.CONFIRMED),
        ("prometheus_tsdb_storage_blocks_bytes", "Bytes", 60 * GIB, Status.CONFIRMED),
    ],
)
def test_prometheus_is_held_against_its_claim(metric: str, unit: str, value: float, expected: Status) -> None:
    production = MemoryProduction()
    server = production.resource(
        "kubernetes:c/watch/statefulset/prometheus", "kubernetes.statefulset", "prometheus", is_deployed=True
    )
    volume = production.resource("kubernetes:c/watch/persistentvolumeclaim/data", "kubernetes.persistentvolumeclaim", "data")
    production.edge(server, volume, "depends_on")
    production.metric(volume, metric, unit, value)
    production.metric(volume, "kubelet_volume_stats_capacity_bytes", "Bytes", 100 * GIB)
    head = {"prometheus.yaml": PROMETHEUS.replace("15d", "45d")}

    assert _statuses({"prometheus.yaml": PROMETHEUS}, head, production) == [expected]


def test_loki_keeps_longer() -> None:
    production = MemoryProduction()
    loki = production.resource("kubernetes:c/watch/statefulset/loki", "kubernetes.statefulset", "loki", is_deployed=True)
    production.metric(loki, "disk_used_percent", "Percent", 60)
    text = "limits_config:\n  retention_period: 360h\n"

    assert _statuses({"loki/values.yaml": text}, {"loki/values.yaml": text.replace("360h", "720h")}, production) == [
        Status.CONFIRMED
    ]


def test_days_of_a_log_group_are_not_those_of_the_broker_beside_it() -> None:
    text = 'variable "log_retention_days" {\n  default = 7\n}\n'

    assert _statuses({"vars.tf": text}, {"vars.tf": text.replace("= 7", "= 30")}, _cluster(45, 46)) == []


def test_a_variable_that_only_a_log_group_takes_is_not_that_of_the_broker() -> None:
    text = "retention_hours = 72\n"
    group = {"logs.tf": 'resource "aws_cloudwatch_log_group" "a" {\n  retention_in_days = var.retention_hours / 24\n}\n'}

    assert _statuses({"a.tfvars": text, **group}, {"a.tfvars": text.replace("72", "240")}, _cluster(45, 46)) == []
