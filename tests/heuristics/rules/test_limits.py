import pytest

from bot.testing import evaluation_of

LAMBDA = 'resource "aws_lambda_function" "f" {{\n  function_name = "f"\n  {}\n}}\n'
QUEUE = """resource "aws_sqs_queue" "q" {{
  name = "q"
  visibility_timeout_seconds = {0}
  redrive_policy = jsonencode({{ deadLetterTargetArn = "d", maxReceiveCount = {1} }})
}}
resource "aws_lambda_function" "f" {{
  function_name = "f"
  timeout = 100
}}
resource "aws_lambda_event_source_mapping" "m" {{
  event_source_arn = aws_sqs_queue.q.arn
  function_name = aws_lambda_function.f.arn
  batch_size = {2}
}}
"""
POD = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: a, namespace: b}}\nspec:\n  template:\n    spec:\n      containers:\n        - name: a\n          resources:\n            limits:\n              memory: {}\n"
LOOP = "def get(u):\n    for attempt in range({}):\n        try:\n            return call(u)\n        except OSError:\n            continue\n"
CASES = [
    ("http/time-out-lowered", "a.py", "r = requests.get(u, timeout={})\n", ("30",), ("3",)),
    ("http/retries-raised", "a.py", LOOP, ("2",), ("6",)),
    ("aws-lambda/time-out-lowered", "main.tf", LAMBDA, ("timeout = 120",), ("timeout = 30",)),
    ("aws-lambda/memory-lowered", "main.tf", LAMBDA, ("memory_size = 1024",), ("memory_size = 256",)),
    (
        "aws-lambda/concurrency-lowered",
        "main.tf",
        LAMBDA,
        ("reserved_concurrent_executions = 50",),
        ("reserved_concurrent_executions = 5",),
    ),
    ("queues/visibility-below-time-out", "main.tf", QUEUE, (600, 5, 10), (60, 5, 10)),
    ("queues/batch-outlasts-time-out", "main.tf", QUEUE, (600, 5, 1), (600, 5, 10)),
    ("queues/max-receive-lowered", "main.tf", QUEUE, (600, 5, 10), (600, 1, 10)),
    ("capacity/memory-lowered", "k.yaml", POD, ("2Gi",), ("512Mi",)),
    ("capacity/concurrency-lowered", "config/sidekiq.yml", ":concurrency: {}\n", (20,), (4,)),
    ("capacity/concurrency-raised", "config/sidekiq.yml", ":concurrency: {}\n", (4,), (20,)),
    (
        "capacity/pool-raised",
        "src/main/resources/application.yml",
        "spring:\n  datasource:\n    hikari:\n      maximum-pool-size: {}\n",
        (10,),
        (40,),
    ),
    (
        "capacity/throughput-lowered",
        "main.tf",
        'resource "aws_dynamodb_table" "t" {{\n  name = "t"\n  read_capacity = {}\n}}\n',
        (500,),
        (50,),
    ),
]
each = pytest.mark.parametrize(("rule", "path", "text", "old", "new"), CASES, ids=[c[0] for c in CASES])


@each
def test_the_hazard_is_found_at_its_line(rule, path, text, old, new) -> None:
    before, after = text.format(*old), text.format(*new)

    found = [f for f in evaluation_of({path: before}, {path: after}).findings if f.rule == rule]

    changed = [n for n, (a, b) in enumerate(zip(before.split("\n"), after.split("\n"), strict=True), start=1) if a != b]
    assert [(f.file, f.line) for f in found] == [(path, changed[0])]
    assert found[0].safe_alternative


@each
def test_the_other_way_round_it_is_silent(rule, path, text, old, new) -> None:
    evaluation = evaluation_of({path: text.format(*new)}, {path: text.format(*old)})

    assert [f for f in evaluation.findings if f.rule == rule] == []


@each
def test_in_a_test_or_for_another_environment_it_is_silent(rule, path, text, old, new) -> None:
    name = path.rpartition("/")[2]
    for folder in ("tests", "staging", "environments/dev"):
        evaluation = evaluation_of({f"{folder}/{name}": text.format(*old)}, {f"{folder}/{name}": text.format(*new)})

        assert [f for f in evaluation.findings if f.rule == rule] == []


@pytest.mark.parametrize(
    "text",
    [
        "timeout = " * 2000,
        "a: &a [*a, *a]\ntimeout: {}\n",
        "{" * 5000,
        "timeout=" + "9" * 400,
        "x = [" + "(" * 3000,
        "\x00timeout: 3",
    ],
)
@pytest.mark.parametrize("path", ["a.py", "a.yaml", "a.tf", "a.json", "a.go", "a.properties", "Dockerfile"])
def test_text_that_is_no_program_breaks_nothing(path, text) -> None:
    evaluation = evaluation_of({path: "timeout: 30\n"}, {path: text})

    assert evaluation.failures == ()
