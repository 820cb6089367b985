"""When jobs start, against how long they run and what they load: confirmed, refuted, open and silent."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(base, head, production=None):
    evaluation = evaluation_of(base, head, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "schedule"]


CRONJOB = """apiVersion: batch/v1
kind: CronJob
metadata: {{name: rollup, namespace: stats}}
spec:
  schedule: "{schedule}"
  concurrencyPolicy: {policy}
  suspend: {suspend}
  jobTemplate:
    spec:
      template:
        spec:
          containers: [{{name: rollup, image: "rollup:1"}}]
"""
SERVERLESS = """service: exports
provider: {{name: aws, runtime: python3.12}}
functions:
  ledger:
    name: export-ledger
    handler: exports.ledger
    events:
      - schedule: "{}"
  risk:
    name: export-risk
    handler: exports.risk
    events:
      - schedule: "{}"
"""
CELERY = 'app.conf.beat_schedule = {{\n    "rollup": {{"task": "tasks.rollup", "schedule": {}}},\n}}\n'
SPREAD = "import random\nimport time\n\nINTERVAL = 60\n\n\ndef refresh():\n    time.sleep(INTERVAL{})\n"


def cron(schedule, policy="Allow", suspend="false"):
    return {"cron.yaml": CRONJOB.format(schedule=schedule, policy=policy, suspend=suspend)}


def a_job(*seconds, cpu=60.0, reader=False):
    production = MemoryProduction()
    job = production.resource("kubernetes:prod/stats/cronjob/rollup", "kubernetes.cronjob", "rollup", is_deployed=True)
    database = production.resource("db", "aws.rds.instance", "stats-pg")
    production.edge(job, database, "writes_to")
    production.log(job, *(f"rollup finished in {s} s" for s in seconds))
    if cpu is not None:
        production.metric(database, "CPUUtilization", "Percent", cpu)
    if reader:
        board = production.resource("board", "kubernetes.deployment", "dashboard")
        production.edge(board, database, "reads_from")
    return production


def exports(cpu=None):
    production = MemoryProduction()
    database = production.resource("db", "aws.rds.instance", "warehouse")
    for name in ("export-ledger", "export-risk"):
        function = production.resource(
            f"arn:aws:lambda:eu-west-1:1:function:{name}", "aws.lambda.function", name, is_deployed=True
        )
        production.edge(function, database, "reads_from")
        production.metric(function, "Invocations", "Count", 1.0)
    if cpu is not None:
        production.metric(database, "CPUUtilization", "Percent", cpu)
    return production


def two_copies(count):
    production = MemoryProduction()
    production.resource("kubernetes:prod/x/deployment/app", "kubernetes.deployment", "app", is_deployed=True, replicas=count)
    return production


AT_TWO = {"serverless.yml": SERVERLESS.format("cron(0 2 * * ? *)", "cron(0 2 * * ? *)")}
APART = {"serverless.yml": SERVERLESS.format("cron(0 1 * * ? *)", "cron(30 3 * * ? *)")}
# a night: 10 % at rest, each of two jobs takes an hour from 01:00 and from 03:30 to its peak
ONE_AT_A_TIME = [70.0 if 12 <= i < 24 or 42 <= i < 54 else 10.0 for i in range(288)]


@pytest.mark.parametrize(
    ("base", "head", "production", "status"),
    [
        (cron("0 * * * *"), cron("*/5 * * * *"), a_job(870, 960, 1120), "confirmed"),
        (cron("0 * * * *"), cron("*/5 * * * *"), a_job(8, 14, 19, cpu=7.0), "refuted"),
        (cron("0 * * * *"), cron("*/5 * * * *"), a_job(870, 960, 1120, cpu=3.0), "plausible"),
        (cron("0 * * * *"), cron("*/5 * * * *"), a_job(), "plausible"),
        (cron("0 * * * *", "Forbid"), cron("*/5 * * * *", "Forbid"), a_job(870, 960, 1120, cpu=40.0), "refuted"),
        (cron("0 * * * *", "Replace"), cron("*/5 * * * *", "Replace"), a_job(870, 960, 1120), "confirmed"),
        (APART, AT_TWO, exports(), "plausible"),
        (APART, AT_TWO, exports(20.0), "refuted"),
        (APART, AT_TWO, exports(ONE_AT_A_TIME), "confirmed"),
        (cron("0 1 * * *"), cron("0 1 * * *", suspend="true"), a_job(10, 12, reader=True), "plausible"),
        (
            {"app/tasks.py": SPREAD.format(" + random.uniform(0, 60)")},
            {"app/tasks.py": SPREAD.format("")},
            two_copies(1),
            "refuted",
        ),
        (
            {"app/tasks.py": SPREAD.format(" + random.uniform(0, 60)")},
            {"app/tasks.py": SPREAD.format("")},
            two_copies(40),
            "plausible",
        ),
    ],
)
def test_schedules_are_held_against_production(base, head, production, status):
    assert told(base, head, production) == [status]


@pytest.mark.parametrize(
    ("base", "head"),
    [
        (cron("*/5 * * * *"), cron("0 * * * *")),
        (cron("0 * * * *"), cron("0 */1 * * *")),
        (cron("0 1 * * *"), {**cron("0 1 * * *"), "README.md": "at one\n"}),
        (cron("0 1 * * *"), cron("0 1 * * *", suspend="true")),
        ({".github/workflows/ci.yml": 'on:\n  schedule: [{cron: "0 * * * *"}]\njobs: {}\n'}, {".github/workflows/ci.yml": 'on:\n  schedule: [{cron: "*/5 * * * *"}]\njobs: {}\n'}),
        ({"app/x.py": "POLL_INTERVAL = 60\n"}, {"app/x.py": "POLL_INTERVAL = 5\n"}),
    ],
)  # fmt: skip
def test_what_starts_less_often_or_is_no_job_is_not_spoken_of(base, head):
    assert told(base, head, a_job(870, 960)) == []


def test_a_schedule_in_code_is_read_and_asks():
    base, head = {"app/celery.py": CELERY.format("3600.0")}, {"app/celery.py": CELERY.format("60.0")}

    assert told(base, head) == ["plausible"]
