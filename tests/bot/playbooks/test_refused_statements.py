"""Statements that production's server refuses by its version, inside a transaction, or for want of an algorithm."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.evaluation import Evaluation
from gonogo.trajectory import Status

DATABASE = "arn:aws:rds:eu-west-1:1:db:letters"
LABEL = "ALTER TYPE letter_state ADD VALUE 'held';\n"
GOOSE = {"db/migrations/00007_held.sql": "-- +goose Up\n" + LABEL}
ALEMBIC = {
    "migrations/versions/b_held.py": 'from alembic import op\n\nrevision = "b"\ndown_revision = None\n\n\ndef upgrade():\n'
    "    op.execute(\"ALTER TYPE letter_state ADD VALUE 'held'\")\n"
}
TYPEORM = {
    "src/migrations/1778000000000-Held.ts": 'import { MigrationInterface, QueryRunner } from "typeorm";\n\n'
    "export class Held1778000000000 implements MigrationInterface {\n  async up(q: QueryRunner): Promise<void> {\n"
    "    await q.query(`ALTER TYPE \"letter_state\" ADD VALUE 'held'`);\n  }\n}\n"
}
RAILS = {
    "db/migrate/20260507000000_held.rb": "class Held < ActiveRecord::Migration[6.1]\n  def up\n"
    "    execute \"ALTER TYPE letter_state ADD VALUE 'held'\"\n  end\nend\n"
}


def _production(
    stated: dict[str, str] | None = None, *, engine: str = "postgres", version: str = "", is_read: bool = True
) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    service = production.resource("arn:aws:ecs:eu-west-1:1:service/core/letters", "aws.ecs.service", "letters", is_deployed=True)
    production.resource(DATABASE, "aws.rds.instance", "letters", is_deployed=False, **(stated or {}))
    production.edge(service, DATABASE, "writes_to")
    letters = {
        "name": "letters",
        "row_estimate": 6_400_000,
        "total_bytes": 2e9,
        "writes_per_second": 12.0,
        "reads_per_second": 23.0,
    }
    if is_read:
        production.database(DATABASE, engine=engine, version=version, tables=[letters])
    return production


def _said(head: dict[str, str], production: MemoryProduction) -> Evaluation:
    return evaluation_of({"docker-compose.yml": "services:\n  db:\n    image: postgres:15\n"}, head, production)


def _statuses(evaluation: Evaluation) -> set[Status]:
    return {e.status for e in evaluation.ledger if e.trajectory.playbook == "migration-order"}


@pytest.mark.parametrize("head", [GOOSE, ALEMBIC, TYPEORM, RAILS])
def test_a_new_label_in_a_transaction_fails_on_an_old_server(head: dict[str, str]) -> None:
    said = _said(head, _production(version="11.22"))

    assert _statuses(said) == {Status.CONFIRMED}
    assert said.verdict == "no-go"


@pytest.mark.parametrize("is_read", [True, False])
@pytest.mark.parametrize("stated", [{"engine": "postgres", "engine_version": "11.19"}, {"database_version": "POSTGRES_11"}])
def test_the_version_may_stand_in_the_configuration(stated: dict[str, str], *, is_read: bool) -> None:
    assert _statuses(_said(GOOSE, _production(stated, is_read=is_read))) == {Status.CONFIRMED}


@pytest.mark.parametrize("head", [GOOSE, ALEMBIC, TYPEORM, RAILS])
def test_a_new_label_in_a_transaction_is_fine_since_12(head: dict[str, str]) -> None:
    said = _said(head, _production(version="15.5"))

    assert _statuses(said) == {Status.REFUTED}
    assert said.verdict == "go"


def test_a_new_label_outside_a_transaction_says_nothing() -> None:
    head = {"db/migrations/00007_held.sql": "-- +goose NO TRANSACTION\n-- +goose Up\n" + LABEL}

    assert _statuses(_said(head, _production(version="11.22"))) == set()


def test_a_new_label_on_a_server_of_unknown_version_says_nothing() -> None:
    assert _statuses(_said(GOOSE, _production())) == set()


def test_dropping_an_index_concurrently_in_a_transaction_fails_though_its_table_is_not_known() -> None:
    head = {"db/migrations/00007_drop.sql": "-- +goose Up\nDROP INDEX CONCURRENTLY IF EXISTS letters_old_idx;\n"}

    assert _statuses(_said(head, _production(version="15.5"))) == {Status.CONFIRMED}


def test_syntax_that_is_newer_than_the_server_is_refused() -> None:
    head = {
        "db/migrations/00007_sum.sql": "-- +goose Up\nALTER TABLE letters ADD COLUMN t int GENERATED ALWAYS AS (a * 2) STORED;\n"
    }

    assert _statuses(_said(head, _production(version="11.22"))) == {Status.CONFIRMED}
    assert Status.CONFIRMED not in _statuses(_said(head, _production(version="15.5")))


@pytest.mark.parametrize(
    ("version", "sql", "expected"),
    [
        ("8.0.25", "ALTER TABLE letters DROP COLUMN note, ALGORITHM=INSTANT;\n", {Status.CONFIRMED}),
        ("8.0.36", "ALTER TABLE letters DROP COLUMN note, ALGORITHM=INSTANT;\n", set[Status]()),
        ("8.0.mysql_aurora.3.05.2", "ALTER TABLE letters ADD COLUMN a INT, ALGORITHM=INSTANT;\n", set[Status]()),
        ("5.7.44", "ALTER TABLE letters ADD COLUMN a INT, ALGORITHM=INSTANT;\n", {Status.CONFIRMED}),
        ("8.0.36", "ALTER TABLE letters ADD COLUMN a INT, ALGORITHM=INSTANT;\n", set[Status]()),
    ],
)
def test_an_algorithm_that_mysql_does_not_have_ends_the_deploy(version: str, sql: str, expected: set[Status]) -> None:
    production = _production(engine="mysql", version=version)
    base = {"docker-compose.yml": "services:\n  db:\n    image: mysql:8.0\n"}

    assert _statuses(evaluation_of(base, {"db/migrations/000007_x.up.sql": sql}, production)) == expected
