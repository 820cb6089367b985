"""DDL on live tables: what blocks, what only looks as if it did, and what nobody can say."""

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.evaluation import Evaluation
from gonogo.trajectory import Status

MIGRATION = "db/migrations/00012_change.sql"
DATABASE = "arn:aws:rds:eu-west-1:1:db:shop-pg"


def _production(**table: object) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    service = production.resource("kubernetes:prod/shop/deployment/web", "kubernetes.deployment", "web", is_deployed=True)
    database = production.resource(DATABASE, "aws.rds.instance", "shop-pg")
    production.edge(service, database, "writes_to")
    busy = {
        "name": "orders",
        "row_estimate": 40_000_000,
        "total_bytes": 9e9,
        "writes_per_second": 35.0,
        "reads_per_second": 300.0,
    }
    more = {k: table.pop(k) for k in ("engine", "version", "settings", "constraints", "longest_transaction_s") if k in table}
    production.database(database, tables=[busy | table], **more)
    return production


def _says(
    sql: str, production: MemoryProduction | None, *, path: str = MIGRATION, base: dict[str, str] | None = None
) -> Evaluation:
    return evaluation_of({"app/main.py": "x = 1\n", **(base or {})}, {path: sql}, production)


def _statuses(evaluation: Evaluation) -> set[Status]:
    return {e.status for e in evaluation.ledger if e.trajectory.playbook == "lock-on-live-table"}


def test_a_plain_index_on_a_busy_table_blocks_its_writes() -> None:
    said = _says("-- +goose Up\nCREATE INDEX orders_customer_idx ON orders (customer_id);\n", _production())

    assert _statuses(said) == {Status.CONFIRMED}
    assert said.verdict == "no-go"


def test_a_check_without_not_valid_blocks_reads_too() -> None:
    migration = 'from alembic import op\n\nrevision = "b"\ndown_revision = "a"\n\n\ndef upgrade():\n    op.create_check_constraint("c", "orders", "total >= 0")\n'
    said = _says(migration, _production(), path="migrations/versions/b_check.py")

    (entry,) = [e for e in said.ledger if e.trajectory.playbook == "lock-on-live-table"]
    assert entry.status is Status.CONFIRMED
    assert "reads (300 per second)" in entry.trajectory.links[-1].claim


def test_a_rewrite_in_a_scheduled_job_blocks_the_table() -> None:
    job = 'kind: CronJob\nspec:\n  command: ["psql", "-c", "VACUUM (FULL, ANALYZE) orders"]\n'
    said = _says(job, _production(), path="jobs/vacuum.yaml")

    assert _statuses(said) == {Status.CONFIRMED}


def test_a_concurrent_index_outside_a_transaction_is_refuted() -> None:
    said = _says("-- +goose NO TRANSACTION\n-- +goose Up\nCREATE INDEX CONCURRENTLY i ON orders (customer_id);\n", _production())

    assert _statuses(said) == {Status.REFUTED}
    assert said.verdict == "go"


def test_a_tiny_table_is_refuted() -> None:
    said = _says(
        "CREATE INDEX i ON orders (customer_id);\n", _production(row_estimate=380, total_bytes=98_304, writes_per_second=0.002)
    )

    assert _statuses(said) == {Status.REFUTED}


def test_an_idle_table_is_refuted() -> None:
    said = _says(
        "VACUUM FULL orders;\n", _production(writes_per_second=0.0, reads_per_second=0.0), path="migrations/0012_vacuum.sql"
    )

    assert _statuses(said) <= {Status.REFUTED}


def test_a_table_of_this_change_is_refuted() -> None:
    rails = "class A < ActiveRecord::Migration[7.1]\n  def change\n    create_table :wishes do |t|\n      t.bigint :owner_id\n    end\n    add_index :wishes, :owner_id\n  end\nend\n"
    said = _says(rails, _production(), path="db/migrate/20260101000000_wishes.rb")

    assert said.verdict == "go"
    assert Status.CONFIRMED not in _statuses(said)


