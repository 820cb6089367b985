"""Fewer processes or threads of a worker, however they are set, against what arrives at its queue."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

QUEUE = "rabbitmq:queue:carto/render"
WORKER = "kubernetes:fra1/carto/deployment/tile-render"


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "queue-growth"]


def a_production(
    *, arrive, metric="rabbitmq_queue_messages_published_total", at=QUEUE, seconds=2.4, replicas=3, more=(), **attributes
):
    """`arrive` messages a second at a queue of one worker, each of which takes `seconds`."""
    production = MemoryProduction("github:acme/tiles")
    production.resource(WORKER, "kubernetes.deployment", "tile-render", is_deployed=True, replicas=replicas, **attributes)
    production.resource(QUEUE, "rabbitmq.queue", "render")
    production.resource("kubernetes:fra1/carto/deployment/tile-gateway", "kubernetes.deployment", "tile-gateway", replicas=5)
    production.edge(QUEUE, WORKER, "triggers")
    production.edge("kubernetes:fra1/carto/deployment/tile-gateway", QUEUE, "publishes_to")
    production.metric(at, metric, "Count", arrive * 300)
    if seconds is not None:
        production.metric(WORKER, "celery_task_runtime_seconds.mean", "Seconds", seconds)
    for resource, name, unit, value in more:
        production.metric(resource, name, unit, value)
    return production


KUBERNETES = """apiVersion: apps/v1
kind: Deployment
metadata: {name: tile-render, namespace: carto}
spec:
  replicas: 3
  template:
    spec:
      containers:
        - name: worker
          image: registry.example/tile-render:4
          SET
