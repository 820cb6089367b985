"""Policies that let in the same peers by other labels, and the labels that the pods of the callers have."""

from collections.abc import Callable

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

API, POOLER, BATCH = (f"kubernetes:prod/booking/deployment/{name}" for name in ("rooms-api", "pooler", "night-audit"))
PODS = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: rooms-api\n  namespace: booking\nspec:\n  selector:\n    matchLabels:\n      app: rooms-api\n  template:\n    metadata:\n      labels:\n        app: rooms-api\n        tier: web\n    spec:\n      containers:\n        - name: api\n          image: rooms:1\n"
OLD = "{app: rooms-api}"
NEW = "{app.kubernetes.io/name: rooms-api}"


def _policy(labels: str, *, expressions: str = "") -> str:
    chosen = f"matchLabels: {labels}" if not expressions else f"matchExpressions: {expressions}"
    return (
        "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: pooler, namespace: booking}\nspec:\n  podSelector:\n    matchLabels: {app: pooler}\n"
        f"  policyTypes: [Ingress]\n  ingress:\n    - from:\n        - podSelector:\n            {chosen}\n      ports: [{{port: 6432}}]\n"
    )


def _egress(labels: str) -> str:
    return (
        "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: api, namespace: booking}\nspec:\n  podSelector:\n    matchLabels: {app: rooms-api}\n"
        f"  policyTypes: [Egress]\n  egress:\n    - to:\n        - podSelector:\n            matchLabels: {labels}\n      ports: [{{port: 6432}}]\n"
    )


def _cilium(labels: str) -> str:
    return (
        "apiVersion: cilium.io/v2\nkind: CiliumNetworkPolicy\nmetadata: {name: pooler, namespace: booking}\nspec:\n  endpointSelector:\n    matchLabels: {app: pooler}\n"
        f'  ingress:\n    - fromEndpoints:\n        - matchLabels: {labels}\n      toPorts:\n        - ports: [{{port: "6432", protocol: TCP}}]\n'
    )


def _production(labels: dict[str, str] | None, rate: float | None = 50.0, *, joined: bool = True) -> MemoryProduction:
    production = MemoryProduction("github:acme/rooms")
    production.resource(API, "kubernetes.deployment", "rooms-api", is_deployed=True, namespace="booking")
    if labels is not None:
        production.resource(API, "kubernetes.deployment", "rooms-api", namespace="booking", pod_labels={**labels})
    production.resource(
        POOLER, "kubernetes.deployment", "pooler", is_deployed=True, namespace="booking", pod_labels={"app": "pooler"}
    )
    if joined:
        production.edge(API, POOLER, "connects_to")
    if rate is not None:
        production.metric(API, "http_requests_per_second", "Count/Second", rate)
    return production


def _statuses(base: dict[str, str], head: dict[str, str], production: MemoryProduction) -> list[Status]:
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "narrowed-network"]


LIVE = {"app": "rooms-api", "tier": "web"}


@pytest.mark.parametrize("form", [_policy, _cilium], ids=["networkpolicy", "cilium"])
@pytest.mark.parametrize(
    ("after", "live", "rate", "expected"),
    [
        (NEW, LIVE, 50.0, [Status.CONFIRMED]),
        ("{app: rooms-api, role: client}", LIVE, 50.0, [Status.CONFIRMED]),
        ("{app: rooms}", LIVE, 50.0, [Status.CONFIRMED]),
        (NEW, {**LIVE, "app.kubernetes.io/name": "rooms-api"}, 50.0, [Status.REFUTED]),
        ("{app: rooms-api, tier: web}", LIVE, 50.0, [Status.REFUTED]),
        (NEW, LIVE, None, [Status.PLAUSIBLE]),
        (NEW, None, 50.0, [Status.PLAUSIBLE]),
    ],
)
def test_labels_of_the_callers_decide(
    form: Callable[[str], str], after: str, live: dict[str, str] | None, rate: float | None, expected: list[Status]
) -> None:
    assert _statuses({"k8s/policy.yaml": form(OLD)}, {"k8s/policy.yaml": form(after)}, _production(live, rate)) == expected


def test_labels_of_the_manifest_stand_in_for_live_ones() -> None:
    base = {"k8s/policy.yaml": _policy(OLD), "k8s/api.yaml": PODS}

    assert _statuses(base, {"k8s/policy.yaml": _policy(NEW)}, _production(None)) == [Status.CONFIRMED]


def test_a_label_that_comes_with_the_same_change_is_a_question_of_order() -> None:
    base = {"k8s/policy.yaml": _policy(OLD), "k8s/api.yaml": PODS}
    head = {
        "k8s/policy.yaml": _policy(NEW),
        "k8s/api.yaml": PODS.replace("        tier: web\n", "        tier: web\n        app.kubernetes.io/name: rooms-api\n"),
    }

    assert _statuses(base, head, _production(LIVE)) == [Status.PLAUSIBLE]


@pytest.mark.parametrize(
    ("expressions", "expected"),
    [
        ("[{key: app, operator: In, values: [rooms-api, night-audit]}]", [Status.REFUTED]),
        ("[{key: app, operator: In, values: [night-audit]}]", [Status.CONFIRMED]),
        ("[{key: app.kubernetes.io/name, operator: Exists}]", [Status.CONFIRMED]),
        ("[{key: tier, operator: Exists}]", [Status.REFUTED]),
    ],
)
def test_expressions_are_held_against_the_labels(expressions: str, expected: list[Status]) -> None:
    head = {"k8s/policy.yaml": _policy("", expressions=expressions)}

    assert _statuses({"k8s/policy.yaml": _policy(OLD)}, head, _production(LIVE)) == expected


def test_what_may_be_called_is_selected_by_labels_too() -> None:
    production = _production(LIVE)

    assert _statuses(
        {"k8s/p.yaml": _egress("{app: pooler}")}, {"k8s/p.yaml": _egress("{app.kubernetes.io/name: pooler}")}, production
    ) == [Status.CONFIRMED]


def test_peers_that_nobody_is_known_to_be_are_silent() -> None:
    production = _production(LIVE, joined=False)

    assert _statuses({"k8s/policy.yaml": _policy(OLD)}, {"k8s/policy.yaml": _policy(NEW)}, production) == []


def test_a_policy_beside_it_that_keeps_the_old_label_covers_the_callers() -> None:
    other = _policy(OLD).replace("name: pooler, ", "name: pooler-old, ")
    base = {"k8s/policy.yaml": _policy(OLD), "k8s/other.yaml": other}

    assert Status.CONFIRMED not in _statuses(base, {"k8s/policy.yaml": _policy(NEW)}, _production(LIVE))


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [({}, [Status.PLAUSIBLE]), ({"app": "pooler"}, [Status.PLAUSIBLE]), ({"app": "web"}, [Status.CONFIRMED])],
)
def test_a_policy_of_production_that_no_manifest_declares_may_let_them_in(chosen: dict[str, str], expected: list[Status]) -> None:
    production = _production(LIVE)
    other = production.resource(
        "kubernetes:prod/booking/networkpolicy/shared",
        "kubernetes.networkpolicy",
        "shared",
        namespace="booking",
        pod_selector={**chosen},
    )
    production.edge(other, POOLER, "connects_to")

    assert _statuses({"k8s/policy.yaml": _policy(OLD)}, {"k8s/policy.yaml": _policy(NEW)}, production) == expected
