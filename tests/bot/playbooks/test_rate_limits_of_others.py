"""More work side by side against the calls a second that the other side allows, by many names of both."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

FORMS = {
    "horizon": ("config/horizon.php", "<?php\nreturn ['environments' => ['production' => ['sync' => ['queue' => ['sync'], 'maxProcesses' => {}]]]];\n"),
    "sidekiq": ("config/sidekiq.yml", ":concurrency: {}\n:queues:\n  - sync\n"),
    "celery": ("app/celeryconfig.py", "worker_concurrency = {}\n"),
    "bullmq": ("src/worker.ts", 'new Worker("sync", work, {{ connection, concurrency: {} }});\n'),
    "rabbit": ("src/main/resources/application.yml", "spring:\n  rabbitmq:\n    listener:\n      simple:\n        concurrency: {}\n"),
    "go": ("internal/sync/run.go", "package sync\n\nfunc Run() {{\n\tvar g errgroup.Group\n\tg.SetLimit({})\n}}\n"),
}  # fmt: skip
APP, PARTNER, QUEUE = "aws:ecs:service/worker", "external:partner-api", "aws:elasticache:jobs"


def a_worker(
    *,
    limit=None,
    busy: float | None = 8,
    waiting: float | None = 40_000,
    rate: float | None = 16.4,
    seconds: float | None = 0.52,
    host="host=api.partner.example",
):
    production = MemoryProduction("github:acme/shop")
    production.resource(APP, "aws.ecs.service", "worker", is_deployed=True, desired_count=1)
    production.resource(PARTNER, "external.http", "partner-api", **{"base_url": "https://api.partner.example"} | (limit or {}))
    production.resource(QUEUE, "aws.elasticache.cluster", "jobs", engine="redis")
    production.edge(APP, PARTNER, "connects_to")
    production.edge(APP, QUEUE, "reads_from")
    if rate is not None:
        production.metric(APP, f"http_client_requests_per_second{{{host}}}", "Count/Second", rate)
    if seconds is not None:
        production.metric(APP, f"http_client_request_seconds.p50{{{host}}}", "Seconds", seconds)
    if busy is not None:
        production.metric(APP, "busy_processes{queue=sync}", "Count", busy)
    if waiting is not None:
        production.metric(QUEUE, "queue_length{queue=sync}", "Count", waiting)
    return production


def told(form, production, more=None):
    path, text = FORMS[form]
    base, head = ({path: text.format(n)} | (more or {}) for n in (8, 32))
    evaluation = evaluation_of(base, head, production)
    assert evaluation.failures == ()
    return [(e.status.value, str(e.trajectory.resource)) for e in evaluation.ledger if e.trajectory.playbook == "concurrency"]


@pytest.mark.parametrize("form", FORMS)
def test_more_calls_than_the_partner_allows_are_a_no_go(form) -> None:
    assert told(form, a_worker(limit={"rate_limit_per_s": 20})) == [("confirmed", PARTNER)]


@pytest.mark.parametrize("form", FORMS)
def test_fewer_than_it_allows_are_none(form) -> None:
    assert told(form, a_worker(limit={"rate_limit_per_s": 120})) == [("refuted", PARTNER)]


LIMITS = [
    {"rate_limit_per_second": 20}, {"rate_limit_rps": 20}, {"rate_limit": 20}, {"rateLimitPerSecond": 20}, {"requests_per_second_limit": 20}, {"max_requests_per_second": 20},
    {"quota_per_minute": 1200}, {"rate_limit_rpm": 1200}, {"requests_per_minute": 1200}, {"rate_limit_per_hour": 72_000}, {"max_qps": 20}, {"rps_limit": 20}, {"throttle_rate_limit": 20},
    {"rate_limit_per_s": 20, "burst_limit_per_s": 500},
]  # fmt: skip


@pytest.mark.parametrize("limit", LIMITS, ids=str)
def test_the_limit_has_many_names_and_spans(limit) -> None:
    assert told("horizon", a_worker(limit=limit)) == [("confirmed", PARTNER)]


@pytest.mark.parametrize(
    "host", ["host=api.partner.example", "service=partner-api", "target=partner_api", "peer=api.partner.example:443"]
)
def test_the_rate_is_told_by_host_or_by_name(host) -> None:
    assert told("horizon", a_worker(limit={"rate_limit_per_s": 20}, host=host)) == [("confirmed", PARTNER)]


@pytest.mark.parametrize(
    ("facts", "answer"),
    [
        ({"rate": None}, "confirmed"),
        ({"seconds": None}, "confirmed"),
        ({"busy": None}, "confirmed"),
        ({"waiting": None}, "confirmed"),
        ({"busy": 2, "waiting": 5, "rate": 4.0}, "refuted"),
        ({"busy": 2, "waiting": 5, "rate": 4.0, "seconds": 0.05}, "plausible"),
        ({"rate": None, "seconds": None}, None),
        ({"rate": 4.9, "seconds": 1.68}, "plausible"),
    ],
)
def test_the_demand_and_the_time_of_a_call_decide(facts, answer) -> None:
    limit = {"rate_limit_per_s": 20} if "busy" not in facts or facts["busy"] is None else {"rate_limit_per_s": 70}

    found = told("horizon", a_worker(limit=limit, **facts))

    assert found == ([] if answer is None else [(answer, PARTNER)])


def test_a_limiter_of_its_own_leaves_a_question() -> None:
    more = {
        "app/Jobs/Sync.php": "<?php\nclass Sync {\n  public function middleware() { return [new RateLimited('partner')]; }\n}\n"
    }

    assert told("horizon", a_worker(limit={"rate_limit_per_s": 20}), more) == [("plausible", PARTNER)]


COPIES = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: worker, namespace: jobs}}\nspec:\n  replicas: {}\n  template:\n    spec:\n      containers: [{{name: worker, image: w}}]\n"


@pytest.mark.parametrize(("is_queue", "limit", "answer"), [(True, 20, ["confirmed"]), (True, 200, ["refuted"]), (False, 20, [])])
def test_more_copies_of_what_works_off_a_queue_count_too(is_queue, limit, answer) -> None:
    production = MemoryProduction("github:acme/shop")
    worker = production.resource(
        "kubernetes:p/jobs/deployment/worker", "kubernetes.deployment", "worker", is_deployed=True, replicas=2
    )
    partner = production.resource(
        PARTNER, "external.http", "partner-api", base_url="https://api.partner.example", rate_limit_per_s=limit
    )
    production.edge(worker, partner, "connects_to")
    production.metric(worker, "http_client_requests_per_second{host=api.partner.example}", "Count/Second", 15)
    if is_queue:
        queue = production.resource("aws:sqs:sync", "aws.sqs.queue", "sync")
        production.edge(worker, queue, "reads_from")
        production.metric(queue, "ApproximateNumberOfMessagesVisible", "Count", 9_000)
    base, head = ({"k8s/worker.yaml": COPIES.format(n)} for n in (2, 8))

    evaluation = evaluation_of(base, head, production)

    assert [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "concurrency"] == answer
