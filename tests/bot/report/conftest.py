"""Evaluations as they are published: made by the whole pipeline from a few lines."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from bot.report.published import Published
from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.evaluation import Evaluation
from gonogo.policy import Policy

DATABASE = "arn:aws:rds:eu-west-1:1:db:shop-pg"
MIGRATION = "migrations/0114_order_search_trgm.sql"
INDEX = "-- search\nSET lock_timeout = '5s';\nCREATE INDEX orders_search ON orders USING gin (search gin_trgm_ops);\n"
AT = datetime(2026, 5, 11, 9, 30, tzinfo=UTC)


def a_production(*, writes: float = 38.0) -> MemoryProduction:
    production = MemoryProduction()
    production.resource("function:checkout", "aws.lambda.function", "checkout", is_deployed=True)
    production.resource(DATABASE, "aws.rds.instance", "shop-pg", engine="postgres", engine_version="15.5")
    production.edge("function:checkout", DATABASE, "connects_to")
    table = {
        "schema": "public",
        "name": "orders",
        "row_estimate": 31e6,
        "total_bytes": 9e9,
        "writes_per_second": writes,
        "reads_per_second": 80.0,
    }
    production.database(DATABASE, tables=[table])
    return production


@pytest.fixture(scope="session")
def no_go() -> Evaluation:
    return evaluation_of({}, {MIGRATION: INDEX}, a_production())


@pytest.fixture(scope="session")
def go() -> Evaluation:
    return evaluation_of({}, {MIGRATION: INDEX}, a_production(writes=0.0001))


@pytest.fixture(scope="session")
def risky() -> Evaluation:
    return evaluation_of({}, {MIGRATION: INDEX})


@pytest.fixture
def published() -> Callable[..., Published]:
    def build(evaluation: Evaluation | None, **more) -> Published:
        given = {"number": 114, "head_sha": evaluation.head if evaluation else "a" * 40, "policy": Policy()}
        return Published(evaluation=evaluation, **(given | more))

    return build
