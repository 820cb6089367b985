"""Peers that a policy of a cluster lets through no more: every kind of policy, every way production tells who calls."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

LEDGER, BATCH, WEB = (
    f"kubernetes:prod/{path}" for path in ("core/deployment/ledger", "batch/deployment/settlement", "web/deployment/portal")
)


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "narrowed-network"]


def a_cluster(*, joined=True, works=None, replicas=4, **by_label):
    """`by_label`: requests a second at the ledger, by `label__value`."""
    production = MemoryProduction("github:acme/ledger")
    production.resource(LEDGER, "kubernetes.deployment", "ledger", is_deployed=True, replicas=3, namespace="core")
    production.resource(WEB, "kubernetes.deployment", "portal", replicas=9, namespace="web")
    production.edge(WEB, LEDGER, "invokes")
    if joined is not None:
        production.resource(BATCH, "kubernetes.deployment", "settlement", replicas=replicas, namespace="batch")
        if joined:
            production.edge(BATCH, LEDGER, "invokes")
    for label, rate in by_label.items():
        key, _, value = label.partition("__")
        production.metric(LEDGER, f"http_requests_per_second{{{key}={value}}}", "Count/Second", rate)
    if works is not None:
        production.metric(BATCH, "http_requests_per_second", "Count/Second", works)
    return production


def a_policy(*peers, kind="NetworkPolicy"):
    listed = "".join(f"        - {peer}\n" for peer in peers)
    return (
        f"apiVersion: networking.k8s.io/v1\nkind: {kind}\nmetadata: {{name: ledger, namespace: core}}\nspec:\n  podSelector:\n    matchLabels: {{app: ledger}}\n"
        f"  policyTypes: [Ingress]\n  ingress:\n    - from:\n{listed}      ports:\n        - {{protocol: TCP, port: 8443}}\n"
    )


def a_cilium_policy(*peers):
    listed = "".join(f"        - {peer}\n" for peer in peers)
    return (
        "apiVersion: cilium.io/v2\nkind: CiliumNetworkPolicy\nmetadata: {name: ledger, namespace: core}\nspec:\n  endpointSelector:\n    matchLabels: {app: ledger}\n"
        f'  ingress:\n    - fromEndpoints:\n{listed}      toPorts:\n        - ports: [{{port: "8443", protocol: TCP}}]\n'
    )


def a_mesh_policy(*sources):
    listed = "".join(f"        - source: {source}\n" for source in sources)
    return (
        "apiVersion: security.istio.io/v1\nkind: AuthorizationPolicy\nmetadata: {name: ledger, namespace: core}\nspec:\n  selector: {matchLabels: {app: ledger}}\n"
        f"  action: ALLOW\n  rules:\n    - from:\n{listed}"
    )


def a_calico_policy(*peers):
    listed = "".join(f"    - action: Allow\n      source: {peer}\n" for peer in peers)
    return f"apiVersion: projectcalico.org/v3\nkind: NetworkPolicy\nmetadata: {{name: ledger, namespace: core}}\nspec:\n  selector: app == 'ledger'\n  types: [Ingress]\n  ingress:\n{listed}"


def a_terraform_policy(*names):
    listed = "".join(
        f'      from {{\n        namespace_selector {{\n          match_labels = {{ "kubernetes.io/metadata.name" = "{name}" }}\n        }}\n      }}\n'
        for name in names
    )
    return (
        'resource "kubernetes_network_policy" "ledger" {\n  metadata {\n    name = "ledger"\n    namespace = "core"\n  }\n  spec {\n    pod_selector {\n      match_labels = { app = "ledger" }\n    }\n'
        f'    ingress {{\n{listed}      ports {{\n        port = "8443"\n      }}\n    }}\n    policy_types = ["Ingress"]\n  }}\n}}\n'
    )


SPACE = "namespaceSelector: {{matchLabels: {{kubernetes.io/metadata.name: {}}}}}"
FORMS = {
    "namespace": ("p.yaml", a_policy(SPACE.format("web"), SPACE.format("batch")), a_policy(SPACE.format("web"))),
    "namespace by name": ("p.yaml", a_policy(SPACE.format("web"), "namespaceSelector: {matchLabels: {name: batch}}"), a_policy(SPACE.format("web"))),
    "expression": (
        "p.yaml", a_policy("namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [web, batch]}]}"),
        a_policy("namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [web]}]}"),
    ),
    "cilium": (
        "p.yaml", a_cilium_policy("matchLabels: {k8s:io.kubernetes.pod.namespace: web}", "matchLabels: {k8s:io.kubernetes.pod.namespace: batch}"),
        a_cilium_policy("matchLabels: {k8s:io.kubernetes.pod.namespace: web}"),
    ),
    "mesh namespaces": ("p.yaml", a_mesh_policy("{namespaces: [web, batch]}"), a_mesh_policy("{namespaces: [web]}")),
    "calico": ("p.yaml", a_calico_policy("{namespaceSelector: \"projectcalico.org/name == 'web'\"}", "{namespaceSelector: \"projectcalico.org/name == 'batch'\"}"),
               a_calico_policy("{namespaceSelector: \"projectcalico.org/name == 'web'\"}")),
    "terraform": ("main.tf", a_terraform_policy("web", "batch"), a_terraform_policy("web")),
}  # fmt: skip
PODS = {
    "pod": ("p.yaml", a_policy(SPACE.format("web"), SPACE.format("batch") + "\n          podSelector: {matchLabels: {app: settlement}}"), a_policy(SPACE.format("web"))),
    "account": ("p.yaml", a_mesh_policy("{namespaces: [web]}", "{principals: [cluster.local/ns/batch/sa/settlement]}"), a_mesh_policy("{namespaces: [web]}")),
}  # fmt: skip
every_form = pytest.mark.parametrize(("path", "base", "head"), FORMS.values(), ids=FORMS)
every_peer = pytest.mark.parametrize(("path", "base", "head"), (FORMS | PODS).values(), ids=FORMS | PODS)


def judged(path, base, head, production, more=None):
    return told(evaluation_of({path: base, **(more or {})}, {path: head}, production))


@every_form
def test_a_namespace_that_calls_all_day_is_cut_off(path, base, head) -> None:
    assert judged(path, base, head, a_cluster(client_namespace__batch=14.0, client_namespace__web=80.0)) == ["confirmed"]


@every_form
def test_a_namespace_of_which_nothing_came_is_not(path, base, head) -> None:
    assert judged(path, base, head, a_cluster(joined=False, client_namespace__batch=0.0, client_namespace__web=80.0)) == [
        "refuted"
    ]


@every_peer
@pytest.mark.parametrize("label", ["source_workload", "source_app", "client", "source_canonical_service", "caller_service"])
def test_the_caller_counts_by_its_name(path, base, head, label) -> None:
    assert judged(path, base, head, a_cluster(**{f"{label}__settlement": 9.0})) == ["confirmed"]
    assert judged(path, base, head, a_cluster(**{f"{label}__settlement": 0.0})) == ["refuted"]


@every_peer
def test_a_live_caller_that_works_is_cut_off(path, base, head) -> None:
    assert judged(path, base, head, a_cluster(works=5.0)) == ["confirmed"]


@every_peer
def test_a_live_caller_of_unknown_traffic_stays_a_question(path, base, head) -> None:
    assert judged(path, base, head, a_cluster()) == ["plausible"]


@every_peer
def test_a_caller_that_does_not_run_is_not_cut_off(path, base, head) -> None:
    assert judged(path, base, head, a_cluster(replicas=0)) == ["refuted"]


@pytest.mark.parametrize(
    "label", ["source_workload_namespace", "source_namespace", "src_namespace", "peer_namespace", "client_k8s_namespace"]
)
def test_the_namespace_counts_by_any_usual_label(label) -> None:
    assert judged(*FORMS["namespace"], a_cluster(**{f"{label}__batch": 14.0})) == ["confirmed"]


def test_requests_that_ended_before_the_last_day_stay_a_question() -> None:
    production = a_cluster(joined=False)
    production.metric(LEDGER, "http_requests_per_second{client_namespace=batch}", "Count/Second", [14.0] * 288 + [0.0] * 300)

    assert judged(*FORMS["namespace"], production) == ["plausible"]


def test_a_namespace_tells_nothing_of_one_of_its_pods() -> None:
    assert judged(*PODS["pod"], a_cluster(joined=None, client_namespace__batch=14.0)) == ["plausible"]


def test_access_lines_that_name_the_client_are_proof() -> None:
    production = a_cluster(joined=False)
    production.log(LEDGER, *['{"path": "/entries", "client_namespace": "batch", "status": 200}'] * 3)

    assert judged(*FORMS["namespace"], production) == ["confirmed"]


def test_calls_counted_at_the_client_are_proof() -> None:
    production = a_cluster()
    production.metric(BATCH, "http_client_requests_per_second{target=ledger}", "Count/Second", 3.0)

    assert judged(*FORMS["namespace"], production) == ["confirmed"]


def test_a_wider_rule_keeps_the_peer() -> None:
    path, base, _ = FORMS["namespace"]

    assert judged(path, base, a_policy("namespaceSelector: {}"), a_cluster(client_namespace__batch=14.0)) == [
        "refuted",
        "refuted",
    ]


def test_another_policy_for_the_same_pods_keeps_the_peer() -> None:
    other = {"other.yaml": a_policy(SPACE.format("batch")).replace("name: ledger, namespace", "name: jobs, namespace")}

    assert judged(*FORMS["namespace"], a_cluster(client_namespace__batch=14.0), other) == ["refuted"]


def test_pods_that_are_still_let_in_are_not_cut_off_with_their_namespace() -> None:
    path, base, _ = FORMS["namespace"]
    head = a_policy(SPACE.format("web"), SPACE.format("batch") + "\n          podSelector: {matchLabels: {app: settlement}}")

    assert "confirmed" not in judged(
        path, base, head, a_cluster(works=5.0, client_namespace__batch=14.0, source_app__settlement=14.0)
    )


def test_a_policy_that_goes_opens_its_pods() -> None:
    base = FORMS["namespace"][1]

    assert told(evaluation_of({"p.yaml": base, "a.md": "a"}, {"p.yaml": None}, a_cluster(client_namespace__batch=14.0))) == []


def test_the_first_policy_of_a_workload_cuts_off_who_it_does_not_name() -> None:
    files, head = {"a.md": "a"}, {"p.yaml": a_policy(SPACE.format("web"))}

    assert told(evaluation_of(files, head, a_cluster(works=5.0))) == ["confirmed"]
    assert told(evaluation_of(files, head, a_cluster(client_namespace__batch=14.0, client_namespace__web=80.0))) == ["confirmed"]
    assert (
        told(evaluation_of(files, {"p.yaml": a_policy(SPACE.format("web"), SPACE.format("batch"))}, a_cluster(works=5.0))) == []
    )
    assert told(evaluation_of(files, head, a_cluster(joined=None, client_namespace__web=80.0))) == []


def test_a_policy_that_production_has_from_elsewhere_may_let_the_others_in() -> None:
    production = a_cluster(works=5.0)
    production.resource("kubernetes:prod/core/networkpolicy/base", "kubernetes.networkpolicy", "base", namespace="core")
    production.edge("kubernetes:prod/core/networkpolicy/base", LEDGER, "depends_on")

    assert told(evaluation_of({"a.md": "a"}, {"p.yaml": a_policy(SPACE.format("web"))}, production)) == []


def test_a_second_policy_only_adds_peers() -> None:
    base = FORMS["namespace"][1]
    second = a_policy("podSelector: {matchLabels: {app: prober}}").replace("name: ledger, namespace", "name: probes, namespace")

    assert told(evaluation_of({"p.yaml": base}, {"q.yaml": second}, a_cluster(works=5.0))) == []
