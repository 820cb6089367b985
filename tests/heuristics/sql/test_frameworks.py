"""Migrations of every framework, mapped to SQL with the line of their source."""

import pytest

from context_graph.testing import MemoryTree
from heuristics.sql import Operation, migrations_in, simulate

POSTGRES = {".env.example": "DATABASE_URL=postgres://localhost/x\n"}


def read(path: str, text: str, **more: str) -> tuple[Operation, ...]:
    tree = MemoryTree(POSTGRES | more | {path: text})
    return migrations_in([path], tree)


def table_of(operations: tuple[Operation, ...]) -> list[tuple[int, str, str]]:
    return [(op.statement.line, op.action.value, " ".join(op.statement.sql.split())) for op in operations]


ALEMBIC = '''from alembic import op
import sqlalchemy as sa

revision = "b2"
down_revision = "a1"
TABLE = "orders"


def upgrade():
    op.add_column(TABLE, sa.Column("state", sa.String(20), nullable=False, server_default="new"))
    op.alter_column("orders", "total", type_=sa.BigInteger(), existing_type=sa.Integer())
    op.create_foreign_key("fk", "orders", "users", ["user_id"], ["id"])
    with op.get_context().autocommit_block():
        op.create_index("ix", "orders", ["state"], postgresql_concurrently=True)
    op.execute(
        """
        UPDATE orders
           SET state = 'old';
        DELETE FROM carts
        """
    )
    with op.batch_alter_table("users") as batch_op:
        batch_op.drop_column("legacy")
    for name in ("a", "b"):
        op.drop_index(f"ix_{name}", table_name="orders")


def downgrade():
    op.drop_table("orders")
'''


def test_alembic_operations_keep_their_own_lines() -> None:
    operations = read("migrations/versions/b2_x.py", ALEMBIC)

    assert table_of(operations) == [
        (10, "add_column", "ALTER TABLE orders ADD COLUMN state VARCHAR(20) DEFAULT 'new' NOT NULL"),
        (11, "alter_type", "ALTER TABLE orders ALTER COLUMN total TYPE BIGINT"),
        (12, "add_foreign_key", "ALTER TABLE orders ADD CONSTRAINT fk FOREIGN KEY (user_id) REFERENCES users (id)"),
        (14, "create_index", "CREATE INDEX CONCURRENTLY ix ON orders (state)"),
        (17, "update", "UPDATE orders SET state = 'old'"),
        (19, "delete", "DELETE FROM carts"),
        (23, "drop_column", "ALTER TABLE users DROP COLUMN legacy"),
        (25, "drop_index", "DROP INDEX ix_a"),
        (25, "drop_index", "DROP INDEX ix_b"),
    ]


def test_an_autocommit_block_ends_the_transaction_and_another_begins_after_it() -> None:
    operations = read("migrations/versions/b2_x.py", ALEMBIC)
    first, inside, after = operations[0].statement, operations[3].statement, operations[4].statement

    assert first.in_transaction
    assert not inside.in_transaction
    assert after.transaction not in (None, first.transaction)


DJANGO_BEFORE = """from django.db import migrations, models
class Migration(migrations.Migration):
    operations = [
        migrations.CreateModel(name="Invoice", fields=[
            ("id", models.BigAutoField(primary_key=True)),
            ("ref", models.CharField(max_length=40)),
            ("owner", models.ForeignKey(to="people.person", on_delete=models.CASCADE)),
        ], options={"db_table": "invoices"}),
    ]
"""
DJANGO = """from django.db import migrations, models

class Migration(migrations.Migration):
    dependencies = [("billing", "0001_initial")]
    operations = [
        migrations.AddField("invoice", "flagged", models.BooleanField(default=False)),
        migrations.AddField(
            model_name="invoice", name="sku", field=models.CharField(max_length=9, null=True, db_index=True)
        ),
        migrations.AlterField("invoice", "ref", models.CharField(max_length=120)),
        migrations.RemoveField("invoice", "owner"),
        migrations.RunPython(migrations.RunPython.noop),
    ]
"""


