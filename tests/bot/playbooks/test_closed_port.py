"""A Service or a balancer that sends to one port while the program listens on another: whichever of the two moved."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: shop}}
spec:
  replicas: 4
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      containers:
        - name: web
          image: reg.shop.example/web:1.4
{}"""
SERVICE = """apiVersion: v1
kind: Service
metadata: {{name: web, namespace: shop}}
spec:
  selector: {{app: web}}
  ports:
    - {{port: 80, targetPort: {}}}
"""
ECS = """resource "aws_ecs_service" "web" {{
  name = "web"
  load_balancer {{
    target_group_arn = var.group
    container_name   = "web"
    container_port   = {}
  }}
}}
"""
PROGRAMS = [
    ("src/app.js", "const app = require('express')();\napp.listen({});\n"),
    ("src/app.ts", "await fastify.listen({{ port: {}, host: '0.0.0.0' }});\n"),
    ("app/main.py", 'import uvicorn\n\nuvicorn.run("app:app", host="0.0.0.0", port={})\n'),
    ("main.go", 'package main\n\nfunc main() {{\n\thttp.ListenAndServe(":{}", mux)\n}}\n'),
    ("cmd/srv/main.go", 'package main\n\nvar s = &http.Server{{Addr: ":{}", Handler: mux}}\n'),
    ("src/main/resources/application.properties", "spring.application.name=web\nserver.port={}\n"),
    ("src/main.rs", 'let listener = TcpListener::bind("0.0.0.0:{}").await?;\n'),
    ("Dockerfile", 'FROM python:3.12\nEXPOSE 8000\nCMD ["gunicorn", "-b", "0.0.0.0:{}", "app:app"]\n'),
    ("Dockerfile", 'FROM python:3.12\nCMD ["uvicorn", "app:app", "--port", "{}"]\n'),
    ("config/puma.rb", "workers 2\nport {}\n"),
    ("nginx.conf", "server {{\n  listen {};\n}}\n"),
]


def production(*, rate=40.0, kind="kubernetes.deployment", **attributes):
    facts = MemoryProduction()
    if kind == "aws.ecs.service":
        web = facts.resource("arn:aws:ecs:eu-west-1:1:service/shop/web", kind, "web", is_deployed=True, **attributes)
    else:
        web = facts.resource("kubernetes:prod/shop/deployment/web", kind, "web", is_deployed=True, namespace="shop", **attributes)
        service = facts.resource(
            "kubernetes:prod/shop/service/web", "kubernetes.service", "web", is_deployed=True, namespace="shop"
        )
        facts.edge(service, web, "routes_to")
    if rate is not None:
        facts.metric(web, "http_requests_per_second", "Count/Second", rate)
    return facts


def told(base, head, facts):
    evaluation = evaluation_of(base, head, facts)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "closed-port"]


def tree(file, text, *, listens=8080, sends=8080, more=""):
    return {file: text.format(listens), "k8s/web.yaml": DEPLOYMENT.format(more), "k8s/service.yaml": SERVICE.format(sends)}


@pytest.mark.parametrize(("file", "text"), PROGRAMS)
def test_a_program_that_moves_alone_is_reached_by_nobody(file, text) -> None:
    base = tree(file, text)

    assert told(base, {file: text.format(3000)}, production()) == ["confirmed"]


@pytest.mark.parametrize(("file", "text"), PROGRAMS)
def test_a_service_that_moves_alone_reaches_nobody(file, text) -> None:
    assert told(tree(file, text), {"k8s/service.yaml": SERVICE.format(9090)}, production()) == ["confirmed"]


@pytest.mark.parametrize(("file", "text"), PROGRAMS)
def test_both_sides_together_are_not_spoken_of(file, text) -> None:
    assert told(tree(file, text), {file: text.format(3000), "k8s/service.yaml": SERVICE.format(3000)}, production()) == []


def test_a_balancer_of_ecs_sends_to_the_port_of_the_container() -> None:
    file, text = PROGRAMS[0]
    facts = production(kind="aws.ecs.service")

    assert told({file: text.format(8080), "main.tf": ECS.format(8080)}, {file: text.format(3000)}, facts) == ["confirmed"]
    assert told({file: text.format(8080), "main.tf": ECS.format(8080)}, {"main.tf": ECS.format(9000)}, facts) == ["confirmed"]


DEFAULT = "const app = require('express')();\napp.listen(process.env.PORT || {});\n"
SET = "          env: [{name: PORT, value: '8080'}]\n"


@pytest.mark.parametrize(
    ("more", "attributes", "expected"),
    [
        ("", {"environment_keys": ["LOG_LEVEL"]}, ["confirmed"]),
        ("", {}, ["plausible"]),
        ("", {"environment_keys": ["PORT"]}, ["plausible"]),
        ("", {"environment": {"PORT": "8080"}}, ["refuted"]),
        (SET, {}, ["refuted"]),
    ],
)
def test_a_default_matters_only_where_nothing_sets_the_variable(more, attributes, expected) -> None:
    base = tree("src/app.js", DEFAULT, more=more)

    assert told(base, {"src/app.js": DEFAULT.format(3000)}, production(**attributes)) == expected


def test_without_a_rate_it_stays_open() -> None:
    file, text = PROGRAMS[0]

    assert told(tree(file, text), {file: text.format(3000)}, production(rate=None)) == ["plausible"]


def test_a_second_container_may_be_what_listens() -> None:
    file, text = PROGRAMS[0]
    more = "        - name: proxy\n          image: proxy:2\n"

    assert told(tree(file, text, more=more), {"k8s/service.yaml": SERVICE.format(9090)}, production()) == ["plausible"]


@pytest.mark.parametrize(
    "head",
    [
        {"src/app.js": "const app = require('express')();\napp.listen(8080);\nmetrics.listen(9100);\n"},
        {"test/app.test.js": "app.listen(3000);\n"},
        {"src/admin.js": "admin.listen(3000);\n"},
        {"README.md": "app.listen(3000)\n"},
        {"k8s/web.yaml": DEPLOYMENT.format("          ports: [{containerPort: 3000}]\n")},
    ],
)
def test_another_listener_and_what_only_documents_a_port_are_not_spoken_of(head) -> None:
    file, text = PROGRAMS[0]

    assert told(tree(file, text), head, production()) == []


def test_a_port_that_a_manifest_gives_the_program_is_open() -> None:
    file, text = PROGRAMS[0]
    base = tree(file, text, more="          args: ['--port', '9090']\n")

    assert told(base, {"k8s/service.yaml": SERVICE.format(9090)}, production()) == []


@pytest.mark.parametrize(("said", "expected"), [("8000", ["refuted"]), ("9000", ["refuted"])])
def test_a_map_of_values_that_production_takes_whole_pins_the_port(said, expected):
    facts = production(env_from=["configmap/defaults"], environment_keys=["PORT", "TZ"])
    facts.resource(
        "kubernetes:prod/shop/configmap/defaults", "kubernetes.configmap", "defaults", data={"PORT": said, "TZ": "UTC"}
    )
    facts.edge("kubernetes:prod/shop/deployment/web", "kubernetes:prod/shop/configmap/defaults", "reads_from")
    files = {"k8s/web.yaml": DEPLOYMENT.format("") + "---\n" + SERVICE.format(8000)}
    before, after = (f"FROM python:3.12\nENV PORT={n}\nEXPOSE {n}\nCMD python app.py\n" for n in (8000, 8080))

    assert told(files | {"Dockerfile": before}, {"Dockerfile": after}, facts) == expected
