"""Dropped indexes: scanned, unscanned, covered by another, or needed by an upsert."""

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.evaluation import Evaluation
from gonogo.trajectory import Status

DATABASE = "arn:aws:rds:eu-west-1:1:db:pay-pg"
MODEL = "class Payment < ApplicationRecord\n  scope :by_reference, ->(r) { where(reference: r) }\nend\n"


def _production(
    *, scans: float | None, unique: bool = False, size: float = 4e9, extra: list[dict[str, object]] | None = None, **more: object
) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    service = production.resource("arn:aws:ecs:eu-west-1:1:service/core/web", "aws.ecs.service", "web", is_deployed=True)
    production.resource(DATABASE, "aws.rds.instance", "pay-pg")
    production.edge(service, DATABASE, "writes_to")
    table = {
        "name": "payments",
        "row_estimate": 19_000_000,
        "total_bytes": size,
        "writes_per_second": 21.0,
        "reads_per_second": 88.0,
    }
    kind = "UNIQUE INDEX" if unique else "INDEX"
    index = {
        "table": "payments",
        "name": "index_payments_on_reference",
        "definition": f"CREATE {kind} index_payments_on_reference ON public.payments USING btree (reference)",
    }
    rows = [index if scans is None else index | {"scans_per_hour": scans}]
    production.database(DATABASE, tables=[table], indexes=[*rows, *(extra or [])], **more)
    return production


def _dropped(
    production: MemoryProduction | None,
    *,
    sql: str = "DROP INDEX CONCURRENTLY index_payments_on_reference;\n",
    base: dict[str, str] | None = None,
) -> Evaluation:
    return evaluation_of(
        {"app/models/payment.rb": MODEL, **(base or {})},
        {"db/migrations/0009_drop.sql": f"-- +goose NO TRANSACTION\n-- +goose Up\n{sql}"},
        production,
    )


def _statuses(evaluation: Evaluation) -> list[Status]:
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "dropped-index"]


def test_an_index_that_is_scanned_all_day_is_confirmed() -> None:
    assert _statuses(_dropped(_production(scans=54_000))) == [Status.CONFIRMED]


def test_a_rails_migration_names_it_by_its_columns() -> None:
    rails = "class D < ActiveRecord::Migration[7.1]\n  disable_ddl_transaction!\n  def change\n    remove_index :payments, :reference, algorithm: :concurrently\n  end\nend\n"
    said = evaluation_of({"app/models/payment.rb": MODEL}, {"db/migrate/20260101000000_d.rb": rails}, _production(scans=54_000))

    assert _statuses(said) == [Status.CONFIRMED]


def test_a_unique_index_that_an_upsert_needs_is_confirmed_although_it_is_never_scanned() -> None:
    writer = {
        "app/pay.py": 'SQL = """INSERT INTO payments (reference, cents) VALUES (%s, %s)\nON CONFLICT (reference) DO NOTHING"""\n'
    }
    said = _dropped(_production(scans=0, unique=True, stats_reset="2026-01-01T00:00:00Z"), base=writer)

    assert _statuses(said) == [Status.CONFIRMED]
    assert any("42P10" in link.claim for e in said.ledger for link in e.trajectory.links)


def test_an_index_without_scans_is_refuted() -> None:
    assert _statuses(_dropped(_production(scans=0, stats_reset="2026-01-01T00:00:00Z"))) == [Status.REFUTED]


def test_scans_of_a_tiny_table_cost_nothing() -> None:
    assert _statuses(_dropped(_production(scans=54_000, size=200_000))) == [Status.REFUTED]


def test_a_wider_index_that_is_built_first_covers_it() -> None:
    sql = "CREATE INDEX CONCURRENTLY wide ON payments (reference, created_at);\nDROP INDEX CONCURRENTLY index_payments_on_reference;\n"

    assert _statuses(_dropped(_production(scans=54_000), sql=sql)) == [Status.REFUTED]


def test_an_index_of_production_with_the_same_leading_column_covers_it() -> None:
    other = {
        "table": "payments",
        "name": "wide",
        "definition": "CREATE INDEX wide ON public.payments USING btree (reference, state)",
        "scans_per_hour": 3,
    }

    assert _statuses(_dropped(_production(scans=54_000, extra=[other]))) == [Status.REFUTED]


def test_a_counter_that_was_reset_yesterday_proves_little() -> None:
    said = _dropped(_production(scans=0, stats_reset="2026-05-10T00:00:00Z"))

    assert _statuses(said) == [Status.PLAUSIBLE]


def test_unread_counters_leave_the_question() -> None:
    assert _statuses(_dropped(_production(scans=None))) == [Status.PLAUSIBLE]


def test_an_index_of_a_dropped_table_says_nothing() -> None:
    said = _dropped(_production(scans=54_000), sql="DROP INDEX CONCURRENTLY some_index;\n")

    assert Status.CONFIRMED not in _statuses(said)
