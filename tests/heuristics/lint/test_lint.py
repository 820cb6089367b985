"""Statements of migrations by themselves: every one is listed, in its place, whatever the runner."""

import pytest

from context_graph.testing import MemoryTree
from heuristics.lint import Linted, lint, read_schema_file
from heuristics.sql import Dialect


def linted(files: dict[str, str], *paths: str, dialect: Dialect = "postgres", schema: str | None = None) -> list[Linted]:
    tree = MemoryTree({**files, "schema.sql": schema or ""})
    known = read_schema_file("schema.sql", tree, dialect=dialect)[0] if schema is not None else None
    return list(lint(paths or tuple(files), tree, dialect=dialect, server_version=None, schema=known))


def rules(statements: list[Linted]) -> list[list[str]]:
    return [[f.rule for f in s.findings] for s in statements]


def test_every_statement_is_listed_also_the_harmless_ones() -> None:
    found = linted({"a.sql": "SET lock_timeout = '2s';\nSELECT 1;\n\nCREATE INDEX i ON t (a);\nCREATE TABLE x (id int);\n"})

    assert [(s.line, s.sql) for s in found] == [
        (1, "SET lock_timeout = '2s'"),
        (2, "SELECT 1"),
        (4, "CREATE INDEX i ON t (a)"),
        (5, "CREATE TABLE x (id int)"),
    ]
    assert rules(found) == [[], [], ["postgres/index-not-concurrent"], []]


def test_a_statement_that_cannot_be_parsed_is_not_analysed_and_hides_no_other() -> None:
    found = linted({"a.sql": "SELEC 1;\nDROP TABLE t;\n"})

    assert [s.is_analysed for s in found] == [False, True]
    assert rules(found) == [["migrations/statement-not-analysed"], ["migrations/table-dropped"]]


def test_what_the_same_file_creates_blocks_nobody() -> None:
    found = linted({"a.sql": "CREATE TABLE n (id int);\nCREATE INDEX i ON n (id);\nALTER TABLE n ADD CHECK (id > 0);\n"})

    assert rules(found) == [[], [], []]


def test_a_file_of_another_history_says_nothing_about_this_one() -> None:
    found = linted({"a.sql": "CREATE TABLE n (id int);\n", "b.sql": "CREATE INDEX i ON n (id);\n"})

    assert rules(found) == [[], ["postgres/index-not-concurrent"]]


def test_earlier_migrations_of_the_folder_say_what_was_there() -> None:
    files = {
        "db/migrations/001_t.sql": "CREATE TABLE t (id bigint PRIMARY KEY, name varchar(40));\n",
        "db/migrations/002_wider.sql": "ALTER TABLE t ALTER COLUMN name TYPE varchar(80);\n",
    }

    assert rules(linted(files, "db/migrations/002_wider.sql")) == [[]]
    assert rules(linted({"002.sql": "ALTER TABLE t ALTER COLUMN name TYPE varchar(80);\n"})) == [
        ["postgres/type-change-rewrites"]
    ]


def test_a_history_is_played_in_the_order_that_parents_say() -> None:
    revision = "from alembic import op\n\nrevision = {0!r}\ndown_revision = {1!r}\n\n\ndef upgrade():\n    op.execute({2!r})\n"
    files = {
        "alembic/versions/z_first.py": revision.format("z", None, "CREATE TABLE t (name varchar(40))"),
        "alembic/versions/a_second.py": revision.format("a", "z", "ALTER TABLE t ALTER COLUMN name TYPE varchar(80)"),
    }

    found = linted(files)

    assert [s.file for s in found] == ["alembic/versions/z_first.py", "alembic/versions/a_second.py"]
    assert rules(found) == [[], []]


DUMP = """--
-- PostgreSQL database dump
--
\\restrict abc
SET search_path = '';
CREATE TABLE public.orders (id bigint NOT NULL, ref character varying(40));
ALTER TABLE public.orders OWNER TO shop;
COPY public.orders (id, ref) FROM stdin;
1\tfirst
2\tsecond; really
\\.
CREATE TABLE public.archive (id bigint NOT NULL);
ALTER TABLE ONLY public.orders ADD CONSTRAINT orders_pkey PRIMARY KEY (id);
ALTER TABLE public.orders ADD CONSTRAINT ref_there CHECK ((ref IS NOT NULL));
"""


def test_a_dump_is_the_schema_before_with_its_proofs() -> None:
    found = linted({"a.sql": "ALTER TABLE orders ALTER COLUMN ref SET NOT NULL;\n"}, "a.sql", schema=DUMP)

    assert rules(found) == [[]]


