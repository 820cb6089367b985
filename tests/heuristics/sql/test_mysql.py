"""MySQL, MariaDB and SQLite: read, and priced as the server does."""

import json
from pathlib import Path
from typing import Any

import pytest

from heuristics.sql import Action, Catalog, Operation, Statement, simulate
from heuristics.sql.mysql import read_mysql
from heuristics.sql.replay import apply_operation
from heuristics.sql.words import Dialect

FIXTURES = Path(__file__).parents[2] / "fixtures" / "sql"
ROWS: list[dict[str, Any]] = [r for r in json.loads((FIXTURES / "mariadb_truth.json").read_text()) if r["cheapest"] != "none"]
SCHEMA = (
    "CREATE TABLE u (id bigint PRIMARY KEY, x int)",
    "CREATE TABLE t (id bigint PRIMARY KEY, a int, b text, c varchar(50), d varchar(100) NOT NULL, v200 varchar(200), e enum('a','b'), n decimal(10,2), u_id bigint)",
    "CREATE INDEX ka ON t(a)",
    "CREATE TABLE l1 (id bigint PRIMARY KEY, c varchar(50)) DEFAULT CHARSET=latin1",
)
ORDER = ("INSTANT", "NOCOPY", "INPLACE", "COPY")


def read(sql: str, dialect: Dialect = "mariadb") -> tuple[Operation, ...]:
    return read_mysql(Statement(file="x.sql", line=1, end_line=1, sql=sql, source=sql, framework="sql", dialect=dialect))


@pytest.fixture(scope="module")
def schema() -> Catalog:
    catalog = Catalog()
    for sql in SCHEMA:
        for op in read(sql):
            apply_operation(catalog, op)
    for relation in catalog.relations.values():
        relation.has_rows = True
    return catalog


@pytest.mark.parametrize("row", ROWS, ids=[r["op"] for r in ROWS])
def test_the_cheapest_accepted_algorithm_is_predicted(row: dict[str, Any], schema: Catalog) -> None:
    played = simulate(read(row["sql"]), engine="mariadb", server_version=101119, catalog=schema)

    algorithm = max((s.effect.algorithm or "INSTANT" for s in played), key=ORDER.index)
    waits = any(s.blocks_writes for s in played)
    lock = "_SHARED" if waits else "_NONE" if algorithm == "INPLACE" else ""
    assert f"{algorithm}{lock}" == row["cheapest"]


def test_asking_for_less_than_the_server_can_is_refused(schema: Catalog) -> None:
    played = simulate(
        read("ALTER TABLE t MODIFY a bigint, ALGORITHM=INPLACE, LOCK=NONE"), engine="mysql", server_version=80036, catalog=schema
    )

    assert any((s.error or "").startswith("1845") for s in played)


def test_a_change_that_only_renames_is_a_rename(schema: Catalog) -> None:
    operations = read("ALTER TABLE t CHANGE COLUMN a quantity int(11)")

    assert [op.action for op in operations] == [Action.RENAME_COLUMN, Action.ALTER_TYPE]
    assert {s.effect.algorithm for s in simulate(operations, engine="mysql", server_version=80036, catalog=schema)} == {"INSTANT"}


@pytest.mark.parametrize(
    ("sql", "action", "table"),
    [
        ("RENAME TABLE a TO b", Action.RENAME_TABLE, "a"),
        ("DROP INDEX i ON t", Action.DROP_INDEX, "t"),
        ("OPTIMIZE TABLE t", Action.VACUUM_FULL, "t"),
        ("LOCK TABLES t WRITE", Action.LOCK_TABLE, "t"),
        ("CREATE UNIQUE INDEX i ON `s`.`t` (`a`(10), b DESC) ALGORITHM=INPLACE", Action.CREATE_INDEX, "s.t"),
        ("ALTER TABLE t DROP FOREIGN KEY fk", Action.DROP_CONSTRAINT, "t"),
        ("ALTER TABLE t CONVERT TO CHARACTER SET utf8mb4", Action.REWRITE_TABLE, "t"),
        ("UPDATE t SET a = 1 WHERE b = 2", Action.UPDATE, "t"),
        ("REPLACE INTO t VALUES (1)", Action.INSERT, "t"),
        ("TRUNCATE t", Action.TRUNCATE, "t"),
    ],
)
def test_statements_are_read(sql: str, action: Action, table: str) -> None:
    (operation,) = read(sql)

    assert (operation.action, operation.table) == (action, table)


def test_a_statement_that_is_no_sql_is_visible() -> None:
    (operation,) = read("FROBNICATE THE TABLE")

    assert operation.action is Action.NOT_ANALYSED
    assert not operation.statement.is_analysed


def test_sqlite_refuses_a_required_column_without_default() -> None:
    (played,) = simulate(read("ALTER TABLE t ADD COLUMN z int NOT NULL", "sqlite"), engine="sqlite", server_version=None)

    assert played.error is not None
