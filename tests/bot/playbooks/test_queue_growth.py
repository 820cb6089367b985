import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "queue-growth"]


def a_worker(*, arrive, seconds, name="worker"):
    production = MemoryProduction("github:acme/jobs")
    pods = production.resource(
        f"kubernetes:prod/j/deployment/{name}", "kubernetes.deployment", name, is_deployed=True, replicas=7
    )
    queue = production.resource("rabbitmq:prod:queue/jobs", "rabbitmq.queue", "jobs", max_length=500000)
    production.edge(queue, pods, "triggers")
    production.metric(queue, "rabbitmq_queue_messages_published_per_second", "Count/Second", arrive)
    if seconds is not None:
        production.metric(pods, "message_processing_seconds.mean", "Seconds", seconds)
    return production


KUBERNETES = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: worker, namespace: j}}\nspec:\n  replicas: {}\n  template: {{spec: {{containers: [{{name: worker}}]}}}}\n"
CASES = [(54.0, 0.09, "confirmed"), (2.0, 0.09, "refuted"), (54.0, None, "plausible")]


@pytest.mark.parametrize(("arrive", "seconds", "status"), CASES)
def test_fewer_copies_are_held_against_arrivals(arrive, seconds, status) -> None:
    evaluation = evaluation_of(
        {"k.yaml": KUBERNETES.format(7)}, {"k.yaml": KUBERNETES.format(2)}, a_worker(arrive=arrive, seconds=seconds)
    )

    assert told(evaluation) == [status]


@pytest.mark.parametrize(
    ("path", "text"),
    [("celeryconfig.py", "worker_concurrency = {}\n"), ("src/worker.ts", "new Worker('jobs', run, {{ concurrency: {} }});\n")],
)
@pytest.mark.parametrize(("arrive", "status"), [(900.0, "confirmed"), (2.0, "refuted")])
def test_fewer_workers_in_each_copy_are_held_against_arrivals(path, text, arrive, status) -> None:
    evaluation = evaluation_of({path: text.format(16)}, {path: text.format(2)}, a_worker(arrive=arrive, seconds=0.09))

    assert told(evaluation) == [status]


def test_copies_that_work_on_many_messages_at_once_are_counted_by_them() -> None:
    base = {"k.yaml": KUBERNETES.format(7), "worker.py": "channel.basic_qos(prefetch_count=50)\n"}

    assert told(evaluation_of(base, {"k.yaml": KUBERNETES.format(2)}, a_worker(arrive=54.0, seconds=0.09))) == ["plausible"]


def test_copies_that_an_autoscaler_sets_are_silent() -> None:
    scaler = "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: s, namespace: j}\nspec:\n  scaleTargetRef: {name: worker}\n  maxReplicaCount: 20\n"
    base = {"k.yaml": KUBERNETES.format(7), "s.yaml": scaler}

    assert told(evaluation_of(base, {"k.yaml": KUBERNETES.format(2)}, a_worker(arrive=54.0, seconds=0.09))) == []


def test_more_copies_are_silent() -> None:
    evaluation = evaluation_of(
        {"k.yaml": KUBERNETES.format(2)}, {"k.yaml": KUBERNETES.format(7)}, a_worker(arrive=54.0, seconds=0.09)
    )

    assert told(evaluation) == []


def test_copies_that_a_live_autoscaler_may_add_leave_it_open() -> None:
    production = a_worker(arrive=54.0, seconds=0.09)
    production.resource("kubernetes:prod/j/deployment/worker", "kubernetes.deployment", "worker", replicas=7, max_replicas=30)

    assert told(evaluation_of({"k.yaml": KUBERNETES.format(7)}, {"k.yaml": KUBERNETES.format(2)}, production)) == ["plausible"]