def test_in_a_dump_with_data_a_table_without_rows_is_empty_and_in_one_without_data_nothing_is_known() -> None:
    change = {"a.sql": "CREATE INDEX i ON archive (id);\n"}
    without_data = DUMP.replace(DUMP[DUMP.index("COPY") : DUMP.index("\\.\n") + 3], "")

    assert rules(linted(change, "a.sql", schema=DUMP)) == [[]]
    assert rules(linted(change, "a.sql", schema=without_data)) == [["postgres/index-not-concurrent"]]


def test_rows_of_the_runners_own_table_are_no_data() -> None:
    schema = "-- PostgreSQL database dump\nCREATE TABLE t (a int);\nINSERT INTO schema_migrations (version) VALUES ('1');\n"

    assert rules(linted({"a.sql": "CREATE INDEX i ON t (a);\n"}, "a.sql", schema=schema)) == [["postgres/index-not-concurrent"]]


def test_a_table_that_the_schema_lacks_is_not_taken_for_harmless() -> None:
    found = linted({"a.sql": "ALTER TABLE gone ALTER COLUMN a SET NOT NULL;\n"}, "a.sql", schema=DUMP)

    assert rules(found) == [["postgres/set-not-null-scan"]]
    assert found[0].facts.locks == {"gone": "AccessExclusive"}


def test_a_table_that_may_lack_and_does_is_not_touched() -> None:
    (found,) = linted({"a.sql": "ALTER TABLE IF EXISTS gone ADD COLUMN z int;\n"}, "a.sql", schema=DUMP)

    assert (found.facts.locks, found.findings) == ({}, ())


def test_locks_are_those_held_while_the_statement_runs() -> None:
    script = "BEGIN;\nALTER TABLE a ADD COLUMN z int;\nCREATE TABLE copy AS SELECT * FROM b;\nCOMMIT;\n"

    found = linted({"a.sql": script})

    assert found[2].facts.locks["a"] == "AccessExclusive"
    assert rules(found)[2] == ["migrations/backfill-in-transaction"]


def test_what_only_production_settles_is_advice() -> None:
    (found,) = linted({"a.sql": "DROP INDEX CONCURRENTLY i;\n"})

    assert found.findings == ()
    assert [f.rule for f in found.advice] == ["migrations/index-dropped"]


@pytest.mark.parametrize(
    ("path", "text", "dialect", "rule"),
    [
        ("db/migrate/20260101_i.rb", "class I < ActiveRecord::Migration[7.1]\n  def change\n    add_index :t, :a\n  end\nend\n", "postgres", "postgres/index-not-concurrent"),
        ("migrations/1_i.js", "exports.up = (knex) => knex.schema.alterTable('t', (t) => { t.index(['a']) })\n", "postgres", "postgres/index-not-concurrent"),
        ("shop/migrations/0002_i.py", "from django.db import migrations\n\n\nclass Migration(migrations.Migration):\n    operations = [migrations.RunSQL('CREATE INDEX i ON t (a)')]\n", "postgres", "postgres/index-not-concurrent"),
        ("i.py", "from alembic import op\nrevision = 'a'\ndown_revision = None\n\n\ndef upgrade():\n    op.create_index('i', 't', ['a'])\n", "postgres", "postgres/index-not-concurrent"),
        ("changelog.xml", '<databaseChangeLog><changeSet id="1" author="a"><createIndex indexName="i" tableName="t"><column name="a"/></createIndex></changeSet></databaseChangeLog>', "postgres", "postgres/index-not-concurrent"),
        ("prisma/migrations/1_i/migration.sql", "CREATE INDEX i ON t (a);\n", "postgres", "postgres/index-not-concurrent"),
        ("i.ddl", "ALTER TABLE t MODIFY a bigint;\n", "mysql", "mysql/copies-table"),
        ("m.sql", "-- +goose Up\nCREATE INDEX i ON t (a);\n-- +goose Down\nDROP TABLE t;\n", "postgres", "postgres/index-not-concurrent"),
    ],
)  # fmt: skip
def test_migrations_of_every_runner_are_read(path: str, text: str, dialect: Dialect, rule: str) -> None:
    found = linted({path: text}, path, dialect=dialect)

    assert [f.rule for s in found for f in s.findings] == [rule]


def test_code_that_is_no_migration_has_no_statements() -> None:
    assert linted({"app/models.py": "import os\n\nNAME = os.environ['NAME']\n", "data.json": "{}"}) == []
