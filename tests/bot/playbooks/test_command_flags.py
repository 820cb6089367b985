"""Numbers on the command line of a container, as every manifest writes it."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

POD = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: api, namespace: shop}}
spec:
  replicas: 4
  template:
    spec:
      containers:
        - name: api
          image: api:1
          {}
"""
TASK = """resource "aws_ecs_task_definition" "api" {{
  family = "api"
  container_definitions = jsonencode([{{name = "api", image = "api:1", command = {}}}])
}}
resource "aws_ecs_service" "api" {{
  name = "api"
  task_definition = aws_ecs_task_definition.api.arn
}}
"""
COMPOSE = "services:\n  api:\n    image: api:1\n    command: {}\n"
PODS = [
    'args: ["gunicorn", "-w", "{n}", "app:app"]',
    'args: ["gunicorn", "--workers", "{n}", "app:app"]',
    'args: ["gunicorn", "--workers={n}", "app:app"]',
    'command: ["sh", "-c", "exec uvicorn app:app --workers {n}"]',
    "command:\n            - gunicorn\n            - --workers\n            - '{n}'",
    'command: [puma]\n          args: ["-w", "{n}"]',
]
APP = {
    "app.py": 'from sqlalchemy import create_engine\nimport os\nengine = create_engine(os.environ["DB"], pool_size=5, max_overflow=0)\n'
}


def _told(path: str, text: str, *, connections: float = 80.0) -> tuple[list[str], list[int | None]]:
    production = MemoryProduction("github:acme/shop")
    kind, at = (
        ("kubernetes.deployment", "kubernetes:c/shop/deployment/api")
        if path == "k8s.yaml"
        else ("aws.ecs.service", "arn:aws:ecs:eu-west-1:1:service/c/api")
    )
    api = production.resource(at, kind, "api", is_deployed=True, replicas=4, desired_count=4)
    database = production.resource(
        "arn:aws:rds:eu-west-1:1:db:main", "aws.rds.instance", "main", engine="postgres", max_connections=100
    )
    production.edge(api, database, "connects_to")
    production.metric(database, "DatabaseConnections", "Count", connections)
    evaluation = evaluation_of({path: text.replace("{n}", "4"), **APP}, {path: text.replace("{n}", "12")}, production)
    assert evaluation.failures == ()
    mine = [e for e in evaluation.ledger if e.trajectory.playbook == "concurrency"]
    lines = [getattr(e.trajectory.links[0].evidence[0], "line", None) for e in mine]
    return [e.status.value for e in mine], lines


@pytest.mark.parametrize("written", PODS)
def test_more_workers_of_a_pod_are_held_against_the_connections_of_its_database(written: str) -> None:
    statuses, lines = _told("k8s.yaml", POD.replace("{{", "{").replace("}}", "}").replace("{}", written))

    assert statuses == ["confirmed"]
    text = POD.replace("{}", written).split("\n")
    assert "{n}" in text[(lines[0] or 1) - 1]


def test_a_task_definition_and_compose_give_a_command_as_well() -> None:
    assert _told("main.tf", TASK.replace("{{", "{").replace("}}", "}").replace("{}", '["gunicorn", "-w", "{n}", "app:app"]'))[
        0
    ] == ["confirmed"]


def test_few_connections_leave_room() -> None:
    statuses, _ = _told(
        "k8s.yaml",
        POD.replace("{{", "{").replace("}}", "}").replace("{}", PODS[0]).replace("replicas: 4", "replicas: 1"),
        connections=3.0,
    )

    assert statuses != ["confirmed"]


@pytest.mark.parametrize(
    "written", ['args: ["tail", "-n", "{n}"]', 'args: ["server", "--port", "{n}"]', 'args: ["server", "--verbose={n}"]']
)
def test_other_numbers_of_a_command_say_nothing_of_workers(written: str) -> None:
    assert _told("k8s.yaml", POD.replace("{{", "{").replace("}}", "}").replace("{}", written))[0] == []


def test_how_long_a_script_waits_for_a_roll_out_is_silent() -> None:
    before = "#!/bin/sh\nhelm upgrade shop ./chart --timeout 600\nkubectl rollout status deploy/shop --timeout=600s\n"

    assert evaluation_of({"deploy.sh": before}, {"deploy.sh": before.replace("600", "60")}).ledger == ()
