"""Type changes on MySQL: the old type decides whether the table is copied, and it stands in many places."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

DATABASE = "arn:aws:rds:eu-west-1:1:db:freight"
BASE = {"app/x.py": "x = 1\n", "docker-compose.yml": "services:\n  db:\n    image: mysql:8.0\n"}
MODIFY = "ALTER TABLE crates MODIFY parcel_id BIGINT NOT NULL;\n"
BACK = "ALTER TABLE crates MODIFY parcel_id INT NOT NULL;\n"
UP = {"db/migrations/000007_x.up.sql": MODIFY}
ALEMBIC = 'from alembic import op\nimport sqlalchemy as sa\n\nrevision = "b"\ndown_revision = None\n\n\ndef upgrade():\n    op.alter_column("crates", "parcel_id", {0})\n'
KNEX = """exports.up = async function (knex) {
  await knex.schema.alterTable("crates", (t) => { t.bigInteger("parcel_id").notNullable().alter(); });
};

exports.down = async function (knex) {
  await knex.schema.alterTable("crates", (t) => { t.integer("parcel_id").notNullable().alter(); });
};
"""
TYPEORM = """import { MigrationInterface, QueryRunner } from "typeorm";

export class Widen1778000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query("ALTER TABLE `crates` MODIFY `parcel_id` bigint NOT NULL");
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query("ALTER TABLE `crates` MODIFY `parcel_id` int NOT NULL");
  }
}
"""
RAILS = """class Widen < ActiveRecord::Migration[7.1]
  def up
    change_column :crates, :parcel_id, :bigint, null: false
  end

  def down
    change_column :crates, :parcel_id, :integer, null: false
  end
end
"""
LIQUIBASE = """databaseChangeLog:
  - changeSet:
      id: 7
      author: a
      changes:
        - modifyDataType:
            tableName: crates
            columnName: parcel_id
            newDataType: {0}
"""
JAVA = "@Entity\npublic class Crate {{\n    private {0} parcelId;\n}}\n"
GO = 'package model\n\ntype Crate struct {{\n\tParcelID {0} `db:"parcel_id"`\n}}\n'


def _production(**table: object) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    service = production.resource("arn:aws:ecs:eu-west-1:1:service/core/freight", "aws.ecs.service", "freight", is_deployed=True)
    production.resource(DATABASE, "aws.rds.instance", "freight")
    production.edge(service, DATABASE, "writes_to")
    crates = {
        "schema": "f",
        "name": "crates",
        "row_estimate": 2e8,
        "total_bytes": 40e9,
        "writes_per_second": 90.0,
        "reads_per_second": 30.0,
    }
    production.database(DATABASE, engine="mysql", version="8.0.36", tables=[crates | table])
    return production


def _statuses(head: dict[str, str], production: MemoryProduction, base: dict[str, str] | None = None) -> list[Status]:
    said = evaluation_of({**BASE, **(base or {})}, {**head}, production)
    return [e.status for e in said.ledger if e.trajectory.playbook == "lock-on-live-table"]


@pytest.mark.parametrize(
    ("head", "base"),
    [
        ({**UP, "db/migrations/000007_x.down.sql": BACK}, {}),
        ({"db/migrations/00007_x.sql": f"-- +goose Up\n{MODIFY}-- +goose Down\n{BACK}"}, {}),
        ({"db/migrations/20260507_x.sql": f"-- migrate:up\n{MODIFY}-- migrate:down\n{BACK}"}, {}),
        ({"migrations/versions/b_x.py": ALEMBIC.format("type_=sa.BigInteger(), existing_type=sa.Integer()")}, {}),
        ({"migrations/versions/b_x.py": ALEMBIC.format("type_=sa.BigInteger()")}, {}),
        ({"src/main/resources/db/changelog/7.yaml": LIQUIBASE.format("bigint")}, {}),
        ({"db/migrate/20260507000000_widen.rb": RAILS}, {}),
        ({"migrations/20260507_w.js": KNEX}, {"package.json": '{"dependencies": {"knex": "3", "mysql2": "3"}}'}),
        ({"src/migrations/1778000000000-Widen.ts": TYPEORM}, {"package.json": '{"dependencies": {"typeorm": "0.3.20"}}'}),
        ({**UP, "src/Crate.java": JAVA.format("long")}, {"src/Crate.java": JAVA.format("int")}),
        ({**UP, "model/crate.go": GO.format("int64")}, {"model/crate.go": GO.format("int32")}),
    ],
)
def test_another_type_copies_the_table_while_its_writes_wait(head: dict[str, str], base: dict[str, str]) -> None:
    assert _statuses(head, _production(), base) == [Status.CONFIRMED]


@pytest.mark.parametrize(
    ("head", "column"),
    [
        (UP, {"name": "parcel_id", "type": "bigint(20)", "nullable": False}),
        ({"migrations/versions/b_x.py": ALEMBIC.format("type_=sa.String(90), existing_type=sa.String(70)")}, {"name": "id"}),
        ({"migrations/versions/b_x.py": ALEMBIC.format("nullable=False, existing_type=sa.Integer()")}, {"name": "id"}),
    ],
)
def test_the_same_type_or_a_longer_text_copies_nothing(head: dict[str, str], column: dict[str, object]) -> None:
    assert _statuses(head, _production(columns=[column])) == [Status.REFUTED]


@pytest.mark.parametrize(
    ("head", "base"),
    [
        (UP, {}),
        ({"src/main/resources/db/changelog/7.yaml": LIQUIBASE.format("varchar(300)")}, {}),
        (
            {**UP, "src/Other.java": JAVA.format("long").replace("Crate", "Barrel")},
            {"src/Other.java": JAVA.format("int").replace("Crate", "Barrel")},
        ),
    ],
)
def test_an_old_type_that_nothing_says_stays_a_question(head: dict[str, str], base: dict[str, str]) -> None:
    assert _statuses(head, _production(), base) == [Status.PLAUSIBLE]


def test_the_write_rate_may_be_a_metric_of_the_table() -> None:
    unread = {"writes_per_second": None, "reads_per_second": None, "columns": [{"name": "parcel_id", "type": "int"}]}
    production = _production(**unread)
    production.metric(DATABASE, "table_rows_written{table=crates}", "Count/Second", 80.0)
    other = _production(**unread)
    other.metric(DATABASE, "table_rows_written{table=barrels}", "Count/Second", 80.0)

    assert _statuses(UP, production) == [Status.CONFIRMED]
    assert _statuses(UP, other) == [Status.PLAUSIBLE]


def test_a_small_table_whose_traffic_was_not_read_is_refuted() -> None:
    table = {"writes_per_second": None, "reads_per_second": None, "row_estimate": 300, "total_bytes": None}
    production = _production(**table, columns=[{"name": "parcel_id", "type": "int"}])

    assert _statuses(UP, production) == [Status.REFUTED]
