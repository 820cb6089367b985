"""Classes that the Java which is live cannot load."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

FUNCTION = "arn:aws:lambda:eu-west-1:1:function:mail"
POM = (
    "<project><properties>{}</properties><dependencies><dependency>\n<groupId>{}</groupId>\n<artifactId>{}</artifactId>\n"
    "<version>{}</version>{}\n</dependency></dependencies></project>\n"
)
SERVERLESS = "service: mail\nprovider: {{name: aws, runtime: {}}}\nfunctions:\n  mail: {{name: mail, handler: acme.Mail}}\n"


def production(runtime: str, *, calls: float | None = 240.0) -> MemoryProduction:
    made = MemoryProduction("github:acme/mail")
    function = made.resource(FUNCTION, "aws.lambda.function", "mail", is_deployed=True, runtime=runtime)
    if calls is not None:
        made.metric(function, "Invocations", "Count", calls)
    return made


def told(path: str, base: str, head: str, made: MemoryProduction, **also: str) -> list[str]:
    before = {path: base, "serverless.yml": SERVERLESS.format("java8.al2")}
    evaluation = evaluation_of(before, {path: head, **({"serverless.yml": also["serverless"]} if also else {})}, made)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "dependency-change"]


def pom(group: str, artifact: str, version: str, *, properties: str = "", scope: str = "") -> str:
    return POM.format(properties, group, artifact, version, scope)


@pytest.mark.parametrize(
    ("group", "artifact", "old", "new", "runtime", "answer"),
    [
        ("com.github.ben-manes.caffeine", "caffeine", "2.9.3", "3.1.8", "java8.al2", ["confirmed"]),
        ("com.github.ben-manes.caffeine", "caffeine", "2.9.3", "3.1.8", "java11", []),
        ("com.github.ben-manes.caffeine", "caffeine", "2.8.0", "2.9.3", "java8.al2", []),
        ("com.github.ben-manes.caffeine", "caffeine", "3.0.0", "3.1.8", "java8.al2", []),
        ("com.zaxxer", "HikariCP", "4.0.3", "5.1.0", "java8.al2", ["confirmed"]),
        ("ch.qos.logback", "logback-classic", "1.2.12", "1.4.14", "java8.al2", ["confirmed"]),
        ("ch.qos.logback", "logback-classic", "1.2.12", "1.3.14", "java8.al2", []),
        ("org.springframework", "spring-context", "5.3.30", "6.1.2", "java11", ["confirmed"]),
        ("org.springframework", "spring-context", "5.3.30", "6.1.2", "java21", []),
        ("org.flywaydb", "flyway-core", "9.22.0", "10.4.0", "java11", ["confirmed"]),
        ("org.apache.kafka", "kafka-clients", "3.9.0", "4.0.0", "java8.al2", ["confirmed"]),
        ("org.apache.lucene", "lucene-core", "9.9.0", "10.1.0", "java17", ["confirmed"]),
    ],
)
def test_a_major_whose_classes_the_live_java_cannot_load_is_confirmed(
    group: str, artifact: str, old: str, new: str, runtime: str, answer: list[str]
) -> None:
    assert told("pom.xml", pom(group, artifact, old), pom(group, artifact, new), production(runtime)) == answer


def test_a_version_that_stands_in_a_property_is_read() -> None:
    base, head = (
        pom("com.zaxxer", "HikariCP", "${hikari.version}", properties=f"\n<hikari.version>{v}</hikari.version>\n")
        for v in ("4.0.3", "5.1.0")
    )

    assert told("pom.xml", base, head, production("java8.al2")) == ["confirmed"]


def test_a_test_dependency_is_never_loaded_in_production() -> None:
    base, head = (pom("com.zaxxer", "HikariCP", v, scope="<scope>test</scope>") for v in ("4.0.3", "5.1.0"))

    assert told("pom.xml", base, head, production("java8.al2")) == []


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("dependencies {{\n  implementation 'com.zaxxer:HikariCP:{}'\n}}\n", "4.0.3", "5.1.0"),
        ('plugins {{\n  id("org.springframework.boot") version "{}"\n}}\n', "2.7.18", "3.2.1"),
        ("targetCompatibility = JavaVersion.VERSION_{}\n", "1_8", "17"),
    ],
)
def test_gradle_says_the_same(text: str, old: str, new: str) -> None:
    assert told("build.gradle", text.format(old), text.format(new), production("java8.al2")) == ["confirmed"]


def test_bytecode_for_a_newer_java_than_the_live_one_is_confirmed() -> None:
    base, head = (pom("a", "b", "1", properties=f"\n<maven.compiler.release>{v}</maven.compiler.release>\n") for v in (8, 17))

    assert told("pom.xml", base, head, production("java11")) == ["confirmed"]
    assert told("pom.xml", base, head, production("java17")) == []


def test_without_its_traffic_it_is_a_question() -> None:
    base, head = (pom("com.zaxxer", "HikariCP", v) for v in ("4.0.3", "5.1.0"))

    assert told("pom.xml", base, head, production("java8.al2", calls=None)) == ["plausible"]


def test_a_change_that_moves_the_runtime_along_is_left_alone() -> None:
    base, head = (pom("com.zaxxer", "HikariCP", v) for v in ("4.0.3", "5.1.0"))

    assert told("pom.xml", base, head, production("java8.al2"), serverless=SERVERLESS.format("java17")) == []
