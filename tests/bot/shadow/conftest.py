"""A change in a production with two tables, and the throw-away database of it."""

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

import pytest

from bot.evaluation.mapping import map_change
from bot.shadow.binaries import server_binaries
from bot.shadow.throw_away import ThrowAwayDatabase
from bot.testing import MemoryRepository
from context_graph.gather import gather_context
from context_graph.testing_production import MemoryProduction
from gonogo.change import Side
from gonogo.policy import Policy
from gonogo.ports import SourceTree
from heuristics.rule import RuleContext

DATABASE = "arn:aws:rds:eu-west-1:1:db:orders"
TABLES = [
    {
        "name": "orders",
        "row_estimate": 41_000_000,
        "columns": [
            {"name": "id", "type": "bigint", "nullable": False},
            {"name": "customer_id", "type": "bigint"},
            {"name": "status", "type": "order_status"},
            {"name": "note", "type": "text", "default": "''::text"},
        ],
    },
    {"name": "customers", "columns": {"id": "bigint", "email": "text"}},
    {"name": "unrelated", "columns": {"id": "bigint"}},
]
INDEXES = [{"schema": "public", "table": "orders", "name": "orders_note", "definition": "CREATE INDEX orders_note ON public.orders USING btree (note)"}]  # fmt: skip
CONSTRAINTS = [
    {"table": "orders", "name": "orders_pkey", "type": "PRIMARY KEY", "definition": "PRIMARY KEY (id)"},
    {"table": "customers", "name": "customers_pkey", "type": "PRIMARY KEY", "definition": "PRIMARY KEY (id)"},
]


def a_context(
    tables: Sequence[Mapping[str, Any]] = TABLES, *, base: Mapping[str, str] | None = None, engine: str = "postgres", **more: Any
) -> RuleContext:
    production = MemoryProduction("github:acme/shop")
    production.resource(DATABASE, "aws.rds.instance", "orders", is_deployed=True)
    facts = {"indexes": INDEXES, "constraints": CONSTRAINTS} | more
    production.database(DATABASE, engine=engine, tables=tables, **facts)
    before = {"app.py": "x = 1\n", **(base or {})}
    repository = MemoryRepository(before, {**before, "app.py": "x = 2\n"})
    changes = repository.changes()
    trees: dict[Side, SourceTree] = {"base": repository.tree("base"), "head": repository.tree("head")}
    mapped = map_change(changes, trees, production, Policy())
    return mapped.rule_context(changes, trees, gather_context(production, mapped.ids, mapped.edges))


@pytest.fixture(scope="session")
def context() -> Callable[..., RuleContext]:
    """A change in a production with these tables."""
    return a_context


@pytest.fixture(scope="session")
def _server_is_installed() -> None:
    if server_binaries() is None:
        pytest.skip("no PostgreSQL server binaries; install the package postgresql")


@pytest.fixture(scope="module")
def shadow(_server_is_installed: None) -> Generator[ThrowAwayDatabase]:
    """The throw-away database of that change, for tests that leave it alive."""
    database = ThrowAwayDatabase(a_context())
    yield database
    database.close()


@pytest.fixture
def own_shadow(_server_is_installed: None) -> Generator[Callable[..., ThrowAwayDatabase]]:
    """One for a test alone, on a production of its own."""
    opened: list[ThrowAwayDatabase] = []

    def build(*arguments: Any, **more: Any) -> ThrowAwayDatabase:
        opened.append(ThrowAwayDatabase(a_context(*arguments, **more)))
        return opened[-1]

    yield build
    for one in opened:
        one.close()
