"""Heaps that may grow inside the same container: flags of the JVM, Node, Go and .NET, wherever they stand."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

MIB = 1024.0 * 1024


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "function-memory"]


def a_container(*, limit=2048, resident=None, heap=None, heap_least=None, beside=None):
    production = MemoryProduction("github:acme/scoring")
    own = production.resource(
        "arn:aws:ecs:eu-west-1:1:service/risk/scoring", "aws.ecs.service", "scoring", is_deployed=True, desired_count=4,
        **({"memory_mib": limit} if limit else {}),
    )  # fmt: skip
    if resident is not None:
        production.metric(own, "container_memory_working_set_bytes", "Bytes", resident * MIB)
    if heap is not None:
        production.metric(
            own, "jvm_memory_used_bytes{area=heap}", "Bytes", [heap * MIB] * 200 + [(heap_least or heap) * MIB] * 88
        )
    if beside is not None:
        production.metric(own, "jvm_memory_used_bytes{area=nonheap}", "Bytes", beside * MIB)
    return production


POD = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: scoring}}\nspec:\n  template:\n    spec:\n      containers:\n        - name: scoring\n          image: a\n          env:\n"
    "            - name: JAVA_OPTS\n              value: -XX:MaxRAMPercentage={}\n"
)
PERCENT = {
    "Dockerfile": 'FROM eclipse-temurin:21\nENV JAVA_TOOL_OPTIONS="-XX:MaxRAMPercentage={} -XX:+ExitOnOutOfMemoryError"\n',
    "docker/app.Dockerfile": 'FROM a\nENTRYPOINT ["java", "-XX:MaxRAMPercentage={}.0", "-jar", "app.jar"]\n',
    "k8s/deployment.yaml": POD,
    "Procfile": "web: java -XX:MaxRAMPercentage={} -jar app.jar\n",
    "bin/start.sh": "#!/bin/sh\nexec java -XX:MaxRAMPercentage={} -jar app.jar\n",
}
SIZES = {
    "Dockerfile": 'FROM eclipse-temurin:21\nENV JAVA_OPTS="-Xms512m -Xmx{}m"\n',
    "bin/run.sh": "#!/bin/sh\nexec node --max-old-space-size={} server.js\n",
    "k8s/config.yaml": 'apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: scoring}}\ndata:\n  GOMEMLIMIT: "{}MiB"\n',
}
percents = pytest.mark.parametrize(("path", "text"), PERCENT.items(), ids=PERCENT)
sizes = pytest.mark.parametrize(("path", "text"), SIZES.items(), ids=SIZES)


def grow(path, text, production, old, new, more=None):
    return told(evaluation_of({path: text.format(old), **(more or {})}, {path: text.format(new)}, production))


@percents
def test_without_a_reading_of_memory_a_heap_that_leaves_little_is_a_question(path, text) -> None:
    assert grow(path, text, a_container(), 60, 90) == ["plausible"]


@percents
def test_a_heap_that_leaves_ample_room_is_silent(path, text) -> None:
    assert grow(path, text, a_container(), 50, 70) == []
    assert grow(path, text, a_container(), 90, 60) == []


@percents
def test_a_heap_that_is_full_today_and_does_not_fit_with_the_rest_is_confirmed(path, text) -> None:
    assert grow(path, text, a_container(heap=1_200.0, resident=1_700.0), 60, 90) == ["confirmed"]
    assert grow(path, text, a_container(heap=1_200.0, beside=450.0), 60, 90) == ["confirmed"]


@percents
def test_a_heap_that_is_not_full_today_does_not_confirm(path, text) -> None:
    assert grow(path, text, a_container(heap=500.0, resident=1_000.0), 60, 90) == ["plausible"]


@percents
def test_a_heap_that_fits_with_the_most_that_is_held_besides_is_refuted(path, text) -> None:
    assert grow(path, text, a_container(limit=8192, heap=4_000.0, heap_least=3_800.0, resident=4_150.0), 60, 85) == ["refuted"]


@sizes
def test_sizes_are_held_against_the_container(path, text) -> None:
    assert grow(path, text, a_container(), 1024, 2000) == ["plausible"]
    assert grow(path, text, a_container(limit=8192), 1024, 2000) == []
    assert grow(path, text, a_container(limit=None), 1024, 2000) == []


def test_a_container_that_grows_with_its_heap_is_silent() -> None:
    task = (
        '{{"family": "scoring", "memory": "{}", "containerDefinitions": [{{"name": "scoring", "image": "a", "memory": {}}}]}}\n'
    )
    path, text = "Dockerfile", SIZES["Dockerfile"]
    base = {path: text.format(1200), "deploy/taskdef.json": task.format(2048, 2048)}
    head = {path: text.format(2400), "deploy/taskdef.json": task.format(4096, 4096)}

    assert told(evaluation_of(base, head, a_container())) == []
