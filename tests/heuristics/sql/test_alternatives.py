"""Every safe alternative that is printed is safe by the same model."""

import pytest

from heuristics.sql import Catalog, Operation, Statement, safe_alternative, safe_statements, simulate
from heuristics.sql.postgres import read_postgres
from heuristics.sql.replay import apply_operation

HAZARDS = (
    "CREATE INDEX i ON t (a)",
    "CREATE UNIQUE INDEX i ON t USING btree (lower(b)) WHERE a > 0",
    "DROP INDEX t_a_idx",
    "REINDEX TABLE t",
    "REINDEX INDEX t_a_idx",
    "ALTER TABLE t ADD COLUMN z int NOT NULL",
    "ALTER TABLE t ADD COLUMN z uuid NOT NULL DEFAULT gen_random_uuid()",
    "ALTER TABLE t ADD COLUMN z int DEFAULT 1 CHECK (z > 0)",
    "ALTER TABLE t ADD COLUMN z int UNIQUE",
    "ALTER TABLE t ADD COLUMN z bigint DEFAULT 1 REFERENCES u(id)",
    "ALTER TABLE t ALTER COLUMN a SET NOT NULL",
    "ALTER TABLE t ADD CONSTRAINT fk FOREIGN KEY (a) REFERENCES u(id)",
    "ALTER TABLE t ADD CHECK (a > 0)",
    "ALTER TABLE t ADD CONSTRAINT uq UNIQUE (a)",
    "ALTER TABLE t ADD PRIMARY KEY (a)",
    "ALTER TABLE t ALTER COLUMN a TYPE bigint",
    "ALTER TABLE p DETACH PARTITION p1",
    "REFRESH MATERIALIZED VIEW mv",
)
SCHEMA = (
    "CREATE TABLE u (id bigint PRIMARY KEY)",
    "CREATE TABLE t (a int, b text)",
    "CREATE INDEX t_a_idx ON t (a)",
    "CREATE TABLE p (k int NOT NULL) PARTITION BY RANGE (k)",
    "CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (10)",
    "CREATE MATERIALIZED VIEW mv AS SELECT a FROM t",
)


def read(sql: str, *, framework: str = "sql", line: int = 1, transaction: str | None = None) -> tuple[Operation, ...]:
    return read_postgres(
        Statement(
            file="x",
            line=line,
            end_line=line,
            sql=sql,
            source=sql,
            framework=framework,
            dialect="postgres",
            transaction=transaction,
        )
    )


@pytest.fixture
def schema() -> Catalog:
    catalog = Catalog(is_complete=True)
    for sql in SCHEMA:
        for op in read(sql):
            apply_operation(catalog, op)
    for relation in catalog.relations.values():
        relation.has_rows = True
    return catalog


@pytest.mark.parametrize("sql", HAZARDS)
def test_a_safe_alternative_is_online_step_by_step(sql: str, schema: Catalog) -> None:
    (operation,) = read(sql)

    steps = safe_statements(operation)

    assert steps
    for step in steps:
        stands_alone = any("CONCURRENTLY" in s for s in step)
        operations = [
            op
            for line, text in enumerate(step)
            if not text.startswith("--")
            for op in read(text, line=line, transaction=None if stands_alone else "step")
        ]
        played = simulate(operations, engine="postgres", server_version=15, catalog=schema)
        assert all(s.effect.is_online and not s.slow_under for s in played), (sql, step)
        for op in operations:
            apply_operation(schema, op)


@pytest.mark.parametrize(
    ("framework", "words"),
    [
        ("alembic", ("autocommit_block", "postgresql_concurrently=True")),
        ("rails", ("disable_ddl_transaction!", "algorithm: :concurrently")),
        ("django", ("atomic = False", "AddIndexConcurrently")),
        ("ecto", ("@disable_ddl_transaction true", "concurrently: true")),
        ("goose", ("CREATE INDEX CONCURRENTLY i ON t (a)", "NO TRANSACTION")),
        ("sql", ("CREATE INDEX CONCURRENTLY i ON t (a)",)),
    ],
)
def test_an_alternative_speaks_the_words_of_its_framework(framework: str, words: tuple[str, ...]) -> None:
    (operation,) = read("CREATE INDEX i ON t (a)", framework=framework)

    text = safe_alternative(operation)

    assert all(word in text for word in words)


def test_what_is_safe_has_no_alternative() -> None:
    for sql in ("CREATE INDEX CONCURRENTLY i ON t (a)", "ALTER TABLE t ADD COLUMN z int", "DROP INDEX CONCURRENTLY i"):
        assert safe_alternative(read(sql)[0]) == ""
