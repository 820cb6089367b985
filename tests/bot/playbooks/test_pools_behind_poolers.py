"""Bigger pools of clients that connect to a pooler, which alone connects to the database."""

from typing import Any

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

VALUES = 'replicaCount: 12\nenv:\n  DB_POOL_SIZE: "15"\n'


def _rail(kind: str, name: str, *, pods: int = 12, pooler: int = 2, **settings: Any) -> MemoryProduction:
    production = MemoryProduction()
    seats = production.resource(
        "kubernetes:c/sales/deployment/seats", "kubernetes.deployment", "seats", is_deployed=True, replicas=pods
    )
    between = production.resource("kubernetes:c/sales/x/between", kind, name, replicas=pooler, **settings)
    database = production.resource("arn:aws:rds:eu-west-1:1:db:sales", "aws.rds.instance", "sales", max_connections=400)
    production.edge(seats, between, "connects_to")
    production.edge(between, database, "connects_to")
    production.metric(database, "DatabaseConnections", "Count", 190)
    return production


def _statuses(production: MemoryProduction, new: str = "40") -> list[Status]:
    said = evaluation_of({"helm/values-prod.yaml": VALUES}, {"helm/values-prod.yaml": VALUES.replace("15", new)}, production)
    return [e.status for e in said.ledger if e.trajectory.playbook == "connection-pool"]


@pytest.mark.parametrize(
    ("kind", "name", "settings"),
    [
        ("kubernetes.deployment", "pgbouncer", {"pool_mode": "transaction", "max_client_conn": 3000, "default_pool_size": 60}),
        ("kubernetes.deployment", "sales-pgcat", {"pool_mode": "transaction", "max_clients": 3000}),
        ("kubernetes.deployment", "sales-pool", {"pool_mode": "statement", "max_client_conn": 3000}),
        ("kubernetes.pooler.postgresql.cnpg.io", "sales", {"pool_mode": "transaction", "max_client_conn": 3000}),
    ],
)
def test_a_pooler_that_takes_all_clients_refutes_it(kind: str, name: str, settings: dict[str, Any]) -> None:
    assert _statuses(_rail(kind, name, **settings)) == [Status.REFUTED]


def test_near_the_limit_of_the_pooler_it_is_a_question() -> None:
    production = _rail("kubernetes.deployment", "pgbouncer", pool_mode="transaction", max_client_conn=300)

    assert _statuses(production) == [Status.PLAUSIBLE]


def test_more_clients_than_the_pooler_takes_are_a_question_until_the_pools_are_known_to_fill() -> None:
    production = _rail("kubernetes.deployment", "pgbouncer", pooler=1, pool_mode="transaction", max_client_conn=100)

    assert _statuses(production) == [Status.PLAUSIBLE]


def test_a_pooler_that_keeps_connections_for_a_session_shares_nothing() -> None:
    assert _statuses(_rail("kubernetes.deployment", "pgbouncer", pool_mode="session", max_client_conn=3000)) == []


def test_a_workload_that_also_connects_to_the_database_itself_is_not_behind_the_pooler() -> None:
    production = _rail("kubernetes.deployment", "pgbouncer", pool_mode="transaction", max_client_conn=3000)
    production.database("arn:aws:rds:eu-west-1:1:db:sales", settings={"max_connections": "400"})
    production.edge("kubernetes:c/sales/deployment/seats", "arn:aws:rds:eu-west-1:1:db:sales", "connects_to")

    assert Status.REFUTED not in _statuses(production)
