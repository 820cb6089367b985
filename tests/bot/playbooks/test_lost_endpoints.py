"""Services of Kubernetes whose selector and pods no longer meet."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

SERVICE = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  selector:\n    app: web\n  ports:\n    - port: 80\n"
PODS = "apiVersion: apps/v1\nkind: {kind}\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  replicas: 3\n  selector:\n    matchLabels:\n      app: web\n  template:\n    metadata:\n      labels:\n        app: web\n    spec:\n      containers:\n        - name: web\n          image: web:1\n"
DEPLOYMENT = PODS.format(kind="Deployment")
SERVICE_ID, PODS_ID, FRONT_ID = (
    "kubernetes:prod/shop/service/web", "kubernetes:prod/shop/deployment/web", "kubernetes:prod/shop/ingress/web",
)  # fmt: skip
ONE_MORE = SERVICE.replace("    app: web\n", "    app: web\n    tier: front\n")
LABELLED = DEPLOYMENT.replace("        app: web\n    spec", "        app: web\n        tier: front\n    spec")


def _statuses(
    base: dict[str, str],
    head: dict[str, str | None],
    *,
    live: dict[str, str] | None = None,
    rate: float | None = 40.0,
    at: str = FRONT_ID,
    other: dict[str, str] | None = None,
) -> list[Status]:
    production = MemoryProduction("github:acme/shop")
    labels = live if live is not None else {"app": "web"}
    production.resource(SERVICE_ID, "kubernetes.service", "web", is_deployed=True, namespace="shop", selector={"app": "web"})
    production.resource(PODS_ID, "kubernetes.deployment", "web", is_deployed=True, namespace="shop", pod_labels=labels)
    production.resource(FRONT_ID, "kubernetes.ingress", "web", is_deployed=True, namespace="shop")
    production.edge(FRONT_ID, SERVICE_ID, "routes_to")
    production.edge(SERVICE_ID, PODS_ID, "routes_to")
    if other is not None:
        two = production.resource(
            "kubernetes:prod/shop/deployment/two", "kubernetes.deployment", "two", namespace="shop", pod_labels=other
        )
        production.edge(two, SERVICE_ID, "connects_to")
        production.edge("github:acme/shop", two, "deploys_to")
    if rate is not None:
        production.metric(at, "http_requests_per_second", "Count/Second", rate)
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "lost-endpoints"]


BASE = {"k8s/service.yaml": SERVICE, "k8s/web.yaml": DEPLOYMENT}


@pytest.mark.parametrize(
    "head",
    [
        {"k8s/service.yaml": SERVICE.replace("    app: web\n", "    app.kubernetes.io/name: web\n")},
        {"k8s/service.yaml": ONE_MORE},
        {"k8s/service.yaml": SERVICE.replace("    app: web\n", "    app: wbe\n")},
        {"k8s/service.yaml": ONE_MORE, "k8s/web.yaml": DEPLOYMENT.replace("replicas: 3", "replicas: 5")},
    ],
)  # fmt: skip
def test_a_service_that_selects_no_pod_any_more_is_confirmed(head: dict[str, str | None]) -> None:
    assert _statuses(BASE, head) == [Status.CONFIRMED]


@pytest.mark.parametrize("at", [SERVICE_ID, PODS_ID])
def test_the_requests_may_be_counted_at_the_service_or_at_its_pods(at: str) -> None:
    assert _statuses(BASE, {"k8s/service.yaml": ONE_MORE}, at=at) == [Status.CONFIRMED]


def test_a_stateful_set_and_one_file_for_both_are_read_alike() -> None:
    base = {"all.yaml": SERVICE + "---\n" + DEPLOYMENT}

    assert _statuses(base, {"all.yaml": ONE_MORE + "---\n" + DEPLOYMENT}) == [Status.CONFIRMED]


def test_without_requests_it_is_refuted_and_without_a_metric_a_question() -> None:
    assert _statuses(BASE, {"k8s/service.yaml": ONE_MORE}, rate=0) == [Status.REFUTED]
    assert _statuses(BASE, {"k8s/service.yaml": ONE_MORE}, rate=None) == [Status.PLAUSIBLE]


def test_pods_that_get_the_label_in_the_same_change_are_a_question_of_order() -> None:
    assert _statuses(BASE, {"k8s/service.yaml": ONE_MORE, "k8s/web.yaml": LABELLED}) == [Status.PLAUSIBLE]


def test_pods_that_have_the_label_already_are_silent_or_refuted() -> None:
    has = {"app": "web", "tier": "front"}

    assert _statuses({**BASE, "k8s/web.yaml": LABELLED}, {"k8s/service.yaml": ONE_MORE}, live=has) == []
    assert _statuses(BASE, {"k8s/service.yaml": ONE_MORE}, live=has) == [Status.REFUTED]


def test_pods_of_another_workload_that_have_the_labels_refute() -> None:
    green = SERVICE.replace("    app: web\n", "    app: web-two\n")

    assert _statuses(BASE, {"k8s/service.yaml": green}, other={"app": "web-two"}) == [Status.REFUTED]


def test_a_workload_whose_own_selector_changes_is_a_question() -> None:
    relabelled = DEPLOYMENT.replace("app: web\n", "app: shop-web\n")

    assert _statuses(BASE, {"k8s/web.yaml": relabelled}) == [Status.PLAUSIBLE]


def test_pods_that_lose_a_label_of_the_selector_are_confirmed() -> None:
    base = {"k8s/service.yaml": ONE_MORE, "k8s/web.yaml": LABELLED}

    assert _statuses(base, {"k8s/web.yaml": DEPLOYMENT}, live={"app": "web", "tier": "front"}) == [Status.CONFIRMED]


def test_a_label_by_which_versions_are_switched_is_a_question() -> None:
    green = SERVICE.replace("    app: web\n", "    app: web\n    color: green\n")

    assert _statuses(BASE, {"k8s/service.yaml": green}) == [Status.PLAUSIBLE]


def test_labels_of_the_objects_themselves_are_silent() -> None:
    labelled = SERVICE.replace("  name: web\n", "  name: web\n  labels:\n    team: a\n")

    assert _statuses(BASE, {"k8s/service.yaml": labelled, "k8s/web.yaml": DEPLOYMENT.replace("replicas: 3", "replicas: 4")}) == []


def test_a_selector_that_asks_for_less_is_silent() -> None:
    base = {"k8s/service.yaml": ONE_MORE, "k8s/web.yaml": LABELLED}

    assert _statuses(base, {"k8s/service.yaml": SERVICE}, live={"app": "web", "tier": "front"}) == []