def test_not_null_with_a_validated_check_in_production_is_refuted() -> None:
    check = [
        {
            "schema": "public",
            "table": "orders",
            "name": "c",
            "type": "check",
            "definition": "CHECK ((slot IS NOT NULL))",
            "validated": True,
        }
    ]
    said = _says("SET lock_timeout = '2s';\nALTER TABLE orders ALTER COLUMN slot SET NOT NULL;\n", _production(constraints=check))

    assert _statuses(said) == {Status.REFUTED}


def test_not_null_with_a_check_that_is_not_validated_is_confirmed() -> None:
    check = [
        {
            "schema": "public",
            "table": "orders",
            "name": "c",
            "type": "check",
            "definition": "CHECK ((slot IS NOT NULL))",
            "validated": False,
        }
    ]
    said = _says("ALTER TABLE orders ALTER COLUMN slot SET NOT NULL;\n", _production(constraints=check))

    assert Status.CONFIRMED in _statuses(said)


def test_a_statement_timeout_bounds_the_wait() -> None:
    said = _says("SET statement_timeout = '100ms';\nCREATE INDEX i ON orders (customer_id);\n", _production())

    assert _statuses(said) == {Status.REFUTED}


def test_without_statistics_the_question_names_the_table_and_the_query() -> None:
    said = _says("CREATE INDEX i ON orders (customer_id);\n", None)

    (entry,) = [e for e in said.ledger if e.trajectory.playbook == "lock-on-live-table"]
    assert entry.status is Status.PLAUSIBLE
    assert any(
        "orders" in (link.question or "") and "pg_stat_user_tables" in (link.query or "") for link in entry.trajectory.links
    )


def test_a_brief_lock_behind_long_transactions_is_a_question() -> None:
    said = _says(
        "ALTER TABLE orders ADD COLUMN note text;\n", _production(longest_transaction_s=1800, settings={"lock_timeout": "0"})
    )

    assert _statuses(said) == {Status.PLAUSIBLE}


def test_an_added_nullable_column_says_nothing() -> None:
    assert _statuses(_says("ALTER TABLE orders ADD COLUMN note text;\n", _production())) == set()


def test_a_foreign_key_from_a_table_of_unknown_size_is_a_question_however_large_its_parent_is() -> None:
    said = _says("ALTER TABLE coupons ADD CONSTRAINT f FOREIGN KEY (order_id) REFERENCES orders (id);\n", _production())

    assert _statuses(said) == {Status.PLAUSIBLE}


def test_emptying_a_table_that_is_read_is_a_question_and_no_lock() -> None:
    assert _statuses(_says("TRUNCATE orders;\n", _production())) == {Status.PLAUSIBLE}


def test_a_mysql_copy_blocks_writes() -> None:
    pom = {"pom.xml": "<artifactId>mysql-connector-j</artifactId>\n<artifactId>flyway-mysql</artifactId>\n"}
    columns = [{"name": "note", "type": "varchar(500)", "nullable": True}]
    production = _production(engine="mysql", version="8.0.36", columns=columns)
    path = "src/main/resources/db/migration/V9__note.sql"

    copied = _says("ALTER TABLE orders MODIFY COLUMN note TEXT NULL;\n", production, path=path, base=pom)
    instant = _says(
        "ALTER TABLE orders ADD COLUMN lang VARCHAR(8) NOT NULL DEFAULT 'en', ALGORITHM=INSTANT;\n",
        production,
        path=path,
        base=pom,
    )

    assert _statuses(copied) == {Status.CONFIRMED}
    assert _statuses(instant) == {Status.REFUTED}


def test_an_applied_file_that_is_edited_does_not_run_again() -> None:
    path = "migrations/000012_i.up.sql"
    production = _production()
    production.servers[0] = production.servers[0].model_copy(update={"applied_migrations": ["14"]})
    said = _says(
        "-- why\nCREATE INDEX i ON orders (customer_id);\n",
        production,
        path=path,
        base={path: "CREATE INDEX i ON orders (customer_id);\n"},
    )

    assert _statuses(said) == set()


def test_only_the_new_change_set_of_a_changelog_runs() -> None:
    path = "src/main/resources/db/changelog/changes.sql"
    old = "--liquibase formatted sql\n--changeset a:1\nCREATE INDEX i ON orders (customer_id);\n"
    said = _says(old + "--changeset a:2\nALTER TABLE orders ADD COLUMN note text;\n", _production(), path=path, base={path: old})

    assert _statuses(said) == set()
