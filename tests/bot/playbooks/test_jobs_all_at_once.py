"""Jobs that lose their random delay: what their workers can call at once, against what the service behind them takes."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

WORKER = "kubernetes:ams/backoffice/deployment/till-worker"
GATEWAY = "kubernetes:ams/stores/deployment/pos-gateway"


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "schedule"]


def a_production(*, takes=200, seconds=0.12, replicas=1):
    production = MemoryProduction("github:acme/backoffice")
    production.resource(WORKER, "kubernetes.deployment", "till-worker", is_deployed=True, replicas=replicas)
    limit = {} if takes is None else {"rate_limit_per_second": takes}
    production.resource(GATEWAY, "kubernetes.deployment", "pos-gateway", **limit)
    production.edge(WORKER, GATEWAY, "invokes")
    production.metric(GATEWAY, "http_requests_per_second", "Count/Second", 90.0)
    if seconds is not None:
        production.log(WORKER, *[f"class=TillSync queue=tills status=done elapsed={seconds}"] * 40)
    return production


FORMS = {
    "app/jobs/sync_all.rb": (
        "  TillSync.perform_in(rand(1800), id)\n",
        "  TillSync.perform_async(id)\n",
        {"config/sidekiq.yml": ":concurrency: 5\n"},
    ),
    "shop/tasks.py": (
        "sync.apply_async((till,), countdown=random.randint(0, 1800))\n",
        "sync.apply_async((till,))\n",
        {"celeryconfig.py": "worker_concurrency = 5\n"},
    ),
    "shop/fan.py": (
        "sync.apply_async((till,), countdown=random.randint(0, 1800))\n",
        "sync.delay(till)\n",
        {"celeryconfig.py": "worker_concurrency = 5\n"},
    ),
    "src/sync.ts": (
        "await tills.add('sync', { id }, { delay: Math.random() * 1_800_000 });\n",
        "await tills.add('sync', { id });\n",
        {"src/worker.ts": "new Worker('tills', run, { concurrency: 5 });\n"},
    ),
    "app/Sync.php": (
        "<?php\nSyncTill::dispatch($id)->delay(now()->addSeconds(rand(0, 1800)));\n",
        "<?php\nSyncTill::dispatch($id);\n",
        {"config/horizon.php": "<?php\nreturn ['processes' => 5];\n"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize(
    ("production", "status"),
    [
        (a_production(), "refuted"),
        (a_production(takes=120), "plausible"),
        (a_production(takes=None), "plausible"),
        (a_production(seconds=None), "plausible"),
        (a_production(replicas=40), "plausible"),
    ],
    ids=["room", "little room", "no limit", "no time", "many workers"],
)
def test_workers_that_cannot_call_more_than_is_taken_refute_it(path, production, status) -> None:
    before, after, more = FORMS[path]

    assert told(evaluation_of({path: before, **more}, {path: after}, production)) == [status]


def test_a_delay_that_stays_random_is_silent() -> None:
    path = "app/jobs/sync_all.rb"

    assert told(evaluation_of({path: "TillSync.perform_in(rand(1800), id)\n"}, {path: "TillSync.perform_in(rand(900), id)\n"}, a_production())) == []  # fmt: skip