"""
FORMS = {
    "k8s args": ("w.yaml", KUBERNETES.replace("SET", 'args: ["celery", "-A", "tiler", "worker", "--concurrency=#N"]')),
    "k8s command short": ("w.yaml", KUBERNETES.replace("SET", 'command: ["celery", "-A", "tiler", "worker", "-c", "#N"]')),
    "k8s shell": ("w.yaml", KUBERNETES.replace("SET", 'command: ["sh", "-c", "exec bundle exec sidekiq -c #N -q render"]')),
    "k8s env": ("w.yaml", KUBERNETES.replace("SET", 'env: [{name: WORKER_CONCURRENCY, value: "#N"}]')),
    "rq pool": ("w.yaml", KUBERNETES.replace("SET", 'args: ["rq", "worker-pool", "-n", "#N", "render"]')),
    "dramatiq": ("w.yaml", KUBERNETES.replace("SET", 'args: ["dramatiq", "tiler", "--processes", "#N", "--threads", "1"]')),
    "procfile": ("Procfile", "web: gunicorn app:app\nworker: celery -A tiler worker -c #N -Q render\n"),
    "sidekiq.yml": ("config/sidekiq.yml", ":concurrency: #N\n:queues:\n  - render\n"),
    "celery setting": ("tiler/settings.py", "CELERY_WORKER_CONCURRENCY = #N\n"),
    "bullmq": ("src/worker.ts", "new Worker('render', run, { connection, concurrency: #N });\n"),
    "asynq": ("cmd/worker/main.go", "package main\n\nvar srv = asynq.NewServer(redis, asynq.Config{Concurrency: #N})\n"),
    "arq": ("tiler/worker.py", "class WorkerSettings:\n    functions = [render]\n    max_jobs = #N\n"),
    "supervisor": ("deploy/supervisord.conf", "[program:worker]\ncommand=rq worker render\nnumprocs=#N\n"),
    "systemd": ("deploy/worker.service", "[Service]\nExecStart=/opt/venv/bin/celery -A tiler worker --concurrency=#N\n"),
    "dockerfile": ("Dockerfile", 'FROM python:3.12\nCMD ["celery", "-A", "tiler", "worker", "--concurrency=#N"]\n'),
    "shell": ("bin/worker.sh", "#!/bin/sh\nset -e\nexec celery -A tiler worker -c #N -Q render\n"),
    "hangfire": ("appsettings.json", '{"Hangfire": {"WorkerCount": #N}}\n'),
    "oban": ("config/config.exs", "config :tiler, Oban, queues: [render: #N]\n"),
    "spring rabbit": ("src/main/resources/application.yml", "spring:\n  rabbitmq:\n    listener:\n      simple:\n        concurrency: #N\n"),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("arrive", "status"), [(7.0, "confirmed"), (1.2, "refuted")])
def test_fewer_processes_are_held_against_arrivals_however_they_are_set(form, arrive, status) -> None:
    path, text = FORMS[form]

    evaluation = evaluation_of({path: text.replace("#N", "12")}, {path: text.replace("#N", "4")}, a_production(arrive=arrive))

    assert told(evaluation) == [status]


ARGS = KUBERNETES.replace("SET", 'args: ["celery", "-A", "tiler", "worker", "--concurrency=#N"]')
GATEWAY = "kubernetes:fra1/carto/deployment/tile-gateway"


def after(production, text=ARGS, head=None):
    return told(evaluation_of({"w.yaml": text.replace("#N", "12")}, {"w.yaml": head or text.replace("#N", "4")}, production))


COUNTED = [
    (QUEUE, "rabbitmq_queue_messages_published_total"),
    (QUEUE, "rabbitmq_detailed_queue_messages_published_total"),
    (QUEUE, "NumberOfMessagesSent.sum"),
    (QUEUE, "IncomingMessages"),
    (QUEUE, "EnqueueCount"),
    (QUEUE, "jobs_added_total"),
    (QUEUE, "kafka_topic_messages_in_total"),
    (GATEWAY, "celery_tasks_sent_total{queue=render}"),
    (GATEWAY, "messages_published_total{routing_key=render,exchange=tiles}"),
    (WORKER, "sidekiq_jobs_enqueued_total{queue=render}"),
]


@pytest.mark.parametrize(("at", "metric"), COUNTED)
@pytest.mark.parametrize(("arrive", "status"), [(7.0, "confirmed"), (1.2, "refuted")])
def test_arrivals_are_read_wherever_they_are_counted(at, metric, arrive, status) -> None:
    assert after(a_production(arrive=arrive, at=at, metric=metric)) == [status]


@pytest.mark.parametrize(
    "metric", ["rabbitmq_queue_messages_acked_total", "rabbitmq_queue_messages_delivered_total", "NumberOfMessagesDeleted"]
)
def test_where_nobody_counts_arrivals_what_is_worked_off_today_stands_for_them(metric) -> None:
    calm = [(QUEUE, "rabbitmq_queue_messages_ready", "Count", 3.0)]

    assert after(a_production(arrive=7.0, metric=metric)) == ["confirmed"]
    assert after(a_production(arrive=1.2, metric=metric, more=calm)) == ["refuted"]
    assert after(a_production(arrive=1.2, metric=metric)) == ["plausible"]


@pytest.mark.parametrize(
    "metric", ["sidekiq_enqueued_jobs", "rabbitmq_queue_messages_ready", "messages_published_bytes_total", "publish_errors_total"]
)
def test_what_waits_and_what_fails_is_not_what_arrives(metric) -> None:
    assert after(a_production(arrive=7.0, metric=metric)) == ["plausible"]


LINES = [
    "[2026-05-09 12:08:25,187: INFO/ForkPoolWorker-11] Task tiler.tasks.render[1f651b3b] succeeded in 2.4s: None",
    "pid=4 tid=x class=Render jid=9f elapsed=2.401 INFO: done",
    '{"event": "job done", "queue": "render", "duration_ms": 2400}',
    '{"msg":"processed","duration":"2.4s"}',
    "render finished in 2400 ms",
    "Job OK (render) runtime=2.4 s",
]


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize(("arrive", "status"), [(7.0, "confirmed"), (1.2, "refuted")])
def test_the_time_of_a_task_is_read_from_its_log_lines(line, arrive, status) -> None:
    production = a_production(arrive=arrive, seconds=None)
    production.log(WORKER, *[line] * 40)

    assert after(production) == [status]


@pytest.mark.parametrize(
    "metric",
    [
        "sidekiq_job_runtime_seconds.mean{queue=render}",
        "celery_task_runtime_seconds.p50{task=tiler.tasks.render}",
        "bullmq_job_duration.mean",
        "task_execution_time.mean",
        "oban_job_duration_seconds.mean",
        "messaging_process_duration.p50",
    ],
)
def test_the_time_of_a_task_is_read_from_any_of_its_metrics(metric) -> None:
    for arrive, status in ((7.0, "confirmed"), (1.2, "refuted")):
        production = a_production(arrive=arrive, seconds=None, more=[(WORKER, metric, "Seconds", 2.4)])

        assert after(production) == [status]


def test_a_high_percentile_of_the_time_alone_can_only_refute() -> None:
    slow = [(WORKER, "celery_task_runtime_seconds.p95", "Seconds", 2.4)]

    assert after(a_production(arrive=1.2, seconds=None, more=slow)) == ["refuted"]
    assert after(a_production(arrive=7.0, seconds=None, more=slow)) == ["plausible"]


def test_another_consumer_of_the_queue_leaves_it_open() -> None:
    production = a_production(arrive=7.0)
    production.resource("kubernetes:fra1/carto/deployment/burst", "kubernetes.deployment", "burst", replicas=9)
    production.edge(QUEUE, "kubernetes:fra1/carto/deployment/burst", "triggers")

    assert after(production) == ["plausible"]


def test_copies_that_nothing_tells_leave_it_open() -> None:
    assert after(a_production(arrive=7.0, replicas=None)) == ["plausible"]


def test_an_autoscaler_that_may_add_copies_leaves_it_open() -> None:
    assert after(a_production(arrive=7.0, max_replicas=20)) == ["plausible"]


def test_more_copies_in_the_same_change_make_up_for_fewer_processes() -> None:
    head = ARGS.replace("#N", "4").replace("replicas: 3", "replicas: 12")

    assert after(a_production(arrive=7.0), head=head) == ["refuted"]


def test_more_processes_than_before_are_silent() -> None:
    assert after(a_production(arrive=7.0), text=ARGS.replace("#N", "2"), head=ARGS.replace("#N", "8")) == []


DAY = [9.0] * 96 + [1.0] * 192
"""Eight busy hours a day, in which more arrives than 12 processes of 2.4 s work off."""


def test_a_queue_that_is_late_by_hours_every_day_is_harm_though_the_night_makes_up_for_it() -> None:
    production = a_production(arrive=0.0)
    production.readings = [s for s in production.readings if s.resource != QUEUE]
    production.metric(QUEUE, "rabbitmq_queue_messages_published_total", "Count", [v * 300 for v in DAY * 7])

    assert after(production) == ["confirmed"]


def test_a_peak_of_minutes_is_left_open() -> None:
    production = a_production(arrive=0.0)
    production.readings = [s for s in production.readings if s.resource != QUEUE]
    production.metric(QUEUE, "rabbitmq_queue_messages_published_total", "Count", [v * 300 for v in ([9.0] * 3 + [1.0] * 285) * 7])

    assert after(production) == ["plausible"]


COMPOSE = """services:
  worker:
    image: registry.example/receipts:1
    command: celery -A receipts.app worker --concurrency=#N
  beat:
    image: registry.example/receipts:1
    command: celery -A receipts.app beat
