"""What a sync of a cluster finds, which lists it reads for that, and what a fault of one of them costs."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from context_graph.collecting import Collected, ScopeStatus
from context_graph.providers.kubernetes.access import opened
from context_graph.providers.kubernetes.api import ClusterApi
from context_graph.providers.kubernetes.cluster import collectors
from context_graph.providers.kubernetes.permissions import all_permissions, role_yaml
from context_graph.testing_kubernetes import FakeCluster

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
CHECKOUT = "kubernetes:prod/shop/deployment/checkout"


@pytest.fixture(autouse=True)
def _here(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kubernetes.config.kube_config.KUBE_CONFIG_DEFAULT_LOCATION", str(config))


def collected(*namespaces: str, cluster: str | None = None) -> dict[str, Collected]:
    access = opened(context=None, cluster=cluster)
    api = ClusterApi(access.requests, pause=lambda _: None)
    found = [one.collect() for one in collectors(api, access.cluster, namespaces=namespaces, now=NOON)]
    return {"/".join(part for part in (one.scope.region, one.scope.service) if part): one for one in found}


def edges(one: Collected) -> set[tuple[str, str, str]]:
    return {(e.source.partition("/shop/")[2], e.relation.value, e.target.partition("/shop/")[2]) for e in one.edges}


def test_objects_are_resources_in_the_words_of_manifests(url: str) -> None:
    found = collected()

    [deployment] = [one for one in found["deployments"].resources if one.name == "checkout"]
    assert (deployment.id, deployment.kind, deployment.account, deployment.region) == (
        CHECKOUT, "kubernetes.deployment", "prod", "shop")  # fmt: skip
    facts = {
        "replicas": 3, "ready_replicas": 2, "max_unavailable": 0, "cpu_limit": 0.5, "memory_limit_mib": 512, "readiness_period_s": 10,
        "environment_keys": ["BASKET_URL", "DATABASE_URL", "STRIPE_KEY"], "namespace": "shop",
        "pod_labels": {"app": "checkout", "tier": "web"},
    }  # fmt: skip
    assert {key: deployment.attributes[key] for key in facts} == facts
    assert found["cronjobs"].resources[0].attributes["schedule"] == "0 3 * * *"
    assert found["horizontalpodautoscalers"].resources[0].attributes["target_cpu_percent"] == 70
    assert found["configmaps"].resources[0].attributes["environment_keys"] == ["FLAGS", "ORDERS_QUEUE"]
    assert found["namespaces"].resources[0].id == "kubernetes:prod/namespace/shop"
    assert {one.status for one in found.values()} == {ScopeStatus.OK}


def test_edges_have_the_direction_of_who_leans_on_whom(url: str) -> None:
    assert edges(collected()["links"]) == {
        ("ingress/front", "routes_to", "service/checkout"),
        ("httproute/front", "routes_to", "service/basket"),
        ("gateway/public", "routes_to", "httproute/front"),
        ("service/checkout", "routes_to", "deployment/checkout"),
        ("service/basket", "routes_to", "deployment/basket"),
        ("deployment/checkout", "connects_to", "service/basket"),
        ("deployment/checkout", "depends_on", "configmap/checkout"),
        ("deployment/checkout", "depends_on", "secret/stripe"),
        ("deployment/checkout", "depends_on", "serviceaccount/checkout"),
        ("deployment/checkout", "depends_on", "persistentvolumeclaim/cache"),
        ("cronjob/nightly", "depends_on", "configmap/checkout"),
        ("horizontalpodautoscaler/checkout", "depends_on", "deployment/checkout"),
        ("poddisruptionbudget/checkout", "depends_on", "deployment/checkout"),
        ("networkpolicy/checkout", "depends_on", "deployment/checkout"),
    }


def test_every_edge_says_why_it_is_there(url: str) -> None:
    assert all(edge.evidence for edge in collected()["links"].edges)


def test_texts_that_may_name_something_outside_are_mentioned_with_their_place(url: str) -> None:
    mentions = {(m.source.rpartition("/")[2], m.evidence, m.is_back) for m in collected()["links"].mentions}

    assert {
        ("checkout", "environment variable DATABASE_URL", False),
        ("checkout", "ORDERS_QUEUE of ConfigMap checkout", False),
        ("nightly", "ORDERS_QUEUE of ConfigMap checkout", False),
        ("warehouse", "externalName", False),
        ("front", "status.loadBalancer", True),
    } <= mentions
    assert ("nightly", "FLAGS of ConfigMap checkout", False) not in mentions


def test_a_run_of_a_cron_job_is_no_resource_of_its_own(url: str) -> None:
    assert collected()["jobs"].resources == []


def test_no_secret_is_asked_for_and_no_value_is_kept(url: str, cluster: FakeCluster) -> None:
    found = collected()

    assert not [path for path, _, _ in cluster.requests if "secrets" in path]
    kept = repr([(one.resources, one.edges, one.aliases, one.why) for one in found.values()])
    assert "hunter2" not in kept
    assert "kubernetes:prod/shop/secret/stripe" in kept


def test_the_printed_role_allows_exactly_the_lists_that_are_read(url: str, cluster: FakeCluster) -> None:
    collected()

    role = yaml.safe_load(role_yaml(all_permissions()))
    allowed = {(group, plural) for rule in role["rules"] for group in rule["apiGroups"] for plural in rule["resources"]}
    parts = [path.strip("/").split("/") for path, _, _ in cluster.requests]
    assert {("" if part[0] == "api" else part[1], part[-1]) for part in parts} == allowed
    assert {verb for rule in role["rules"] for verb in rule["verbs"]} == {"list"}


def test_the_roles_of_namespaces_allow_exactly_what_is_read_of_them(url: str, cluster: FakeCluster) -> None:
    collected("shop", "edge")

    allowed = set()
    for role in yaml.safe_load_all(role_yaml(all_permissions(), ["shop", "edge"])):
        assert role["kind"] == "Role"
        allowed |= {(role["metadata"]["namespace"], plural) for rule in role["rules"] for plural in rule["resources"]}
    assert {(path.split("/")[-2], path.split("/")[-1]) for path, _, _ in cluster.requests} == allowed


def test_each_list_is_read_once_whatever_needs_it(url: str, cluster: FakeCluster) -> None:
    collected()

    paths = [path for path, _, _ in cluster.requests]
    assert len(paths) == len(set(paths))


@pytest.mark.parametrize(
    ("status", "ends"),
    [
        (401, ScopeStatus.DENIED), (403, ScopeStatus.DENIED), (404, ScopeStatus.UNSUPPORTED), (429, ScopeStatus.THROTTLED),
        (500, ScopeStatus.PARTIAL), (503, ScopeStatus.PARTIAL),
    ],
)  # fmt: skip
def test_a_refused_list_has_its_own_status_and_the_others_are_read(
    url: str, cluster: FakeCluster, status: int, ends: ScopeStatus
) -> None:
    cluster.refused["configmaps"] = status

    found = collected()

    assert found["configmaps"].status is ends
    assert {one.status for name, one in found.items() if name not in ("configmaps", "links")} == {ScopeStatus.OK}
    is_whole = ends is ScopeStatus.UNSUPPORTED
    assert found["links"].status is (ScopeStatus.OK if is_whole else ScopeStatus.PARTIAL)
    assert found["links"].why == ("" if is_whole else f"not read in full: configmaps: {ends.value}")


def test_a_cluster_that_lets_nobody_in_has_not_answered_in_part(url: str, cluster: FakeCluster) -> None:
    cluster.token = "another"

    assert {one.status for one in collected().values()} == {ScopeStatus.DENIED}


def test_a_refused_list_names_the_permission_that_is_missing(url: str, cluster: FakeCluster) -> None:
    cluster.refused["deployments"] = 403

    one = collected()["deployments"]

    assert one.denied == ["list deployments.apps"]
    assert 'cannot list resource "deployments"' in one.why


def test_a_cluster_without_the_gateway_api_is_read_in_full(url: str, cluster: FakeCluster) -> None:
    cluster.absent.add("gateway.networking.k8s.io")

    found = collected()

    assert found["httproutes"].status is ScopeStatus.UNSUPPORTED
    assert found["links"].status is ScopeStatus.OK


def test_a_namespace_that_is_refused_costs_no_other(url: str, cluster: FakeCluster) -> None:
    cluster.hold({"kind": "Deployment", "metadata": {"name": "edge", "namespace": "edge"}, "spec": {"template": {"spec": {}}}})
    for plural in ("deployments", "configmaps"):
        cluster.refused[f"edge/{plural}"] = 403

    found = collected("shop", "edge")

    assert (found["edge/deployments"].status, found["edge/deployments"].resources) == (ScopeStatus.DENIED, [])
    assert (found["shop/deployments"].status, len(found["shop/deployments"].resources)) == (ScopeStatus.OK, 2)
    assert (found["shop/links"].status, found["edge/links"].status) == (ScopeStatus.OK, ScopeStatus.PARTIAL)


def test_an_object_of_an_odd_shape_costs_itself_and_leaves_the_list_partial(url: str, cluster: FakeCluster) -> None:
    odd = {"name": "odd", "namespace": "shop"}
    cluster.hold(
        {"kind": "Deployment", "metadata": None},
        {"kind": "Deployment", "metadata": {"name": 7, "labels": ["a"]}, "spec": 3},
        {"kind": "Deployment", "metadata": odd, "status": "fine"},
        {"kind": "Deployment", "metadata": odd | {"annotations": "none"}},
    )

    found = collected()

    assert found["deployments"].status is ScopeStatus.PARTIAL
    assert CHECKOUT in {resource.id for resource in found["deployments"].resources}
    assert (found["links"].status, len(found["links"].edges)) == (ScopeStatus.PARTIAL, 14)


def test_what_only_labels_join_by_expression_is_joined_as_the_cluster_would(url: str, cluster: FakeCluster) -> None:
    expression = {"matchExpressions": [{"key": "app", "operator": "In", "values": ["basket"]}]}
    cluster.hold(
        {"kind": "PodDisruptionBudget", "metadata": {"name": "b", "namespace": "shop"}, "spec": {"selector": expression}}
    )

    found = {(source, target) for source, _, target in edges(collected()["links"]) if source == "poddisruptionbudget/b"}

    assert found == {("poddisruptionbudget/b", "deployment/basket")}


def test_a_service_of_another_namespace_is_reached_by_its_host(url: str, cluster: FakeCluster) -> None:
    container = {"name": "c", "env": [{"name": "API", "value": "http://checkout.shop:80"}]}
    spec = {"template": {"spec": {"containers": [container]}}}
    cluster.hold({"kind": "Deployment", "metadata": {"name": "caller", "namespace": "edge"}, "spec": spec})

    both = [collected()["links"], collected("shop", "edge")["edge/links"]]

    wanted = ("kubernetes:prod/edge/deployment/caller", "kubernetes:prod/shop/service/checkout")
    assert all(wanted in {(e.source, e.target) for e in one.edges} for one in both)


def test_an_eks_cluster_tells_whose_names_its_configuration_uses(url: str) -> None:
    near = collected(cluster="arn:aws:eks:eu-west-1:111122223333:cluster/prod")["links"].near

    assert near is not None
    assert (near.account, near.region) == ("111122223333", "eu-west-1")
    assert collected()["links"].near is None
