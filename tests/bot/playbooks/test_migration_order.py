"""Histories that refuse or skip a migration, runners that can't run a statement, and code that comes too early."""

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.evaluation import Evaluation
from gonogo.trajectory import Status

DATABASE = "arn:aws:rds:eu-west-1:1:db:tariffs"
COLUMNS = [{"name": "id", "type": "bigint"}, {"name": "region", "type": "text"}]


def _production(applied: object = None, **table: object) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    service = production.resource("arn:aws:ecs:eu-west-1:1:service/core/tariffs", "aws.ecs.service", "tariffs", is_deployed=True)
    production.resource(DATABASE, "aws.rds.instance", "tariffs")
    production.edge(service, DATABASE, "reads_from")
    tariffs = {
        "name": "tariffs",
        "row_estimate": 640,
        "total_bytes": 120_000,
        "writes_per_second": 0.5,
        "reads_per_second": 23.0,
        "columns": COLUMNS,
    }
    production.database(DATABASE, tables=[tariffs | table], applied_migrations=applied)
    return production


def _statuses(evaluation: Evaluation) -> list[Status]:
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "migration-order"]


ADD = "ALTER TABLE tariffs ADD COLUMN valid_to date;\n"
OLD_QUERY = 'package t\nconst q = "SELECT id FROM tariffs WHERE region = $1"\n'
NEW_QUERY = 'package t\nconst q = "SELECT id FROM tariffs WHERE region = $1 AND valid_to IS NULL"\n'


def test_a_skipped_migration_whose_column_the_code_needs_is_confirmed() -> None:
    said = evaluation_of({"t.go": OLD_QUERY}, {"t.go": NEW_QUERY, "db/20260420_valid_to.up.sql": ADD}, _production(["20260506"]))

    assert _statuses(said) == [Status.CONFIRMED]


def test_the_same_id_above_productions_newest_says_nothing() -> None:
    said = evaluation_of({"t.go": OLD_QUERY}, {"t.go": NEW_QUERY, "db/20260607_valid_to.up.sql": ADD}, _production(["20260506"]))

    assert _statuses(said) == []


def test_flyway_refuses_an_older_version() -> None:
    said = evaluation_of({}, {"src/main/resources/db/migration/V13__valid_to.sql": ADD}, _production(["12", "14"]))

    assert _statuses(said) == [Status.CONFIRMED]


def test_flyway_with_out_of_order_takes_it() -> None:
    settings = {"src/main/resources/application.properties": "spring.flyway.out-of-order=true\n"}
    said = evaluation_of(settings, {"src/main/resources/db/migration/V13__valid_to.sql": ADD}, _production(["12", "14"]))

    assert _statuses(said) == [Status.REFUTED]


def test_an_edited_comment_of_an_applied_flyway_file_fails_its_checksum() -> None:
    path = "src/main/resources/db/migration/V14__cents.sql"
    said = evaluation_of({path: "-- gross\n" + ADD}, {path: "-- net\n" + ADD}, _production(["13", "14"]))

    assert _statuses(said) == [Status.CONFIRMED]


def test_golang_migrate_never_looks_at_it_again() -> None:
    path = "migrations/000014_cents.up.sql"
    said = evaluation_of({path: "-- gross\n" + ADD}, {path: "-- net\n" + ADD}, _production(["15"]))

    assert _statuses(said) == [Status.REFUTED]


def test_an_edit_of_a_file_that_is_not_applied_says_nothing() -> None:
    path = "src/main/resources/db/migration/V14__cents.sql"
    said = evaluation_of({path: "-- gross\n" + ADD}, {path: "-- net\n" + ADD}, _production(["12", "13"]))

    assert _statuses(said) == []


def _revision(name: str, parent: str | None) -> str:
    said = f'"{parent}"' if parent else "None"
    return f'from alembic import op\nimport sqlalchemy as sa\n\nrevision = "{name}"\ndown_revision = {said}\n\n\ndef upgrade():\n    op.add_column("tariffs", sa.Column("{name}", sa.Integer))\n'


def test_a_second_head_is_confirmed() -> None:
    base = {f"alembic/versions/{n}.py": _revision(n, p) for n, p in (("e49", None), ("e50", "e49"), ("e51", "e50"))}
    said = evaluation_of(base, {"alembic/versions/e52.py": _revision("e52", "e50")}, _production(["e51"]))

    assert _statuses(said) == [Status.CONFIRMED]


