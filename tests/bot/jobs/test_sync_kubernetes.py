"""A sync of a cluster into the stored graph: what is retired and what is not, who is joined with AWS, and what never gets there."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.jobs.sync_graph import sync_graph
from bot.storage.graph import StoredGraph
from bot.storage.graph_writer import write
from context_graph.collecting import Collected, Scope, ScopeStatus
from context_graph.joining import join_live
from context_graph.providers.kubernetes.api import ClusterApi
from context_graph.providers.kubernetes.cluster import collectors
from context_graph.testing_kubernetes import FakeCluster, a_shop
from gonogo.resource import Declared, Relation, Resource, Setting
from gonogo.word import ResourceId

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
EKS = "arn:aws:eks:eu-west-1:111122223333:cluster/prod"
QUEUE = ResourceId("arn:aws:sqs:eu-west-1:111122223333:orders")
LEDGER = ResourceId("arn:aws:rds:eu-west-1:111122223333:db:ledger")
BALANCER = ResourceId("arn:aws:elasticloadbalancing:eu-west-1:111122223333:loadbalancer/app/k8s-front/1")


@pytest.fixture
def cluster() -> FakeCluster:
    held = FakeCluster()
    held.hold(*a_shop())
    return held


def sync(cluster: FakeCluster, engine: sa.Engine, *namespaces: str, hours: int = 0, name: str = "prod") -> None:
    api = ClusterApi(cluster.ask, pause=lambda _: None)
    found = collectors(api, name, namespaces=namespaces, now=NOON + timedelta(hours=hours))
    sync_graph(found, engine, told=lambda _: None)


def at(rest: str, name: str = "prod") -> ResourceId:
    return ResourceId(f"kubernetes:{name}/shop/{rest}")


def known(engine: sa.Engine, *ids: str) -> set[str]:
    return {one.rpartition("/")[2] for one in StoredGraph(engine).kinds_of([at(i) for i in ids])}


def some_aws(engine: sa.Engine) -> None:
    names = {
        QUEUE: ("aws.sqs.queue", "orders"),
        LEDGER: ("aws.rds.instance", "ledger"),
        BALANCER: ("aws.elb.loadbalancer", "k8s-front"),
    }
    resources = [
        Resource(id=i, kind=kind, name=name, account="111122223333", region="eu-west-1") for i, (kind, name) in names.items()
    ]
    aliases = {"ledger.c1.eu-west-1.rds.amazonaws.com": LEDGER, "k8s-front-1.eu-west-1.elb.amazonaws.com": BALANCER}
    scope = Scope("aws", "111122223333", "eu-west-1", "some")
    write(engine, Collected(scope=scope, status=ScopeStatus.OK, read_at=NOON, resources=resources, aliases=aliases))


def test_what_is_no_longer_listed_is_retired_with_its_edges(cluster: FakeCluster, engine: sa.Engine) -> None:
    sync(cluster, engine)
    cluster.drop("Deployment", "basket")
    sync(cluster, engine, hours=1)

    assert known(engine, "deployment/basket", "deployment/checkout") == {"checkout"}
    assert StoredGraph(engine).edges_from([at("service/basket")]) == []


@pytest.mark.parametrize("status", [401, 403, 429, 500])
def test_an_error_retires_nothing_and_keeps_the_edges(cluster: FakeCluster, engine: sa.Engine, status: int) -> None:
    sync(cluster, engine)
    cluster.refused["deployments"] = status
    cluster.drop("ConfigMap", "checkout")

    sync(cluster, engine, hours=1)

    assert known(engine, "deployment/basket", "deployment/checkout", "configmap/checkout") == {"basket", "checkout"}
    assert at("configmap/checkout") not in StoredGraph(engine).kinds_of([at("configmap/checkout")])
    assert [e.target for e in StoredGraph(engine).edges_from([at("service/checkout")])] == [at("deployment/checkout")]


def test_a_namespace_that_is_refused_loses_nothing_while_the_other_is_brought_up_to_date(
    cluster: FakeCluster, engine: sa.Engine
) -> None:
    cluster.hold({"kind": "Deployment", "metadata": {"name": "edge", "namespace": "edge"}, "spec": {"template": {"spec": {}}}})
    sync(cluster, engine, "shop", "edge")
    cluster.drop("Deployment", "basket")
    cluster.drop("Deployment", "edge")
    cluster.refused["edge/deployments"] = 403

    sync(cluster, engine, "shop", "edge", hours=1)

    edge = ResourceId("kubernetes:prod/edge/deployment/edge")
    assert known(engine, "deployment/basket", "deployment/checkout") == {"checkout"}
    assert StoredGraph(engine).kinds_of([edge]) == {edge: ("kubernetes.deployment", "edge")}


def test_an_account_of_another_name_is_left_alone(cluster: FakeCluster, engine: sa.Engine) -> None:
    sync(cluster, engine, name="eu")
    sync(FakeCluster(), engine, name="us", hours=1)

    assert StoredGraph(engine).kinds_of([at("deployment/checkout", "eu")])


def test_configuration_joins_workloads_with_aws_and_a_balancer_with_what_is_behind_it(
    cluster: FakeCluster, engine: sa.Engine
) -> None:
    some_aws(engine)

    sync(cluster, engine)

    graph = StoredGraph(engine)
    found = {(e.source, e.relation, e.target) for e in graph.edges_to([QUEUE, LEDGER, at("ingress/front")])}
    assert found == {
        (at("deployment/checkout"), Relation.CONNECTS_TO, QUEUE),
        (at("cronjob/nightly"), Relation.CONNECTS_TO, QUEUE),
        (at("deployment/checkout"), Relation.CONNECTS_TO, LEDGER),
        (at("service/warehouse"), Relation.ROUTES_TO, LEDGER),
        (BALANCER, Relation.ROUTES_TO, at("ingress/front")),
    }


def test_a_plain_name_is_of_the_account_that_an_eks_cluster_is_in(cluster: FakeCluster, engine: sa.Engine) -> None:
    some_aws(engine)
    container = {"name": "c", "env": [{"name": "QUEUE_NAME", "value": "orders"}]}
    spec = {"template": {"spec": {"containers": [container]}}}
    cluster.hold({"kind": "Deployment", "metadata": {"name": "plain", "namespace": "shop"}, "spec": spec})

    sync(cluster, engine, name=EKS)
    sync(cluster, engine, name="elsewhere")

    graph = StoredGraph(engine)
    assert [e.target for e in graph.edges_from([at("deployment/plain", EKS)])] == [QUEUE]
    assert graph.edges_from([at("deployment/plain", "elsewhere")]) == []


def test_no_value_reaches_the_database(cluster: FakeCluster, engine: sa.Engine, tmp_path: Path) -> None:
    sync(cluster, engine)

    engine.dispose()
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"STRIPE_KEY" in stored
    assert b"hunter2" not in stored


def test_a_declared_object_is_the_live_one_of_its_namespace_also_when_it_is_new(cluster: FakeCluster, engine: sa.Engine) -> None:
    cluster.hold(
        {"kind": "Deployment", "metadata": {"name": "checkout", "namespace": "staging"}, "spec": {"template": {"spec": {}}}}
    )
    sync(cluster, engine)

    def declared(namespace: str) -> Declared:
        settings = {"namespace": Setting(value=namespace, line=4)}
        address = f"deployment/{namespace}/checkout"
        return Declared(
            kind="kubernetes.deployment", address=address, name="checkout", file="k.yaml", line=1, end_line=9, settings=settings
        )

    joined = join_live([declared("shop"), declared("staging"), declared("none")], StoredGraph(engine), [])

    assert joined == {
        "kubernetes.deployment|deployment/shop/checkout|": at("deployment/checkout"),
        "kubernetes.deployment|deployment/staging/checkout|": "kubernetes:prod/staging/deployment/checkout",
    }
