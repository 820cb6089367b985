"""Copies whose pools open connections at their start and keep them."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.resource import Relation

DATABASE = "arn:aws:rds:eu-west-1:1:db:quotes"
DEPLOYMENT = "kubernetes:prod/shop/deployment/quotes"
MANIFEST = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: quotes, namespace: shop}}\nspec:\n  replicas: {}\n"
    "  template:\n    spec:\n      containers: [{{name: app, image: quotes}}]\n"
)


def production(*, most: int = 400, at_least: float = 238, at_peak: float = 267) -> MemoryProduction:
    made = MemoryProduction("github:acme/quotes")
    workload = made.resource(DEPLOYMENT, "kubernetes.deployment", "quotes", is_deployed=True, namespace="shop", replicas=10)
    database = made.resource(DATABASE, "aws.rds.instance", "quotes", max_connections=most)
    reports = made.resource("kubernetes:prod/shop/deployment/reports", "kubernetes.deployment", "reports", replicas=2)
    for user in (workload, reports):
        made.edge(user, database, Relation.CONNECTS_TO)
    made.metric(database, "DatabaseConnections", "Count", [at_least, at_peak] * 144)
    return made


def told(path: str, code: str, made: MemoryProduction, *, new: int = 24, more: dict[str, str] | None = None) -> list[str]:
    base = {"k8s/quotes.yaml": MANIFEST.format(10), path: code, **(more or {})}
    evaluation = evaluation_of(base, {"k8s/quotes.yaml": MANIFEST.format(new)}, made)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "connection-pool"]


GO = "package store\n\nfunc Open() {\n\tcfg.MinConns = 20\n}\n"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("store/pool.go", GO),
        ("store/pool.go", 'package store\n\nconst dsn = "host=db pool_min_conns=20"\n'),
        ("src/main/java/Pool.java", "class Pool {\n  void open() {\n    config.setMinimumIdle(20);\n  }\n}\n"),
        ("src/main/resources/application.yml", "spring:\n  datasource:\n    hikari:\n      minimum-idle: 20\n"),
        ("src/main/resources/application.properties", "spring.datasource.hikari.minimum-idle=20\n"),
        ("src/db.rs", "fn open() {\n    PgPoolOptions::new().min_connections(20);\n}\n"),
        ("app/db.py", "async def start():\n    return await asyncpg.create_pool(DSN, min_size=20, max_size=25)\n"),
        ("src/Db.cs", 'class Db {\n  const string Dsn = "Host=db;Minimum Pool Size=20";\n}\n'),
    ],
)
def test_minimums_that_exceed_what_the_server_takes_are_confirmed(path: str, code: str) -> None:
    assert told(path, code, production()) == ["confirmed"]


def test_minimums_that_the_server_takes_do_not_confirm() -> None:
    assert "confirmed" not in told("store/pool.go", GO, production(), new=16)
    assert "confirmed" not in told("store/pool.go", GO, production(most=1000))


def test_a_server_that_holds_fewer_today_is_behind_something_that_shares_connections() -> None:
    assert "confirmed" not in told("store/pool.go", GO, production(at_least=30, at_peak=60))


def test_two_minimums_may_be_of_two_programs() -> None:
    assert "confirmed" not in told("store/pool.go", GO, production(), more={"other/pool.go": GO})


def test_a_minimum_of_a_test_is_none() -> None:
    assert "confirmed" not in told("store/pool_test.go", GO, production())