"""


@pytest.mark.parametrize("command", [None, "celery -A receipts.app worker --concurrency=12"])
@pytest.mark.parametrize(("arrive", "status"), [(7.0, "confirmed"), (1.2, "refuted")])
def test_the_worker_is_found_among_several_programs_of_a_compose_file(command, arrive, status) -> None:
    production = MemoryProduction("github:acme/tiles")
    worker = production.resource(
        "docker:till-02/receipts-worker", "docker.service", "receipts-worker", is_deployed=True, replicas=3
    )
    if command is not None:
        production.resource(worker, "docker.service", "receipts-worker", replicas=3, command=command)
    production.resource("docker:till-02/receipts-beat", "docker.service", "receipts-beat", is_deployed=True, replicas=1)
    production.resource(QUEUE, "rabbitmq.queue", "render")
    production.edge(QUEUE, worker, "triggers")
    production.metric(QUEUE, "rabbitmq_queue_messages_published_total", "Count", arrive * 300)
    production.metric(worker, "celery_task_runtime_seconds.mean", "Seconds", 2.4)
    base, head = ({"docker-compose.yml": COMPOSE.replace("#N", n)} for n in ("12", "4"))

    assert told(evaluation_of(base, head, production)) == [status]


TWO_KINDS = {
    "threads beside processes": (
        'args: ["dramatiq", "tiler", "--processes", "#N", "--threads", "6"]',
        [(100.0, "confirmed"), (11.0, "plausible"), (7.0, "refuted")],
    ),
    "threads by default": ('args: ["dramatiq", "tiler", "--processes", "#N"]', [(100.0, "confirmed"), (7.0, "refuted")]),
    "processes by CPUs": ('args: ["dramatiq", "tiler", "--threads", "#N"]', [(100.0, "plausible"), (1.2, "refuted")]),
    "processes beside threads": (
        'args: ["sidekiqswarm", "-c", "#N", "--processes", "6"]',
        [(100.0, "confirmed"), (7.0, "refuted")],
    ),
}


@pytest.mark.parametrize("kind", TWO_KINDS)
def test_processes_and_threads_of_one_command_line_multiply(kind) -> None:
    line, expected = TWO_KINDS[kind]

    for arrive, status in expected:
        production = a_production(arrive=arrive) if arrive != 11.0 else a_production(arrive=11.0, seconds=None)
        assert after(production, text=KUBERNETES.replace("SET", line)) == [status]


def test_threads_of_a_web_server_work_off_no_queue() -> None:
    evaluation = evaluation_of(
        {"config/puma.rb": "threads 12, 12\nworkers 12\n"},
        {"config/puma.rb": "threads 4, 4\nworkers 4\n"},
        a_production(arrive=7.0),
    )

    assert told(evaluation) == []


def test_a_bound_inside_of_a_task_does_not_bound_the_tasks() -> None:
    base = {"celeryconfig.py": "worker_concurrency = 48\n", "tiler/fetch.py": "limit = asyncio.Semaphore(12)\n"}

    assert told(evaluation_of(base, {"tiler/fetch.py": "limit = asyncio.Semaphore(4)\n"}, a_production(arrive=7.0))) == [
        "plausible"
    ]


@pytest.mark.parametrize(("arrive", "status"), [(7.0, "confirmed"), (4.95, "plausible"), (1.2, "refuted")])
def test_of_several_queues_the_busiest_one_alone_may_be_too_much(arrive, status) -> None:
    production = a_production(arrive=arrive)
    production.resource("rabbitmq:queue:carto/preview", "rabbitmq.queue", "preview")
    production.edge("rabbitmq:queue:carto/preview", WORKER, "triggers")
    production.metric("rabbitmq:queue:carto/preview", "rabbitmq_queue_messages_published_total", "Count", 30.0)

    assert after(production) == [status]
