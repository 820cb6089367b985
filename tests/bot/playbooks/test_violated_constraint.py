"""Constraints that rows break, satisfy, or may break."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.evaluation import Evaluation
from gonogo.trajectory import Status

DATABASE = "gcp:sql:prod/venues"


def _production(columns: object = None, **table: object) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    service = production.resource("gcp:run:prod/venues", "gcp.run.service", "venues", is_deployed=True)
    production.resource(DATABASE, "gcp.sql.instance", "venues")
    production.edge(service, DATABASE, "writes_to")
    seats = {
        "name": "seats",
        "row_estimate": 186_000,
        "total_bytes": 21e6,
        "writes_per_second": 0.4,
        "reads_per_second": 55.0,
        "columns": columns,
    }
    production.database(DATABASE, tables=[seats | table], version="15.6")
    return production


def _says(sql: str, production: MemoryProduction | None, *, path: str = "db/migrations/V12__seats.sql") -> Evaluation:
    return evaluation_of({"src/main.kt": "fun main() {}\n"}, {path: sql}, production)


def _statuses(evaluation: Evaluation) -> list[Status]:
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "violated-constraint"]


@pytest.mark.parametrize(
    ("sql", "column"),
    [
        (
            "ALTER TABLE seats ALTER COLUMN label SET NOT NULL;",
            {"name": "label", "type": "text", "nullable": True, "null_fraction": 0.031},
        ),
        ("ALTER TABLE seats ALTER COLUMN label SET NOT NULL;", {"name": "label", "is_nullable": "YES", "null_count": 12}),
        ("CREATE UNIQUE INDEX s ON seats (label);", {"name": "label", "type": "text", "duplicates": 4}),
        ("CREATE UNIQUE INDEX s ON seats (label);", {"name": "label", "type": "text", "nullable": False, "n_distinct": 90_000}),
        ("ALTER TABLE seats ADD CONSTRAINT c CHECK (row_no >= 0);", {"name": "row_no", "type": "integer", "min": -3, "max": 90}),
        (
            "ALTER TABLE seats ALTER COLUMN label TYPE varchar(8);",
            {"name": "label", "type": "character varying(64)", "max_length": 31},
        ),
        ("ALTER TABLE seats ALTER COLUMN row_no TYPE integer;", {"name": "row_no", "type": "bigint", "max": 3_000_000_000}),
        ("ALTER TABLE seats ADD COLUMN tier text NOT NULL;", {"name": "label", "type": "text"}),
    ],
)
def test_rows_that_break_it_are_confirmed(sql: str, column: dict[str, object]) -> None:
    assert Status.CONFIRMED in _statuses(_says(sql + "\n", _production([column])))


@pytest.mark.parametrize(
    ("sql", "column"),
    [
        (
            "ALTER TABLE seats ALTER COLUMN label SET NOT NULL;",
            {"name": "label", "type": "text", "nullable": True, "null_fraction": 0.0},
        ),
        ("CREATE UNIQUE INDEX s ON seats (label);", {"name": "label", "type": "text", "n_distinct": -1}),
        ("ALTER TABLE seats ADD CONSTRAINT c CHECK (row_no >= 0);", {"name": "row_no", "type": "integer", "min": 1, "max": 90}),
        (
            "ALTER TABLE seats ALTER COLUMN label TYPE varchar(32);",
            {"name": "label", "type": "character varying(64)", "max_length": 31},
        ),
        ("ALTER TABLE seats ALTER COLUMN row_no TYPE integer;", {"name": "row_no", "type": "bigint", "max": 40_000}),
        (
            "UPDATE seats SET label = '' WHERE label IS NULL;\nALTER TABLE seats ALTER COLUMN label SET NOT NULL;",
            {"name": "label", "type": "text", "nullable": True, "null_fraction": 0.2},
        ),
    ],
)
def test_rows_that_satisfy_it_refute(sql: str, column: dict[str, object]) -> None:
    assert _statuses(_says(sql + "\n", _production([column]))) == [Status.REFUTED]


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE UNIQUE INDEX s ON seats (label);",
        "ALTER TABLE seats ALTER COLUMN label TYPE varchar(8);",
        "ALTER TABLE seats ALTER COLUMN label SET NOT NULL;",
    ],
)
def test_values_that_were_not_read_leave_a_question_with_its_query(sql: str) -> None:
    said = _says(sql + "\n", _production([{"name": "label", "type": "character varying(64)", "nullable": True}]))

    (entry,) = [e for e in said.ledger if e.trajectory.playbook == "violated-constraint"]
    assert entry.status is Status.PLAUSIBLE
    assert any("FROM seats" in (link.query or "") for link in entry.trajectory.links)


def test_a_widened_type_says_nothing() -> None:
    said = _says(
        "ALTER TABLE seats ALTER COLUMN label TYPE varchar(255);\n",
        _production([{"name": "label", "type": "character varying(64)"}]),
    )

    assert _statuses(said) == []


def test_a_count_in_the_log_confirms() -> None:
    production = _production([{"name": "label", "type": "text", "n_distinct": 185_900}])
    production.log(
        "gcp:run:prod/venues", "check seats.label unique: 1204 values occur more than once (table seats)", severity="WARN"
    )
    said = _says("CREATE UNIQUE INDEX s ON seats (label);\n", production)

    assert _statuses(said) == [Status.CONFIRMED]


def test_a_python_migration_is_read_as_well() -> None:
    migration = 'from alembic import op\n\nrevision = "b"\ndown_revision = "a"\n\n\ndef upgrade():\n    op.alter_column("seats", "label", nullable=False)\n'
    said = _says(
        migration,
        _production([{"name": "label", "type": "text", "nullable": True, "null_fraction": 0.5}]),
        path="migrations/versions/b_x.py",
    )

    assert _statuses(said) == [Status.CONFIRMED]


def test_an_empty_table_says_nothing() -> None:
    assert _statuses(_says("ALTER TABLE seats ADD COLUMN tier text NOT NULL;\n", _production(row_estimate=0))) == []


def test_a_column_with_a_default_says_nothing() -> None:
    assert _statuses(_says("ALTER TABLE seats ADD COLUMN tier text NOT NULL DEFAULT 'a';\n", _production())) == []
