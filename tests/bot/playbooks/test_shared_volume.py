"""A topic, stream or index that is kept longer on a volume which it shares with others."""

from typing import Any

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

GIB = 1024.0**3
DAY_MS = 86_400_000

TOPIC = """\
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaTopic
metadata:
  name: clicks
  labels: {strimzi.io/cluster: quay}
spec:
  partitions: 12
  replicas: 3
  config:
    retention.ms: 172800000
"""
TERRAFORM = """\
resource "kafka_topic" "clicks" {
  name               = "clicks"
  replication_factor = 3
  partitions         = 12
  config = {
    "retention.ms" = "172800000"
  }
}
"""
VALUES = "topics:\n  - name: orders\n    config:\n      retention.ms: 3600000\n  - name: clicks\n    config:\n      retention.ms: 172800000\n"
SCRIPT = "kafka-configs.sh --alter --entity-type topics --entity-name clicks --add-config retention.ms=172800000\n"
SPRING = 'TopicBuilder.name("clicks")\n    .config(TopicConfig.RETENTION_MS_CONFIG, "172800000")\n    .build();\n'
GO = 'kafka.TopicConfig{Topic: "clicks", Entries: []Entry{\n\t{ConfigName: "retention.ms", ConfigValue: "172800000"},\n}}\n'
FORMS = {
    "topics/clicks.yaml": TOPIC,
    "kafka/topics.tf": TERRAFORM,
    "values-prod.yaml": VALUES,
    "scripts/topics.sh": SCRIPT,
    "src/main/java/Topics.java": SPRING,
    "cmd/topics/main.go": GO,
}


def _cluster(
    *,
    size: float | None = 40,
    used: float = 60,
    rate: float | None = None,
    label: str = "{broker=0}",
    brokers: int | None = 3,
    capacity: float = 100,
    **topic: Any,
) -> MemoryProduction:
    production = MemoryProduction()
    cluster = production.resource("kubernetes:c/s/kafka/quay", "kubernetes.kafka", "quay", is_deployed=True)
    if brokers is not None:
        cluster = production.resource(cluster, "kubernetes.kafka", "quay", replicas=brokers)
    clicks = production.resource("kafka:topic:clicks", "kafka.topic", "clicks", is_deployed=True, **topic)
    production.resource("kafka:topic:orders", "kafka.topic", "orders", is_deployed=True)
    volume = production.resource("kubernetes:c/s/persistentvolumeclaim/data-0", "kubernetes.persistentvolumeclaim", "data-0")
    production.edge(clicks, cluster, "connects_to")
    production.edge("kafka:topic:orders", cluster, "connects_to")
    production.edge(cluster, volume, "writes_to")
    production.metric(volume, "kubelet_volume_stats_used_bytes", "Bytes", used * GIB)
    production.metric(volume, "kubelet_volume_stats_capacity_bytes", "Bytes", capacity * GIB)
    if size is not None:
        production.metric(clicks, f"kafka_log_log_size{label}", "Bytes", size * GIB)
    if rate is not None:
        production.metric(clicks, f"kafka_server_brokertopicmetrics_bytesin_per_second{label}", "Bytes/Second", rate)
    return production


def _statuses(base: dict[str, str], head: dict[str, str], production: MemoryProduction) -> list[Status]:
    said = evaluation_of(base, head, production)
    return [e.status for e in said.ledger if e.trajectory.playbook == "full-volume"]


def _of_form(path: str, days: float, production: MemoryProduction) -> list[Status]:
    text = FORMS[path]
    return _statuses({path: text}, {path: text.replace("172800000", f"{days * DAY_MS:.0f}")}, production)


@pytest.mark.parametrize("path", FORMS)
def test_a_topic_of_two_days_that_is_kept_a_week_does_not_fit_beside_the_others(path: str) -> None:
    assert _of_form(path, 7, _cluster()) == [Status.CONFIRMED]


@pytest.mark.parametrize("path", FORMS)
def test_a_small_topic_fits_though_the_volume_is_more_than_half_full(path: str) -> None:
    assert _of_form(path, 7, _cluster(size=2)) == [Status.REFUTED]


def test_near_the_end_of_the_volume_it_is_a_question() -> None:
    assert _of_form("topics/clicks.yaml", 3.6, _cluster(size=40)) == [Status.PLAUSIBLE]


def test_what_comes_in_tells_where_the_size_of_the_topic_was_not_read() -> None:
    assert _of_form("topics/clicks.yaml", 7, _cluster(size=None, rate=200_000)) == [Status.CONFIRMED]
    assert _of_form("topics/clicks.yaml", 7, _cluster(size=None, rate=2_000)) == [Status.REFUTED]


def test_where_neither_size_nor_rate_was_read_the_share_is_a_question() -> None:
    assert _of_form("topics/clicks.yaml", 7, _cluster(size=None)) == [Status.PLAUSIBLE]


def test_a_volume_that_holds_three_times_all_that_is_on_it_refutes_without_the_share() -> None:
    assert _of_form("topics/clicks.yaml", 4, _cluster(size=None, used=20)) == [Status.REFUTED]


