"""Job queues judged by their logs, pools by their usual names, files of a laptop, uploads by age, origins on one line."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

WORKER = "kubernetes:main/shop/deployment/worker"
LARAVEL = (
    "config/queue.php",
    "<?php\nreturn [\n  'default' => 'redis',\n  'connections' => [\n    'redis' => [\n      'retry_after' => {},\n    ],\n  ],\n];\n",
)
CELERY = ("settings.py", 'broker_transport_options = {{"visibility_timeout": {}}}\n')
SYMFONY = (
    "config/packages/messenger.yaml",
    "framework:\n  messenger:\n    transports:\n      async:\n        options:\n          redeliver_timeout: {}\n",
)
COMPOSE = "services:\n  db:\n    image: postgres:15\n    mem_limit: {}\n"


def _told(before: dict[str, str], after: dict[str, str], production: MemoryProduction, playbook: str = "") -> list[str]:
    evaluation = evaluation_of(before, after, production)
    assert not evaluation.failures
    return [e.status.value for e in evaluation.ledger if playbook in ("", e.trajectory.playbook)]


def _worker(*lines: str) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    production.resource(WORKER, "kubernetes.deployment", "worker", is_deployed=True, replicas=4)
    production.log(WORKER, *lines)
    return production


@pytest.mark.parametrize(("path", "text"), [LARAVEL, CELERY, SYMFONY])
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["App\\Jobs\\Render 7 ... 152.40s DONE", "App\\Jobs\\Render 8 ... 210.00s DONE"], "confirmed"),
        (["Task render succeeded in 200.1s", "Task render succeeded in 190.0s"], "confirmed"),
        (["App\\Jobs\\Render 7 ... 12.40s DONE"], "refuted"),
        (["App\\Jobs\\Render 7 ... 120.40ms DONE"], "refuted"),
        (["hello"], "plausible"),
    ],
)
def test_jobs_that_outlast_the_hidden_time(path: str, text: str, lines: list[str], expected: str) -> None:
    before, after = {path: text.format(600)}, {path: text.format(60)}
    assert _told(before, after, _worker(*lines), "batch-and-visibility") == [expected]


def test_a_connection_that_no_job_uses_is_silent() -> None:
    path, text = LARAVEL
    unused = text.replace("'default' => 'redis'", "'default' => 'sqs'")
    assert _told({path: unused.format(600)}, {path: unused.format(60)}, _worker("a 152.40s DONE"), "batch-and-visibility") == []


def test_a_compose_file_of_developers_is_silent() -> None:
    production = _worker()
    assert _told({"compose.yaml": COMPOSE.format("1g")}, {"compose.yaml": COMPOSE.format("200m")}, production) == []


def test_a_compose_file_that_is_shipped_is_not() -> None:
    ship = {"deploy.sh": "scp compose.yaml root@web-1:/srv/ && ssh root@web-1 'docker compose up -d'\n"}
    before, after = {"compose.yaml": COMPOSE.format("1g"), **ship}, {"compose.yaml": COMPOSE.format("200m")}
    assert _told(before, after, _worker()) != []


@pytest.mark.parametrize(
    ("line", "expected"), [("took in/a age_s=300", "refuted"), ("took in/a age_s=2000000", "confirmed"), ("took b", "plausible")]
)
def test_uploads_are_judged_by_the_age_at_which_they_are_taken(line: str, expected: str) -> None:
    text = (
        'resource "aws_s3_bucket" "m" {\n  bucket = "media"\n}\n\nresource "aws_s3_bucket_lifecycle_configuration" "m" {\n  bucket = aws_s3_bucket.m.id\n'
        '  rule {\n    id = "in"\n    status = "Enabled"\n    filter {\n      prefix = "in/"\n    }\n    expiration {\n      days = DAYS\n    }\n  }\n}\n'
    )
    production = MemoryProduction("github:acme/shop")
    bucket = production.resource("arn:aws:s3:::media", "aws.s3.bucket", "media", is_deployed=True)
    reader = production.resource("arn:aws:lambda:eu-west-1:1:function:take", "aws.lambda.function", "take", is_deployed=True)
    production.edge(bucket, reader, "triggers")
    production.log(reader, line, line)
    assert _told({"s3.tf": text.replace("DAYS", "90")}, {"s3.tf": text.replace("DAYS", "7")}, production, "retention") == [
        expected
    ]


def test_two_origins_of_one_line_are_both_seen() -> None:
    before = 'app.use(cors({ origin: ["https://a.example", "https://b.example", "https://c.example"] }))\n'
    after = 'app.use(cors({ origin: ["https://c.example"] }))\n'
    assert len(_told({"src/cors.ts": before}, {"src/cors.ts": after}, _worker(), "removed-origin")) == 2
