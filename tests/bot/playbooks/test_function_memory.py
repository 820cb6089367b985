import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "function-memory"]


def a_function(*used):
    production = MemoryProduction("github:acme/pdf")
    function = production.resource(
        "arn:aws:lambda:eu-west-1:1:function:pdf", "aws.lambda.function", "pdf", is_deployed=True, memory_mb=1536
    )
    production.metric(function, "Invocations", "Count", 50.0)
    production.log(
        function, *[f"REPORT RequestId: {n} Duration: 5 ms Memory Size: 1536 MB Max Memory Used: {n} MB" for n in used]
    )
    return production


def a_deployment(*, peak=None, unit="Bytes", metric="container_memory_working_set_bytes"):
    production = MemoryProduction("github:acme/pdf")
    pods = production.resource(
        "kubernetes:prod/web/deployment/pdf", "kubernetes.deployment", "pdf", is_deployed=True, memory_limit_mib=2048
    )
    if peak is not None:
        production.metric(pods, metric, unit, peak)
    return production


SERVERLESS = "service: s\nprovider: {{name: aws}}\nfunctions:\n  pdf:\n    name: pdf\n    handler: a.b\n    memorySize: {}\n"
TERRAFORM = 'resource "aws_lambda_function" "pdf" {{\n  function_name = "pdf"\n  memory_size = {}\n}}\n'
KUBERNETES = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: pdf, namespace: web}}
spec:
  template:
    spec:
      containers:
        - name: pdf
          resources:
            limits:
              memory: {}
"""


@pytest.mark.parametrize(("path", "text"), [("serverless.yml", SERVERLESS), ("main.tf", TERRAFORM)])
@pytest.mark.parametrize(
    ("used", "status"), [((640, 1180), "confirmed"), ((100, 200), "refuted"), ((480,), "plausible"), ((), "plausible")]
)
def test_a_function_is_held_against_its_report_lines(path, text, used, status) -> None:
    assert told(evaluation_of({path: text.format(1536)}, {path: text.format(512)}, a_function(*used))) == [status]


@pytest.mark.parametrize(
    ("reading", "status"),
    [
        ({"peak": 1.4e9}, "confirmed"),
        ({"peak": 0.3e9}, "refuted"),
        ({"peak": 1.05e9}, "plausible"),
        ({"peak": 80.0, "unit": "Percent", "metric": "memory_utilization"}, "confirmed"),
        ({"peak": 20.0, "unit": "Percent", "metric": "memory_utilization"}, "refuted"),
        ({"peak": 9e9}, "plausible"),
        ({}, "plausible"),
    ],
)
def test_a_container_is_held_against_its_working_set(reading, status) -> None:
    evaluation = evaluation_of(
        {"k8s/pdf.yaml": KUBERNETES.format("2Gi")}, {"k8s/pdf.yaml": KUBERNETES.format("1Gi")}, a_deployment(**reading)
    )

    assert told(evaluation) == [status]


@pytest.mark.parametrize(("old", "new"), [("1Gi", "2Gi"), ("1Gi", "1024Mi")])
def test_more_memory_and_another_spelling_are_silent(old, new) -> None:
    evaluation = evaluation_of(
        {"k8s/pdf.yaml": KUBERNETES.format(old)}, {"k8s/pdf.yaml": KUBERNETES.format(new)}, a_deployment(peak=1.4e9)
    )

    assert told(evaluation) == []


def test_a_smaller_heap_is_held_against_the_heap_in_use() -> None:
    production = a_deployment(peak=1.5e9, metric="jvm_memory_used_bytes")
    text = 'FROM jre\nENV JAVA_TOOL_OPTIONS="-Xmx{}"\n'

    assert told(evaluation_of({"Dockerfile": text.format("2g")}, {"Dockerfile": text.format("1g")}, production)) == ["confirmed"]


def test_a_task_definition_is_held_against_the_service_named_like_it() -> None:
    production = MemoryProduction("github:acme/pdf")
    service = production.resource(
        "arn:aws:ecs:eu-west-1:1:service/web/pdf", "aws.ecs.service", "pdf", is_deployed=True, desired_count=2
    )
    production.metric(service, "MemoryUtilization", "Percent", 22.0)
    text = 'Resources:\n  Task:\n    Type: AWS::ECS::TaskDefinition\n    Properties:\n      Family: pdf\n      Memory: "{}"\n'

    assert told(evaluation_of({"s.yaml": text.format(2048)}, {"s.yaml": text.format(1024)}, production)) == ["refuted"]