def test_django_knows_tables_and_columns_from_earlier_migrations() -> None:
    tree = MemoryTree(
        {
            "requirements.txt": "psycopg",
            "billing/migrations/0001_initial.py": DJANGO_BEFORE,
            "billing/migrations/0002_x.py": DJANGO,
        }
    )

    operations = migrations_in(["billing/migrations/0002_x.py"], tree)

    assert table_of(operations) == [
        (6, "add_column", "ALTER TABLE invoices ADD COLUMN flagged boolean DEFAULT false NOT NULL"),
        (6, "drop_default", "ALTER TABLE invoices ALTER COLUMN flagged DROP DEFAULT"),
        (7, "add_column", "ALTER TABLE invoices ADD COLUMN sku varchar(9)"),
        (10, "alter_type", "ALTER TABLE invoices ALTER COLUMN ref TYPE varchar(120)"),
        (11, "drop_column", "ALTER TABLE invoices DROP COLUMN owner_id CASCADE"),
        (7, "create_index", operations[-1].statement.sql),
    ]
    assert operations[3].old_type == "varchar(40)"


def test_an_index_on_a_new_django_field_is_built_under_the_lock_of_its_column() -> None:
    tree = MemoryTree(
        {
            "requirements.txt": "psycopg",
            "billing/migrations/0001_initial.py": DJANGO_BEFORE,
            "billing/migrations/0002_x.py": DJANGO,
        }
    )
    operations = migrations_in(["billing/migrations/0002_x.py"], tree)

    last = simulate(operations, engine="postgres", server_version=15)[-1]

    assert last.slow_under["invoices"] == "AccessExclusive"


RAILS = """class X < ActiveRecord::Migration[7.1]
  disable_ddl_transaction!

  def change
    safety_assured { remove_column :orders, :legacy, :string }
    add_index :orders, [:a, :b], unique: true, algorithm: :concurrently
    add_reference :orders, :person, foreign_key: { to_table: :people }, index: false
    change_column_null :orders, :state, false
    execute <<~SQL
      UPDATE orders SET a = 1;
      DELETE FROM carts
    SQL
    change_table :users, bulk: true do |t|
      t.rename :a, :b
    end
    reversible do |dir|
      dir.up { execute "ANALYZE orders" }
      dir.down { execute "DROP TABLE orders" }
    end
  end
end
"""


def test_rails_calls_become_what_active_record_sends() -> None:
    operations = read("db/migrate/20240101000000_x.rb", RAILS)

    assert [(line, action) for line, action, _ in table_of(operations)] == [
        (5, "drop_column"),
        (6, "create_index"),
        (7, "add_column"),
        (7, "add_foreign_key"),
        (8, "set_not_null"),
        (10, "update"),
        (11, "delete"),
        (14, "rename_column"),
        (17, "analyze"),
    ]
    assert operations[1].name == "index_orders_on_a_and_b"
    assert not operations[1].statement.in_transaction


def test_a_library_that_makes_rails_calls_safe_is_recognised() -> None:
    text = "class X < ActiveRecord::Migration[7.1]\n  def change\n    change_column_null :orders, :state, false\n  end\nend\n"
    setting = {"config/initializers/strong_migrations.rb": "StrongMigrations.safe_by_default = true\n"}

    operations = read("db/migrate/20240101000000_x.rb", text, **setting)
    played = simulate(operations, engine="postgres", server_version=15)

    assert [op.action.value for op in operations] == ["add_check", "validate_constraint", "set_not_null", "drop_constraint"]
    assert all(s.effect.is_online for s in played)


