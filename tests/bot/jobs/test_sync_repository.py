"""What a repository declares is kept beside what runs: its node, its edges, and which declaration is which resource."""

import subprocess
from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.entrypoints.cli.app import main
from bot.jobs.sync_repository import sync_repository
from bot.storage.database import open_database
from bot.storage.graph import StoredGraph
from bot.storage.graph_writer import write
from context_graph.collecting import Collected, Scope, ScopeStatus
from context_graph.graph import path_between
from gonogo.resource import Edge, Origin, Relation, Resource
from gonogo.word import ResourceId

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
SHOP = ResourceId("github:acme/shop")
ORDERS = ResourceId("kubernetes:prod/shop/deployment/orders")
LEDGER = ResourceId("arn:aws:rds:eu-west-1:1:db:ledger")
MANIFEST = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {}\n  namespace: shop\nspec:\n  replicas: 2\n"


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/graph.db"


@pytest.fixture
def engine(url: str) -> Generator[sa.Engine]:
    engine = open_database(url)
    live = (
        Resource(id=ORDERS, kind="kubernetes.deployment", name="orders", attributes={"namespace": "shop", "replicas": 2}),
        Resource(id=LEDGER, kind="aws.rds.instance", name="ledger"),
    )
    edges = (Edge(source=ORDERS, target=LEDGER, relation=Relation.WRITES_TO),)
    write(engine, Collected(Scope("kubernetes", "prod", "", "all"), ScopeStatus.OK, NOON, live, edges))
    yield engine
    engine.dispose()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / "k8s").mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "remote", "add", "origin", "https://github.com/acme/shop.git")
    commit(folder, MANIFEST.format("orders"))
    return folder


def git(folder: Path, *arguments: str) -> None:
    named = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    subprocess.run(["git", *named, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, manifest: str) -> None:
    (folder / "k8s/orders.yaml").write_text(manifest)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "a change")


def test_a_repository_leads_to_what_it_deploys_and_on(engine: sa.Engine, repository: Path) -> None:
    ended = sync_repository(repository, "HEAD", engine, now=NOON)

    graph = StoredGraph(engine)
    assert ended.status is ScopeStatus.OK
    assert "1 declared, 1 of them found live" in ended.why
    assert graph.repositories() == [SHOP]
    first, last = path_between(graph, SHOP, LEDGER) or ()
    assert (first.relation, first.origin, first.target) == (Relation.DEPLOYS_TO, Origin.MANIFEST, ORDERS)
    assert first.evidence == "k8s/orders.yaml line 1 declares deployment/shop/orders"
    assert last.origin is Origin.LIVE


def test_a_live_resource_knows_where_it_is_declared(engine: sa.Engine, repository: Path) -> None:
    sync_repository(repository, "HEAD", engine, now=NOON)

    (found,) = StoredGraph(engine).declarations(ORDERS)
    assert (found.repository, found.file, found.line, found.evidence) == (SHOP, "k8s/orders.yaml", 1, "by the name orders")


def test_what_is_no_longer_declared_is_taken_back(engine: sa.Engine, repository: Path) -> None:
    sync_repository(repository, "HEAD", engine, now=NOON)
    commit(repository, MANIFEST.format("elsewhere"))

    sync_repository(repository, "HEAD", engine, now=NOON + timedelta(hours=1))

    graph = StoredGraph(engine)
    assert not graph.declarations(ORDERS)
    assert not graph.edges_from([SHOP])
    assert graph.repositories() == []  # nothing of it was found live: a change of it is evaluated from the diff
    assert set(graph.kinds_of([ORDERS])) == {ORDERS}


def test_a_manifest_that_is_not_read_takes_nothing_back(engine: sa.Engine, repository: Path) -> None:
    sync_repository(repository, "HEAD", engine, now=NOON)
    commit(repository, "apiVersion: apps/v1\nkind: Deployment\nmetadata: [\n")

    ended = sync_repository(repository, "HEAD", engine, now=NOON + timedelta(hours=1))

    assert ended.status is ScopeStatus.PARTIAL
    assert [e.target for e in StoredGraph(engine).edges_from([SHOP])] == [ORDERS]


def test_an_old_repository_does_not_make_production_look_old(engine: sa.Engine, repository: Path) -> None:
    sync_repository(repository, "HEAD", engine, now=NOON - timedelta(days=40))

    assert StoredGraph(engine).read_at() == NOON


def test_the_verb_keeps_it_and_shows_it(
    engine: sa.Engine, repository: Path, url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GONOGO_DATABASE_URL", url)

    assert main(["graph", "sync", "--repo", str(repository)]) == 0
    assert "1 declared, 1 of them found live" in capsys.readouterr().err
    assert main(["graph", "show", ORDERS]) == 0
    assert (
        "declared in github:acme/shop k8s/orders.yaml line 1, deployment/shop/orders (by the name orders)"
        in capsys.readouterr().out
    )
    assert main(["graph", "path", SHOP, LEDGER]) == 0
    assert f"{SHOP} deploys_to {ORDERS}" in capsys.readouterr().out
    assert main(["graph", "sync", "--repo", str(repository / "k8s" / "none")]) == 2