def test_a_second_head_that_the_same_change_merges_is_refuted() -> None:
    base = {f"alembic/versions/{n}.py": _revision(n, p) for n, p in (("e49", None), ("e50", "e49"), ("e51", "e50"))}
    merge = '"""merge"""\nrevision = "e53"\ndown_revision = ("e51", "e52")\n\n\ndef upgrade():\n    pass\n'
    added = {"alembic/versions/e52.py": _revision("e52", "e50"), "alembic/versions/e53.py": merge}

    assert _statuses(evaluation_of(base, added, _production(["e51"]))) == [Status.REFUTED]


def test_a_deploy_that_asks_for_all_heads_takes_a_second_one() -> None:
    base = {f"alembic/versions/{n}.py": _revision(n, p) for n, p in (("e49", None), ("e50", "e49"), ("e51", "e50"))}
    added = {"alembic/versions/e52.py": _revision("e52", "e50")}
    for path, text in (
        ("entrypoint.sh", "flask db upgrade heads\n"),
        ("app/boot.py", 'command.upgrade(configuration, "heads")\n'),
        ("k8s/job.yaml", 'command: ["alembic", "upgrade", "heads"]\n'),
    ):
        assert _statuses(evaluation_of({**base, path: text}, added, _production(["e51"]))) == []


def test_a_revision_on_the_newest_one_says_nothing() -> None:
    base = {f"alembic/versions/{n}.py": _revision(n, p) for n, p in (("e49", None), ("e50", "e49"), ("e51", "e50"))}
    said = evaluation_of(base, {"alembic/versions/e52.py": _revision("e52", "e51")}, _production(["e51"]))

    assert _statuses(said) == []


def test_concurrently_in_the_runners_transaction_is_confirmed() -> None:
    said = evaluation_of(
        {}, {"db/migrations/00012_i.sql": "-- +goose Up\nCREATE INDEX CONCURRENTLY i ON tariffs (region);\n"}, _production()
    )

    assert _statuses(said) == [Status.CONFIRMED]


def test_concurrently_without_production_is_a_question() -> None:
    said = evaluation_of(
        {}, {"db/migrations/00012_i.sql": "-- +goose Up\nCREATE INDEX CONCURRENTLY i ON tariffs (region);\n"}, None
    )

    assert _statuses(said) == [Status.PLAUSIBLE]


def test_code_that_inserts_a_column_that_people_add_by_hand_is_confirmed() -> None:
    base = {"src/create.ts": 'export const q = "INSERT INTO tariffs (region) VALUES ($1)";\n'}
    head = {
        "src/create.ts": 'export const q = "INSERT INTO tariffs (region, valid_to) VALUES ($1, $2)";\n',
        "manual-sql/2026-05.sql": ADD,
    }

    assert _statuses(evaluation_of(base, head, _production())) == [Status.CONFIRMED]


def test_a_column_that_was_added_by_hand_already_is_refuted() -> None:
    base = {"src/create.ts": 'export const q = "INSERT INTO tariffs (region) VALUES ($1)";\n'}
    head = {
        "src/create.ts": 'export const q = "INSERT INTO tariffs (region, valid_to) VALUES ($1, $2)";\n',
        "manual-sql/2026-05.sql": ADD,
    }
    production = _production(columns=[*COLUMNS, {"name": "valid_to", "type": "date"}])

    assert _statuses(evaluation_of(base, head, production)) == [Status.REFUTED]


def test_a_column_that_no_migration_makes_is_confirmed() -> None:
    base = {"app/save.py": 'SQL = "INSERT INTO tariffs (region) VALUES (%s)"\n'}
    head = {"app/save.py": 'SQL = "INSERT INTO tariffs (region, promo) VALUES (%s, %s)"\n'}

    assert _statuses(evaluation_of(base, head, _production())) == [Status.CONFIRMED]


def test_unread_columns_leave_the_question() -> None:
    base = {"src/create.ts": 'export const q = "INSERT INTO tariffs (region) VALUES ($1)";\n'}
    head = {
        "src/create.ts": 'export const q = "INSERT INTO tariffs (region, valid_to) VALUES ($1, $2)";\n',
        "manual-sql/2026-05.sql": ADD,
    }

    assert _statuses(evaluation_of(base, head, _production(columns=None))) == [Status.PLAUSIBLE]


def test_code_that_needs_what_an_edit_of_an_applied_file_adds_is_confirmed() -> None:
    path = "migrations/000014_tariffs.up.sql"
    base = {"t.go": OLD_QUERY, path: "ALTER TABLE tariffs ADD COLUMN region text;\n"}
    head = {"t.go": NEW_QUERY, path: "ALTER TABLE tariffs ADD COLUMN region text;\n" + ADD}

    assert _statuses(evaluation_of(base, head, _production(["15"]))) == [Status.CONFIRMED]
