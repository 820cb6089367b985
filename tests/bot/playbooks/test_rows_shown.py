"""Rows that break a constraint, shown by the lines with which a program notes what it stores, or by a metric."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

DATABASE = "fly:postgres:books-db"
POSITIVE = "ALTER TABLE book_entries ADD CONSTRAINT c CHECK (amount_cents > 0);"
CHANNEL = "ALTER TABLE book_entries ADD CONSTRAINT c CHECK (channel IN ('web', 'app'));"


def _statuses(
    sql: str,
    *lines: str,
    severity: str = "INFO",
    metric: str = "",
    columns: list[dict[str, object]] | None = None,
    engine: str = "postgres",
    at: str = "writes_to",
) -> set[Status]:
    production = MemoryProduction("github:acme/shop")
    program = production.resource("fly:app:books", "fly.app", "books", is_deployed=True)
    production.resource(DATABASE, "fly.postgres", "books-db")
    production.edge(program, DATABASE, at)
    production.log(program, *lines, severity=severity)
    if metric:
        production.metric(DATABASE, metric, "Count", 12.0)
    entries = {
        "name": "book_entries",
        "row_estimate": 9_000,
        "total_bytes": 9e5,
        "writes_per_second": 0.1,
        "reads_per_second": 1.0,
        "columns": columns,
    }
    production.database(DATABASE, engine=engine, version="8.0.36" if engine == "mysql" else "15.6", tables=[entries])
    base = {"docker-compose.yml": f"services:\n  db:\n    image: {engine}:latest\n"}
    said = evaluation_of(base, {"db/migrations/000007_x.up.sql": sql + "\n"}, production)
    return {e.status for e in said.ledger if e.trajectory.playbook == "violated-constraint"}


@pytest.mark.parametrize(
    ("sql", "line"),
    [
        (POSITIVE, "entry 1258000 kind=refund amount_cents=-6812"),
        (POSITIVE, '{"event":"book_entry.created","id":7,"amount_cents": -50}'),
        (POSITIVE, '{"event":"BookEntry","amountCents":0,"id":3}'),
        (CHANNEL, "entry 9 stored channel=phone"),
        ("ALTER TABLE book_entries ADD CONSTRAINT c CHECK (qty <= 100);", "entry 9 qty=250 sku=a"),
        ("ALTER TABLE book_entries ALTER COLUMN email SET NOT NULL;", "entry 5 created email=null"),
    ],
)
def test_a_stored_row_in_the_log_confirms_it(sql: str, line: str) -> None:
    assert _statuses(sql, line, "entry 2 amount_cents=70") == {Status.CONFIRMED}


def test_a_text_or_number_that_does_not_fit_confirms_it() -> None:
    text: list[dict[str, object]] = [{"name": "sku", "type": "varchar(40)"}]
    number: list[dict[str, object]] = [{"name": "ref", "type": "bigint"}]

    assert _statuses("ALTER TABLE book_entries ALTER COLUMN sku TYPE varchar(8);", 'entry 5 sku="ABCDEFGHIJK"', columns=text) == {
        Status.CONFIRMED
    }
    assert _statuses("ALTER TABLE book_entries ALTER COLUMN ref TYPE integer;", "entry 5 ref=99999999999", columns=number) == {
        Status.CONFIRMED
    }


@pytest.mark.parametrize(
    "line",
    [
        "entry 1 amount_cents=50",
        "entry rejected amount_cents=-50",
        "POST /entries entry amount_cents=-50",
        "invoice 1 amount_cents=-50",
        "entry 1 old_amount_cents=-50",
        "entry 1 amount_cents=-",
    ],
)
def test_a_line_about_something_else_leaves_it_open(line: str) -> None:
    assert _statuses(POSITIVE, line) == {Status.PLAUSIBLE}


def test_a_warning_leaves_it_open() -> None:
    assert _statuses(POSITIVE, "entry 1 amount_cents=-50", severity="WARN") == {Status.PLAUSIBLE}


def test_a_value_of_the_list_leaves_it_open() -> None:
    assert _statuses(CHANNEL, "entry 9 stored channel=web") == {Status.PLAUSIBLE}


def test_statistics_still_refute_it() -> None:
    assert _statuses(POSITIVE, "entry 1 kind=charge", columns=[{"name": "amount_cents", "min": 1, "max": 9}]) == {Status.REFUTED}


def test_a_data_quality_metric_counts_them() -> None:
    unique = "CREATE UNIQUE INDEX u ON book_entries (email);"

    assert _statuses(unique, metric="data_quality_rows{table=book_entries,column=email,check=duplicates}") == {Status.CONFIRMED}
    assert _statuses(unique, metric="data_quality_rows{table=other,column=email,check=duplicates}") == {Status.PLAUSIBLE}


def test_orphans_break_a_foreign_key_and_without_a_count_it_says_nothing() -> None:
    key = "ALTER TABLE book_entries ADD CONSTRAINT f FOREIGN KEY (shop_id) REFERENCES shops (id);"

    assert _statuses(key, "nightly check: book_entries.shop_id has 412 orphaned rows") == {Status.CONFIRMED}
    assert _statuses(key, "nightly check done") == set()


def test_mysql_breaks_its_checks_the_same_way() -> None:
    assert _statuses(POSITIVE, "entry 1 amount_cents=-50", engine="mysql") == {Status.CONFIRMED}


def test_a_modify_that_restates_not_null_says_something_only_of_counted_nulls() -> None:
    restated = "ALTER TABLE book_entries MODIFY email VARCHAR(90) NOT NULL;"
    with_nulls: list[dict[str, object]] = [{"name": "email", "type": "varchar(90)", "nullable": True, "null_fraction": 0.2}]

    assert _statuses(restated, engine="mysql") == set()
    assert _statuses(restated, engine="mysql", columns=with_nulls) == {Status.CONFIRMED}
