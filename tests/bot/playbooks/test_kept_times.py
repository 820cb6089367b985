"""Brokers and streams that keep less, however the time is written and the lag is called."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

TOPIC = """\
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaTopic
metadata:
  name: tides
  namespace: sea
  labels:
    strimzi.io/cluster: sea
spec:
  partitions: 6
  config:
    retention.ms: 604800000
"""
TERRAFORM = 'resource "kafka_topic" "tides" {\n  name = "tides"\n  config = {\n    "retention.ms" = "604800000"\n  }\n}\n'
SCRIPT = "#!/bin/sh\nkafka-configs.sh --alter --entity-type topics --entity-name tides --add-config retention.ms=604800000\n"
VALUES = "topics:\n  - name: tides\n    config:\n      retention.ms: 604800000\n"
CODE = 'class Topics {\n  NewTopic tides() {\n    return TopicBuilder.name("tides").config(TopicConfig.RETENTION_MS_CONFIG, "604800000").build();\n  }\n}\n'
FORMS = {
    "topic.yaml": TOPIC,
    "topics.tf": TERRAFORM,
    "scripts/topics.sh": SCRIPT,
    "values-prod.yaml": VALUES,
    "src/main/java/sea/Topics.java": CODE,
}
LAG = "kafka_consumergroup_group_topic_lag_seconds.max{group=%s}"


def _sea(lags: dict[str, float], *, schedule: str | None = None) -> MemoryProduction:
    production = MemoryProduction()
    topic = production.resource("kubernetes:c/sea/kafkatopic/tides", "kubernetes.kafkatopic", "tides", is_deployed=True)
    reader = production.resource("kubernetes:c/sea/cronjob/ledger", "kubernetes.cronjob", "ledger", schedule=schedule)
    production.edge(reader, topic, "reads_from")
    for name, seconds in lags.items():
        production.metric(topic, name, "Seconds", seconds)
    return production


def _status(path: str, production: MemoryProduction, new: str = "21600000") -> list[Status]:
    text = FORMS[path]
    said = evaluation_of({path: text}, {path: text.replace("604800000", new)}, production)
    return [e.status for e in said.ledger if e.trajectory.playbook == "retention"]


@pytest.mark.parametrize("path", FORMS)
def test_a_group_that_is_further_behind_than_things_are_kept_loses_them(path: str) -> None:
    assert _status(path, _sea({LAG % "board": 5, LAG % "ledger": 84_000})) == [Status.CONFIRMED]


@pytest.mark.parametrize("path", FORMS)
def test_groups_that_are_all_quicker_refute_it(path: str) -> None:
    assert _status(path, _sea({LAG % "board": 5, LAG % "ledger": 900})) == [Status.REFUTED]


@pytest.mark.parametrize(
    ("metric", "unit", "value"),
    [
        ("kafka_consumer_group_lag_seconds{topic=tides,group=ledger}", "Seconds", 84_000),
        ("kminion_kafka_consumer_group_topic_lag_seconds", "Seconds", 84_000),
        ("EstimatedMaxTimeLag", "Seconds", 84_000),
        ("GetRecords.IteratorAgeMilliseconds.max", "Milliseconds", 84_000_000),
        ("MillisBehindLatest", "Milliseconds", 84_000_000),
        ("oldest_unacked_message_age", "Seconds", 84_000),
        ("consumer_lag_ms", "Milliseconds", 84_000_000),
        ("time_lag_seconds", "Seconds", 84_000),
    ],
)
def test_lag_has_many_names(metric: str, unit: str, value: float) -> None:
    production = _sea({})
    production.metric("kubernetes:c/sea/kafkatopic/tides", metric, unit, value)

    assert _status("topic.yaml", production) == [Status.CONFIRMED]


def test_the_lag_of_another_topic_says_nothing() -> None:
    assert _status("topic.yaml", _sea({"kafka_consumer_group_lag_seconds{topic=winds}": 84_000})) == [Status.PLAUSIBLE]


def test_a_reader_that_starts_once_a_day_loses_what_is_kept_for_six_hours() -> None:
    assert _status("topic.yaml", _sea({}, schedule="0 1 * * *")) == [Status.CONFIRMED]


def test_a_reader_that_starts_every_hour_leaves_the_question() -> None:
    assert _status("topic.yaml", _sea({}, schedule="0 * * * *")) == [Status.PLAUSIBLE]


def test_keeping_longer_is_silent() -> None:
    assert _status("topic.yaml", _sea({LAG % "ledger": 84_000}), new="1209600000") == []


def test_a_word_about_nothing_that_is_known_is_silent() -> None:
    said = evaluation_of({"a.py": "RETENTION_DAYS = 30\n"}, {"a.py": "RETENTION_DAYS = 7\n"}, MemoryProduction())

    assert said.ledger == ()


def test_metrics_that_are_kept_for_a_shorter_time_are_missed_by_people_alone() -> None:
    production = MemoryProduction()
    production.resource("kubernetes:c/watch/statefulset/prometheus", "kubernetes.statefulset", "prometheus", is_deployed=True)
    text = "server:\n  retention: 30d\n"

    assert (
        evaluation_of({"prometheus/values.yaml": text}, {"prometheus/values.yaml": text.replace("30d", "15d")}, production).ledger
        == ()
    )
