import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "log-volume"]


def a_container(*, rate=900.0, free=9e9, **attributes):
    production = MemoryProduction("github:acme/track")
    container = production.resource(
        "docker:h1/track",
        "docker.container",
        "track",
        is_deployed=True,
        **({"log_driver": "json-file", "log_options": {}} | attributes),
    )
    host = production.resource("host:h1", "host.vm", "h1")
    production.edge(container, host, "connects_to")
    if rate is not None:
        production.metric(container, "http_requests_per_second", "Count/Second", rate)
        production.metric(container, "http_request_size_bytes.mean", "Bytes", 2200.0)
    if free is not None:
        production.metric(host, "node_filesystem_avail_bytes{mountpoint=/}", "Bytes", free)
    return production


COMPOSE = "services:\n  track:\n    image: x/track:1\n    environment:\n      LOG_LEVEL: {}\n"
SERVER = 'const app = require("fastify")();\napp.post("/items", async (req) => {\n  log.debug({ body: req.body }, "in");\n});\n'
CAPPED = {"log_options": {"max-size": "20m", "max-file": "5"}}


@pytest.mark.parametrize(
    ("facts", "answer"),
    [
        ({}, ["confirmed"]),
        ({"rate": 0.3, "free": 2e12}, ["refuted"]),
        (CAPPED, ["refuted"]),
        ({"free": None}, ["plausible"]),
        ({"rate": None}, ["plausible"]),
        ({"rate": 8.0, "free": 4e10}, ["plausible"]),
    ],
)
def test_debug_on_a_path_is_held_against_the_disk(facts, answer) -> None:
    base = {"compose.yaml": COMPOSE.format("info"), "src/server.js": SERVER}

    assert told(evaluation_of(base, {"compose.yaml": COMPOSE.format("debug")}, a_container(**facts))) == answer


@pytest.mark.parametrize(("old", "new"), [("debug", "info"), ("info", "warn"), ("info", "info")])
def test_a_quieter_level_is_silent(old, new) -> None:
    base = {"compose.yaml": COMPOSE.format(old), "src/server.js": SERVER}

    assert told(evaluation_of(base, {"compose.yaml": COMPOSE.format(new)}, a_container())) == []


@pytest.mark.parametrize("path", ["staging/compose.yaml", "README.md", ".github/workflows/ci.yml"])
def test_other_places_are_silent(path) -> None:
    assert told(evaluation_of({path: COMPOSE.format("info")}, {path: COMPOSE.format("debug")}, a_container())) == []


PYTHON = "import logging\n\nlogging.basicConfig(level=logging.{})\n"
DEFAULT = 'const level = process.env.LOG_LEVEL || "{}";\n'


def test_a_level_in_code_counts() -> None:
    files = {"app/main.py": PYTHON.format("INFO"), "src/server.js": SERVER}

    assert told(evaluation_of(files, {"app/main.py": PYTHON.format("DEBUG")}, a_container())) == ["confirmed"]


def test_a_default_that_the_environment_overrules_changes_nothing() -> None:
    production = a_container(environment={"LOG_LEVEL": "info"})

    assert told(evaluation_of({"a.js": DEFAULT.format("info")}, {"a.js": DEFAULT.format("debug")}, production)) == ["refuted"]


@pytest.mark.parametrize(
    ("line", "answer"), [("log.info({ body: req.body });", ["confirmed"]), ("log.info({ id: req.id });", [])]
)
def test_a_log_call_with_a_whole_body_counts_and_one_with_an_id_does_not(line, answer) -> None:
    text = 'const app = require("fastify")();\napp.post("/items", async (req) => {{\n  save(req);\n  {}\n}});\n'

    assert told(evaluation_of({"a.js": text.format("")}, {"a.js": text.format(line)}, a_container())) == answer


def test_a_quota_of_the_log_service_counts() -> None:
    production = a_container(free=None, log_driver="awslogs")
    logs = production.resource("datadog:logs:main", "datadog.logs", "main", daily_quota_gb=50)
    production.edge("docker:h1/track", logs, "writes_to")
    base = {"compose.yaml": COMPOSE.format("info"), "src/server.js": SERVER}

    assert told(evaluation_of(base, {"compose.yaml": COMPOSE.format("debug")}, production)) == ["confirmed"]


def a_service(*, quota=5.0):
    production = MemoryProduction("github:acme/track")
    service = production.resource("kubernetes:p/n/deployment/track", "kubernetes.deployment", "track", is_deployed=True)
    logs = production.resource("arn:aws:logs:eu-west-1:1:log-group:track", "aws.logs.group", "track", daily_quota_gb=quota)
    production.edge(service, logs, "writes_to")
    production.metric(service, "http_requests_per_second", "Count/Second", 900.0)
    production.metric(logs, "IncomingBytes", "Bytes", 1e6)
    return production


ORDERS = 'package com.acme.orders;\n@RestController\nclass Orders {\n  @GetMapping("/orders")\n  public Object list() {\n    log.debug("x");\n    return 1;\n  }\n}\n'
NIGHTLY = 'package com.acme.nightly;\nclass Nightly {\n  @Scheduled(cron = "0 0 1 * * *")\n  public void run() {\n    log.debug("x");\n  }\n}\n'
JAVA = {"src/main/java/com/acme/orders/Orders.java": ORDERS, "src/main/java/com/acme/nightly/Nightly.java": NIGHTLY}
YAML, PODS = (
    "logging:\n  level:\n    {}: {}\n",
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: track\nspec:\n  template:\n    spec:\n      containers:\n        - name: track\n          env:\n            - name: PORT\n              value: '80'\n",
)
APP = "src/main/resources/application-prod.yml"


@pytest.mark.parametrize(
    ("logger", "answer"),
    [
        ("root", ["confirmed"]),
        ("com.acme.orders", ["confirmed"]),
        ("org.hibernate.SQL", ["confirmed"]),
        ("com.acme.nightly", []),
        ("org.springframework.boot.autoconfigure", []),
    ],
)
def test_one_logger_counts_only_where_requests_make_it_write(logger, answer) -> None:
    base = {**JAVA, APP: YAML.format(logger, "INFO")}

    assert told(evaluation_of(base, {APP: YAML.format(logger, "DEBUG")}, a_service())) == answer


@pytest.mark.parametrize(
    ("path", "text", "old", "new"),
    [
        ("k8s/d.yaml", PODS + "            - name: LOG_LEVEL\n              value: {}\n", "info", "debug"),
        (
            "appsettings.json",
            '{{\n  "Logging": {{\n    "LogLevel": {{\n      "Default": "{}"\n    }}\n  }}\n}}\n',
            "Warning",
            "Debug",
        ),
        (
            "main.go",
            "package main\n\nfunc main() {{\n\tcfg.Level = zap.NewAtomicLevelAt(zap.{}Level)\n}}\n",
            "Info",
            "Debug",
        ),
        ("src/main/resources/application.yml", "spring:\n  jpa:\n    show-sql: {}\n", "false", "true"),
        ("k8s/d.yaml", PODS + "{}", "", "            - name: LOG_LEVEL\n              value: debug\n"),
    ],
)
def test_levels_are_read_in_every_spelling(path, text, old, new) -> None:
    assert told(evaluation_of({**JAVA, path: text.format(old)}, {path: text.format(new)}, a_service())) == ["confirmed"]
    assert told(evaluation_of({**JAVA, path: text.format(new)}, {path: text.format(old)}, a_service())) == []
