"""Migrations that are SQL themselves, and text that is hostile, unreadable or no migration."""

import pytest

from context_graph.testing import MemoryTree
from heuristics.sql import Action, Operation, migrations_in, simulate

POSTGRES = {".env.example": "DATABASE_URL=postgres://localhost/x\n"}


def read(path: str, text: str, **more: str) -> tuple[Operation, ...]:
    tree = MemoryTree(POSTGRES | more | {path: text})
    return migrations_in([path], tree)


def table_of(operations: tuple[Operation, ...]) -> list[tuple[int, str, str]]:
    return [(op.statement.line, op.action.value, " ".join(op.statement.sql.split())) for op in operations]


SQL_FILES = {
    "db/migrations/1_x.sql": (
        "-- +goose NO TRANSACTION\n-- +goose Up\nCREATE INDEX a ON t (b);\n-- +goose Down\nDROP INDEX a;\n",
        "goose",
        False,
    ),
    "db/migrations/2_x.sql": ("-- +goose Up\nCREATE INDEX a ON t (b);\n-- +goose Down\nDROP INDEX a;\n", "goose", True),
    "db/migrations/3_x.sql": (
        "-- migrate:up transaction:false\nCREATE INDEX a ON t (b);\n-- migrate:down\nDROP INDEX a;\n",
        "dbmate",
        False,
    ),
    "db/migration/V4__x.sql": ("CREATE INDEX a ON t (b);\n", "flyway", True),
    "db/migration/V5__x.sql": ("CREATE INDEX CONCURRENTLY a ON t (b);\n", "flyway", False),
    "migrations/6_x.up.sql": ("CREATE INDEX a ON t (b);\n", "golang-migrate", False),
    "prisma/migrations/7_x/migration.sql": ("CREATE INDEX a ON t (b);\n", "prisma", False),
    "supabase/migrations/8_x.sql": ("CREATE INDEX a ON t (b);\n", "supabase", True),
    "migrations/9_x/up.sql": ("CREATE INDEX a ON t (b);\n", "diesel", True),
}


@pytest.mark.parametrize("path", SQL_FILES)
def test_sql_files_run_as_their_runner_runs_them(path: str) -> None:
    text, runner, in_transaction = SQL_FILES[path]

    (operation,) = read(path, text)

    assert operation.statement.framework == runner
    assert operation.statement.in_transaction is in_transaction


def test_several_statements_in_one_message_are_an_implicit_transaction() -> None:
    text = "SET lock_timeout = '30s';\nCREATE INDEX CONCURRENTLY i ON t (a);\n"

    played = simulate(read("prisma/migrations/7_x/migration.sql", text), engine="postgres", server_version=15)

    assert (played[1].error or "").startswith("25001")


@pytest.mark.parametrize(
    "path", ["migrations/6_x.down.sql", "db/structure.sql", "README.md", "app/models/user.rb", "src/index.ts"]
)
def test_other_files_are_no_migrations(path: str) -> None:
    assert read(path, "DROP TABLE a;") == ()


def test_templates_commands_and_data_do_not_hide_statements() -> None:
    text = (
        "\\set x 1\nALTER TABLE {{ .schema }}.t ADD COLUMN z int;\nCOPY t FROM stdin;\n1\tdrop; table\n\\.\n"
        "DO $$ BEGIN EXECUTE 'CREATE INDEX i ON t(b)'; END $$;\nthis is no sql;\n"
    )

    operations = read("db/migrations/1_x.sql", text)

    assert [(op.statement.line, op.action.value) for op in operations] == [
        (2, "add_column"),
        (3, "insert"),
        (6, "other"),
        (6, "create_index"),
        (7, "not_analysed"),
    ]
    assert operations[0].table == "{{ .schema }}.t"


def test_a_function_that_the_migration_calls_is_looked_into() -> None:
    text = "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ALTER TABLE t ADD COLUMN z int; END $$;\nSELECT f();\n"

    operations = read("db/migrations/1_x.sql", text)

    assert [(op.statement.line, op.action.value) for op in operations] == [
        (1, "create_function"),
        (2, "select"),
        (2, "add_column"),
    ]


def test_a_migration_that_can_not_be_read_is_visible() -> None:
    (operation,) = read("app/migrations/0001_x.py", "from django.db import migrations.Migration (((\n")

    assert operation.action is Action.NOT_ANALYSED


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT " + "||".join(["a"] * 60_000),
        "SELECT " + "(" * 50_000 + "1" + ")" * 50_000,
        "CREATE TABLE t (a int CHECK (" + "not " * 30_000 + "true))",
        "DO $$ BEGIN " + "IF a THEN " * 20_000 + "NULL; " + "END IF; " * 20_000 + "END $$",
        "DO $x$" * 5_000,
        "/*" * 50_000,
        "'" * 99_999,
    ],
)
def test_hostile_sql_is_refused_and_does_not_crash(sql: str) -> None:
    operations = read("db/migrations/1_x.sql", sql)

    assert all(op.action in (Action.NOT_ANALYSED, Action.OTHER) for op in operations)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "migrations/versions/a.py",
            "revision = 'a'\nfrom alembic import op\ndef upgrade():\n    op.execute(" + "(" * 5_000 + ")" * 5_000 + ")\n",
        ),
        (
            "migrations/versions/a.py",
            "revision='a'\nfrom alembic import op\ndef upgrade():\n    op.execute(" + "'a'+" * 3_000 + "'a')\n",
        ),
        ("db/migrate/1_x.rb", "class X < ActiveRecord::Migration[7]\ndef change\nexecute " + "[" * 9_000 + "\nend\nend\n"),
        ("migrations/1_x.js", "exports.up = (knex) => knex" + ".schema.raw('select 1')" * 3_000 + ";\n"),
        ("db/changelog/1.xml", "<databaseChangeLog>" + "<a>" * 50_000),
        ("db/changelog/1.yaml", "databaseChangeLog: " + "[" * 20_000),
    ],
)
def test_deeply_nested_source_does_not_crash(path: str, text: str) -> None:
    assert isinstance(read(path, text), tuple)