OTHERS = {
    "migrations/20240101_a.ts": (
        """import { Knex } from "knex";
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable("orders", (t) => {
    t.string("code", 40).notNullable().defaultTo("x").index();
    t.dropColumn("old");
  });
  await knex.raw(`CREATE INDEX CONCURRENTLY x ON orders (b)`);
}
export async function down(knex) { await knex.schema.dropTable("orders"); }
export const config = { transaction: false };
""",
        [(4, "add_column"), (4, "create_index"), (5, "drop_column"), (7, "create_index")],
        False,
    ),
    "src/migrations/1700000000000-x.ts": (
        """import { MigrationInterface, QueryRunner, TableIndex } from "typeorm";
export class X implements MigrationInterface {
  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "invoice" ADD "total" integer NOT NULL`);
    await queryRunner.createIndex("invoice", new TableIndex({ name: "i", columnNames: ["a"] }));
  }
  public async down(queryRunner: QueryRunner) { await queryRunner.query(`DROP TABLE invoice`) }
}
""",
        [(4, "add_column"), (5, "create_index")],
        True,
    ),
    "db/migrations/20230101-s.js": (
        """module.exports = {
  up: async (queryInterface, Sequelize) => {
    await queryInterface.addColumn('users', 'age', { type: Sequelize.INTEGER, allowNull: false, defaultValue: 0 });
    await queryInterface.addIndex('users', ['age'], { name: 'ix', concurrently: true });
  },
  down: async (q) => { await q.dropTable('users') }
};
""",
        [(3, "add_column"), (4, "create_index")],
        False,
    ),
    "migrations/1600_pg.js": (
        "exports.up = (pgm) => {\n  pgm.createIndex('a', ['b']);\n  pgm.sql('DROP TABLE c');\n};\n",
        [(2, "create_index"), (3, "drop_table")],
        True,
    ),
    "database/migrations/2024_01_01_000000_x.php": (
        """<?php
return new class extends Migration {
    public function up(): void {
        Schema::table('users', function (Blueprint $table) {
            $table->string('x', 50)->nullable()->index();
            $table->dropColumn('y');
        });
        DB::statement('CREATE INDEX q ON users (z)');
    }
    public function down(): void { Schema::drop('users'); }
};
""",
        [(5, "add_column"), (5, "create_index"), (6, "drop_column"), (8, "create_index")],
        True,
    ),
    "priv/repo/migrations/20240101000000_x.exs": (
        """defmodule X do
  use Ecto.Migration
  def change do
    create index(:orders, [:a])
    alter table(:orders) do
      add :z, :string, null: false
      remove :y
    end
    execute "UPDATE orders SET a = 1", "SELECT 1"
  end
end
""",
        [(4, "create_index"), (6, "add_column"), (7, "drop_column"), (9, "update")],
        True,
    ),
    "src/main/resources/db/changelog/001.xml": (
        """<databaseChangeLog>
  <changeSet id="1" author="me" runInTransaction="false">
    <createIndex tableName="t" indexName="i">
      <column name="a"/>
    </createIndex>
    <dropColumn tableName="t" columnName="b"/>
  </changeSet>
</databaseChangeLog>
""",
        [(3, "create_index"), (6, "drop_column")],
        False,
    ),
    "db/changelog/002.yaml": (
        """databaseChangeLog:
  - changeSet:
      id: 2
      author: me
      changes:
        - addNotNullConstraint:
            tableName: t
            columnName: a
        - sql:
            sql: |
              CREATE INDEX q ON t (b);
""",
        [(6, "set_not_null"), (11, "create_index")],
        True,
    ),
    "db/changelog/003.sql": (
        "--liquibase formatted sql\n--changeset me:3 runInTransaction:false\nCREATE INDEX CONCURRENTLY x ON t (a);\n--rollback DROP INDEX x;\n",
        [(3, "create_index")],
        False,
    ),
}


@pytest.mark.parametrize("path", OTHERS)
def test_every_framework_is_read_with_its_lines_and_transaction(path: str) -> None:
    text, expected, in_transaction = OTHERS[path]

    operations = read(path, text)

    assert [(op.statement.line, op.action.value) for op in operations] == expected
    assert {op.statement.in_transaction for op in operations} == {in_transaction}


@pytest.mark.parametrize(
    "call",
    [
        "unsignedSmallInteger('n')->default(0)",
        "unsignedTinyInteger('n')",
        "mediumInteger('n')",
        "tinyText('n')->nullable()",
        "macAddress('n')->nullable()",
        "set('n', ['a', 'b'])->nullable()",
        "timeTz('n')->nullable()",
    ],
)
def test_every_column_of_a_laravel_blueprint_is_analysed(call: str) -> None:
    path = "database/migrations/2026_05_08_090000_n.php"
    text = f"<?php\nreturn new class extends Migration {{\n  public function up(): void {{\n    Schema::table('t', function (Blueprint $table) {{\n      $table->{call};\n    }});\n  }}\n}};\n"
    found = migrations_in([path], MemoryTree({path: text}))

    assert [op.action.value for op in found] == ["add_column"]
