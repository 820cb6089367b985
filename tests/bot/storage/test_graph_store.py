"""The persistent graph, on SQLite and on a real PostgreSQL: what a sync may change and what it may not."""

from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from uuid import uuid4

import pytest
import sqlalchemy as sa

import bot.storage.app_tables  # noqa: F401  the same database has them
from bot.storage.database import migrate, open_database
from bot.storage.graph import StoredGraph
from bot.storage.graph_writer import write
from bot.storage.tables import EDGE, METADATA, NODE, SCOPE
from context_graph.affected import affected_resources
from context_graph.collecting import Collected, Scope, ScopeStatus
from gonogo.errors import CallError
from gonogo.resource import Edge, Origin, Relation, Resource

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
LAMBDA = Scope("aws", "1", "eu-west-1", "lambda")
QUEUES = Scope("aws", "1", "eu-west-1", "sqs")


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[sa.Engine]:
    if request.param == "sqlite":
        engine = open_database(f"sqlite:///{tmp_path}/graph.db")
    else:
        server = sa.make_url(request.getfixturevalue("postgres_url"))
        name = f"t{uuid4().hex}"
        admin = sa.create_engine(server.set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
        with admin.connect() as connection:
            connection.exec_driver_sql(f"CREATE DATABASE {name}")
        admin.dispose()
        engine = open_database(server.set(database=name).render_as_string(hide_password=False))
    yield engine
    engine.dispose()


def a_function(name: str, **attributes: object) -> Resource:
    return Resource(id=f"arn:{name}", kind="aws.lambda.function", name=name, attributes=attributes)


def an_edge(source: str, target: str, relation: str = "invokes", **more: object) -> Edge:
    return Edge(source=f"arn:{source}", target=f"arn:{target}", relation=Relation(relation), **more)


def answer(
    *names: str, scope: Scope = LAMBDA, status: ScopeStatus = ScopeStatus.OK, hours: int = 0, edges: tuple[Edge, ...] = ()
) -> Collected:
    return Collected(scope, status, NOON + timedelta(hours=hours), [a_function(n) for n in names], edges)


def listed(engine: sa.Engine, *names: str) -> set[str]:
    return {at.removeprefix("arn:") for at in StoredGraph(engine).kinds_of([f"arn:{n}" for n in names])}


def test_what_was_written_is_read_back_with_its_configuration(engine: sa.Engine) -> None:
    write(engine, Collected(LAMBDA, ScopeStatus.OK, NOON, [a_function("a", timeout_s=3, environment_keys=["X"])]))

    [found] = StoredGraph(engine).resources(["arn:a", "arn:unknown"])

    assert found == a_function("a", timeout_s=3, environment_keys=["X"])
    assert StoredGraph(engine).read_at() == NOON


def test_what_an_ok_scope_no_longer_lists_is_retired_with_its_edges(engine: sa.Engine) -> None:
    write(engine, answer("a", "b", edges=(an_edge("a", "b"),)))
    write(engine, answer("b", hours=1))

    assert listed(engine, "a", "b") == {"b"}
    assert StoredGraph(engine).edges_from(["arn:a"]) == []
    assert StoredGraph(engine).in_degrees(["arn:b"]) == {"arn:b": 0}


@pytest.mark.parametrize("status", [s for s in ScopeStatus if s is not ScopeStatus.OK])
def test_an_answer_that_is_not_ok_retires_nothing(engine: sa.Engine, status: ScopeStatus) -> None:
    write(engine, answer("a", "b", edges=(an_edge("a", "b"),)))
    write(engine, answer("b", status=status, hours=1))

    assert listed(engine, "a", "b") == {"a", "b"}
    assert len(StoredGraph(engine).edges_from(["arn:a"])) == 1
    assert StoredGraph(engine).read_at() == NOON


def test_one_scope_never_touches_what_another_one_listed(engine: sa.Engine) -> None:
    write(engine, answer("a", scope=LAMBDA))
    write(engine, answer("b", scope=QUEUES, hours=1))
    write(engine, answer(scope=Scope("aws", "2", "eu-west-1", "lambda"), hours=2))

    assert listed(engine, "a", "b") == {"a", "b"}


def test_an_edge_belongs_to_the_collector_that_saw_it(engine: sa.Engine) -> None:
    write(engine, answer("a", "b", edges=(an_edge("a", "b"),)))
    write(engine, answer("q", scope=QUEUES, edges=(an_edge("a", "b"), an_edge("q", "a", "triggers"))))
    write(engine, answer("q", scope=QUEUES, hours=1))

    assert [e.target for e in StoredGraph(engine).edges_from(["arn:a"])] == ["arn:b"]
    assert StoredGraph(engine).edges_to(["arn:a"]) == []


def test_a_retired_resource_that_comes_back_is_there_again(engine: sa.Engine) -> None:
    for hours, names in enumerate([("a",), (), ("a",)]):
        write(engine, answer(*names, hours=hours))

    assert listed(engine, "a") == {"a"}
    with engine.connect() as connection:
        first, last = connection.execute(sa.select(NODE.c.first_seen, NODE.c.last_seen)).one()
    assert (first, last) == (NOON, NOON + timedelta(hours=2))


def test_an_older_reading_that_arrives_late_changes_nothing(engine: sa.Engine) -> None:
    assert write(engine, answer("a", "b", hours=2))
    assert not write(engine, answer("a", hours=1))

    assert listed(engine, "a", "b") == {"a", "b"}


def test_a_target_that_nobody_listed_is_an_end_of_an_edge_and_no_known_resource(engine: sa.Engine) -> None:
    write(engine, answer("a", edges=(an_edge("a", "elsewhere"),)))

    assert listed(engine, "elsewhere") == set()
    assert [e.target for e in StoredGraph(engine).edges_from(["arn:a"])] == ["arn:elsewhere"]


def test_edges_of_different_relations_stay_apart_and_a_live_one_wins_over_a_declared_one(engine: sa.Engine) -> None:
    edges = (an_edge("a", "b"), an_edge("a", "b", "reads_from"), an_edge("a", "b", origin=Origin.MANIFEST))
    write(engine, answer("a", "b", edges=edges[:2]))
    write(engine, answer(scope=Scope("manifests", "github:acme/shop", "", ""), edges=edges[2:], hours=1))

    found = {(e.relation.value, e.origin.value) for e in StoredGraph(engine).edges_from(["arn:a"])}

    assert found == {("invokes", "live"), ("reads_from", "live")}


def test_a_name_is_found_by_kind_and_name_and_only_so(engine: sa.Engine) -> None:
    write(engine, answer("orders"))

    graph = StoredGraph(engine)

    assert graph.named(["aws.lambda.function"], ["orders"]) == {"arn:orders": ("aws.lambda.function", "orders")}
    assert graph.named(["aws.sqs.queue"], ["orders"]) == {}


def test_the_walk_over_the_store_stops_at_a_hub(engine: sa.Engine) -> None:
    crowd = [f"c{i}" for i in range(250)]
    edges = [an_edge(name, "key", "depends_on") for name in crowd]
    edges += [an_edge("repo", "a", "deploys_to"), an_edge("a", "key", "depends_on"), an_edge("key", "beyond")]
    write(engine, answer("repo", "a", "key", "beyond", *crowd, edges=tuple(edges)))

    found, gaps = affected_resources("arn:repo", (), StoredGraph(engine))

    assert {f.resource for f in found} == {"arn:a", "arn:key"}
    assert "251 others depend on it" in gaps[0].why


def test_scopes_written_at_the_same_time_lose_nothing(engine: sa.Engine) -> None:
    scopes = [Scope("aws", "1", f"region-{i}", "lambda") for i in range(8)]

    def one(i: int) -> None:
        edges = tuple(an_edge(f"{i}-{n}", "shared", "depends_on") for n in range(20))
        write(engine, answer(*(f"{i}-{n}" for n in range(20)), scope=scopes[i], edges=edges))

    threads = [Thread(target=one, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert StoredGraph(engine).in_degrees(["arn:shared"]) == {"arn:shared": 160}
    with engine.connect() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(SCOPE)).scalar_one() == 8
        assert connection.execute(sa.select(sa.func.count()).select_from(EDGE)).scalar_one() == 160


def test_the_migrations_make_exactly_the_tables_that_the_code_names(engine: sa.Engine) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    migrate(engine)
    with engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), METADATA)

    assert differences == []


@pytest.mark.parametrize("url", ["mysql://x/y", "nonsense", ""])
def test_another_database_is_refused_with_what_to_write(url: str) -> None:
    with pytest.raises(CallError, match="sqlite"):
        open_database(url)
