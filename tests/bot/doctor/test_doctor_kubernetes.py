"""What `gonogo doctor` says about a cluster: which lists are allowed, tried on one object of each."""

import pytest

from bot.jobs.checkup import Found
from bot.jobs.checkup_kubernetes import look_at_kubernetes
from context_graph.providers.kubernetes.access import Access
from context_graph.testing_kubernetes import FakeCluster, a_shop
from gonogo.errors import CallError


@pytest.fixture
def cluster() -> FakeCluster:
    held = FakeCluster()
    held.hold(*a_shop())
    return held


def looks(cluster: FakeCluster, *namespaces: str) -> list[tuple[Found, str, str]]:
    found = look_at_kubernetes(lambda: Access("prod", cluster.ask), namespaces=namespaces)
    return [(look.found, look.what, look.said) for look in found]


def test_a_cluster_whose_lists_are_all_allowed_is_ok_and_one_object_of_each_is_asked_for(cluster: FakeCluster) -> None:
    assert looks(cluster) == [(Found.OK, "Kubernetes prod", "18 of 18 lists allowed")]
    assert {query["limit"] for _, query, _ in cluster.requests} == {"1"}


def test_lists_that_are_not_allowed_are_named(cluster: FakeCluster) -> None:
    cluster.refused |= {"deployments": 403, "configmaps": 403}

    [(found, _, said)] = looks(cluster)

    assert found is Found.MISSING
    assert said.startswith("2 of 18 lists not allowed: list deployments.apps, list configmaps; ")


def test_each_namespace_has_its_line(cluster: FakeCluster) -> None:
    cluster.refused["edge/services"] = 403

    assert [(found, what) for found, what, _ in looks(cluster, "shop", "edge")] == [
        (Found.OK, "Kubernetes prod/shop"), (Found.MISSING, "Kubernetes prod/edge")]  # fmt: skip


def test_what_the_cluster_does_not_serve_is_said_and_is_no_fault(cluster: FakeCluster) -> None:
    cluster.absent.add("gateway.networking.k8s.io")

    [(found, _, said)] = looks(cluster)

    assert (found, said) == (Found.OK, "16 of 18 lists allowed; it does not serve gateways, httproutes")


def test_a_cluster_that_fails_is_not_called_allowed(cluster: FakeCluster) -> None:
    cluster.refused["jobs"] = 500

    [(found, _, said)] = looks(cluster)

    assert found is Found.MISSING
    assert "/apis/batch/v1/jobs answered 500" in said


def test_a_cluster_that_cannot_be_opened_says_why_and_none_is_no_fault() -> None:
    def broken() -> Access:
        raise CallError("--context eu: its plugin aws gave no credentials")

    assert [look.found for look in look_at_kubernetes(None)] == [Found.UNUSED]
    assert [(look.found, look.said) for look in look_at_kubernetes(broken)] == [
        (Found.MISSING, "--context eu: its plugin aws gave no credentials")]  # fmt: skip