def test_a_size_over_all_brokers_is_shared_out() -> None:
    def of_all(brokers: int | None) -> MemoryProduction:
        return _cluster(label="", size=40, used=50, brokers=brokers)

    assert _of_form("topics/clicks.yaml", 4, of_all(3)) == [Status.PLAUSIBLE]
    assert _of_form("topics/clicks.yaml", 20, of_all(3)) == [Status.CONFIRMED]
    assert _of_form("topics/clicks.yaml", 20, of_all(None)) == [Status.PLAUSIBLE]


def test_partitions_of_one_broker_are_added_up() -> None:
    production = _cluster(size=None)
    for partition in range(4):
        production.metric("kafka:topic:clicks", f"kafka_log_log_size{{broker=0,partition={partition}}}", "Bytes", 10 * GIB)

    assert _of_form("topics/clicks.yaml", 7, production) == [Status.CONFIRMED]


def test_a_series_of_the_cluster_may_be_about_the_topic() -> None:
    production = _cluster(size=None)
    production.metric("kubernetes:c/s/kafka/quay", "kafka_log_log_size{topic=clicks,broker=0}", "Bytes", 40 * GIB)
    production.metric("kubernetes:c/s/kafka/quay", "kafka_log_log_size{topic=orders,broker=0}", "Bytes", 1 * GIB)

    assert _of_form("topics/clicks.yaml", 7, production) == [Status.CONFIRMED]


def test_a_live_bound_in_bytes_keeps_the_topic_from_filling_it() -> None:
    assert _of_form("topics/clicks.yaml", 7, _cluster(retention_bytes=2**30)) == []
    assert _of_form("topics/clicks.yaml", 7, _cluster(retention_bytes=-1)) == [Status.CONFIRMED]


def test_a_bound_of_another_topic_is_none_of_this_one() -> None:
    other = {
        "topics/orders.yaml": TOPIC.replace("clicks", "orders").replace("retention.ms: 172800000", "retention.bytes: 1073741824")
    }
    head = {"topics/clicks.yaml": TOPIC.replace("172800000", str(7 * DAY_MS)), **other}

    assert _statuses({"topics/clicks.yaml": TOPIC, **other}, head, _cluster()) == [Status.CONFIRMED]


def test_a_compacted_topic_knows_no_time() -> None:
    text = TOPIC + "    cleanup.policy: compact\n"

    assert _statuses({"t.yaml": text}, {"t.yaml": text.replace("172800000", str(7 * DAY_MS))}, _cluster()) == []


def test_a_topic_that_is_still_filling_leaves_the_question() -> None:
    production = _cluster(size=None)
    production.metric("kafka:topic:clicks", "kafka_log_log_size{broker=0}", "Bytes", [v * GIB for v in (10, 20, 30, 40)] * 1)

    assert _of_form("topics/clicks.yaml", 7, production) == [Status.PLAUSIBLE]


def test_a_topic_that_is_kept_for_ever_fills_the_volume_within_a_month_or_leaves_the_question() -> None:
    head = {"t.yaml": TOPIC.replace("172800000", "-1")}

    assert _statuses({"t.yaml": TOPIC}, head, _cluster()) == [Status.CONFIRMED]
    assert _statuses({"t.yaml": TOPIC}, head, _cluster(size=0.1)) == [Status.PLAUSIBLE]


def test_a_volume_that_can_grow_by_itself_leaves_the_question() -> None:
    production = _cluster()
    production.resource(
        "kubernetes:c/s/persistentvolumeclaim/data-0", "kubernetes.persistentvolumeclaim", "data-0", storage_autoscaling=True
    )

    assert _of_form("topics/clicks.yaml", 7, production) == [Status.PLAUSIBLE]


STREAM = "apiVersion: jetstream.nats.io/v1beta2\nkind: Stream\nmetadata: {name: clicks}\nspec:\n  name: clicks\n  maxAge: 48h\n"
POLICY = (
    '{"policy": {"phases": {"hot": {"actions": {}},\n  "delete": {\n    "min_age": "2d",\n    "actions": {"delete": {}}}}}}\n'
)


def _holder(kind: str, name: str, metric: str, size: float) -> MemoryProduction:
    production = MemoryProduction()
    server = production.resource("kubernetes:c/s/statefulset/server", "kubernetes.statefulset", "server", is_deployed=True)
    held = production.resource(f"x:{name}", kind, name, is_deployed=True)
    production.edge(held, server, "depends_on")
    production.metric(server, "disk_used_percent{instance=0}", "Percent", 60)
    production.metric(server, "disk_capacity_bytes", "Bytes", 100 * GIB)
    production.metric(held, metric, "Bytes", size * GIB)
    return production


@pytest.mark.parametrize(("size", "expected"), [(40, Status.CONFIRMED), (2, Status.REFUTED)])
def test_a_stream_and_an_index_are_held_against_their_share(size: float, expected: Status) -> None:
    stream = _holder("nats.stream", "clicks", "jetstream_stream_total_bytes{server=0}", size)
    index = _holder("elasticsearch.index", "clicks", "elasticsearch_index_store_size_bytes{node=0}", size)

    assert _statuses({"s.yaml": STREAM}, {"s.yaml": STREAM.replace("48h", "168h")}, stream) == [expected]
    assert _statuses({"ilm/clicks.json": POLICY}, {"ilm/clicks.json": POLICY.replace('"2d"', '"7d"')}, index) == [expected]
