"""Code of many frameworks that begins to use a column which a hand-run migration makes: missing, there already, merged before."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

DATABASE = "arn:aws:rds:eu-west-1:1:db:yard"
COLUMNS = ("id", "berth_id", "length_cm")
DOCUMENT = {"docs/db.md": "# Migrations\n\nThe deploy only rolls out. A DBA runs them with psql on Tuesdays.\n"}


def _production(*more: str, applied: list[str] | None = None) -> MemoryProduction:
    production = MemoryProduction("github:acme/yard")
    service = production.resource("arn:aws:ecs:eu-west-1:1:service/core/yard", "aws.ecs.service", "yard", is_deployed=True)
    production.resource(DATABASE, "aws.rds.instance", "yard")
    production.edge(service, DATABASE, "reads_from")
    table = {
        "name": "boats", "row_estimate": 90_000, "total_bytes": 9_000_000, "writes_per_second": 2.0, "reads_per_second": 31.0,
        "columns": [{"name": n, "type": "text"} for n in (*COLUMNS, *more)],
    }  # fmt: skip
    production.database(DATABASE, tables=[table], applied_migrations=applied)
    return production


def _statuses(base: dict[str, str], head: dict[str, str | None], production: MemoryProduction) -> list[Status]:
    said = evaluation_of(base, head, production)
    return [e.status for e in said.ledger if e.trajectory.playbook == "migration-order"]


MIGRATION = {"db/migrations/0031_hull.sql": "ALTER TABLE boats ADD COLUMN hull_colour text;\n"}

MODELS = {
    "sqlalchemy": (
        "yard/models.py",
        'class Boat(Base):\n    __tablename__ = "boats"\n    id: Mapped[int] = mapped_column(primary_key=True)\n',
        "    hull_colour: Mapped[str | None] = mapped_column(Text)\n",
    ),
    "sqlalchemy of old": (
        "yard/models.py",
        'class Boat(Base):\n    __tablename__ = "boats"\n    id = Column(Integer, primary_key=True)\n',
        "    hull_colour = Column(Text)\n",
    ),
    "django": (
        "yard/models.py",
        'class Boat(models.Model):\n    length_cm = models.IntegerField()\n\n    class Meta:\n        db_table = "boats"\n\n',
        "    hull_colour = models.TextField(null=True)\n",
    ),
    "typeorm": (
        "src/boat.entity.ts",
        '@Entity("boats")\nexport class Boat {\n  @PrimaryGeneratedColumn() id!: number;\n',
        '  @Column({ name: "hull_colour", nullable: true }) hullColour?: string;\n}\n',
    ),
    "prisma": (
        "prisma/schema.prisma",
        'model Boat {\n  id Int @id\n  @@map("boats")\n',
        '  hullColour String? @map("hull_colour")\n}\n',
    ),
    "gorm": (
        "yard/boat.go",
        'package yard\n\ntype Boat struct {\n\tID int64\n\tLengthCm int `gorm:"column:length_cm"`\n',
        '\tHullColour *string `gorm:"column:hull_colour"`\n}\n',
    ),
    "hibernate": (
        "src/main/java/yard/Boat.java",
        'package yard;\n\n@Entity\n@Table(name = "boats")\npublic class Boat {\n  @Id private Long id;\n',
        '  @Column(name = "hull_colour") private String hullColour;\n}\n',
    ),
    "exposed": (
        "src/main/kotlin/Boats.kt",
        'object Boats : LongIdTable("boats") {\n  val length = integer("length_cm")\n',
        '  val hull = text("hull_colour").nullable()\n}\n',
    ),
    "ecto": (
        "lib/yard/boat.ex",
        'defmodule Yard.Boat do\n  schema "boats" do\n    field :length_cm, :integer\n',
        "    field :hull_colour, :string\n  end\nend\n",
    ),
    "sequelize": (
        "src/boat.js",
        'export const Boat = sequelize.define("Boat", {\n  lengthCm: { type: DataTypes.INTEGER, field: "length_cm" },\n',
        '  hullColour: { type: DataTypes.TEXT, field: "hull_colour" },\n}, { tableName: "boats" });\n',
    ),
    "drizzle": (
        "src/schema.ts",
        'export const boats = pgTable("boats", {\n  id: bigint("id").primaryKey(),\n',
        '  hullColour: text("hull_colour"),\n});\n',
    ),
    "sql": (
        "yard/store.go",
        "package yard\n",
        'const q = "SELECT id, hull_colour FROM boats WHERE berth_id = $1"\n',
    ),
    "active record": (
        "app/models/boat.rb",
        "class Boat < ApplicationRecord\n",
        "  scope :red, -> { where(hull_colour: 'red') }\nend\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", MODELS)
def test_a_model_gains_a_column_that_people_add_later(kind: str) -> None:
    path, before, added = MODELS[kind]

    assert _statuses({path: before, **DOCUMENT}, {path: before + added, **MIGRATION}, _production()) == [Status.CONFIRMED]


@pytest.mark.parametrize("kind", MODELS)
def test_a_model_gains_a_column_that_is_there_already(kind: str) -> None:
    path, before, added = MODELS[kind]
    base = {path: before, **DOCUMENT}

    assert _statuses(base, {path: before + added, **MIGRATION}, _production("hull_colour")) == [Status.REFUTED]


@pytest.mark.parametrize("kind", MODELS)
def test_the_migration_was_merged_before_and_is_not_applied(kind: str) -> None:
    path, before, added = MODELS[kind]
    base = {path: before, **DOCUMENT, **MIGRATION}

    assert _statuses(base, {path: before + added}, _production(applied=["0030_berths"])) == [Status.CONFIRMED]


def test_a_merged_migration_that_is_applied_refutes_it() -> None:
    path, before, added = MODELS["prisma"]
    base = {path: before, **DOCUMENT, **MIGRATION}

    assert _statuses(base, {path: before + added}, _production("hull_colour", applied=["0031_hull"])) == [Status.REFUTED]


def test_a_deploy_that_applies_migrations_says_nothing() -> None:
    path, before, added = MODELS["prisma"]
    base = {path: before, **MIGRATION, "Procfile": "release: npx prisma migrate deploy\nweb: node a.js\n"}

    assert _statuses(base, {path: before + added}, _production()) == []


def test_a_roll_out_without_the_history_of_production_is_a_question() -> None:
    path, before, added = MODELS["prisma"]
    rolls = {".github/workflows/deploy.yml": "jobs:\n  d:\n    steps:\n      - run: sam build && sam deploy\n"}

    assert _statuses({path: before, **rolls}, {path: before + added, **MIGRATION}, _production()) == [Status.PLAUSIBLE]


def test_a_roll_out_past_a_merged_migration_that_production_has_not_applied_is_confirmed() -> None:
    path, before, added = MODELS["prisma"]
    rolls = {".github/workflows/deploy.yml": "jobs:\n  d:\n    steps:\n      - run: sam build && sam deploy\n"}
    base = {path: before, **rolls, **MIGRATION}

    assert _statuses(base, {path: before + added}, _production(applied=["0030_berths"])) == [Status.CONFIRMED]


MAPPED = {
    "sqlalchemy": (
        'class Boat(Base):\n    __tablename__ = "boats"\n    id: Mapped[int] = mapped_column(primary_key=True)\n    length_cm: Mapped[int]\n',
        "    hull_colour: Mapped[str | None]\n",
        "yard/models.py",
    ),
    "django": (
        'class Boat(models.Model):\n    class Meta:\n        db_table = "boats"\n\n    length_cm = models.IntegerField()\n    berth = models.ForeignKey(Berth, models.CASCADE)\n',
        "    hull_colour = models.TextField(null=True)\n",
        "yard/models.py",
    ),
    "typeorm": (*(MODELS["typeorm"][1].replace("!: number;", "!: number;\n  @Column() length_cm!: number;"), MODELS["typeorm"][2]), "src/boat.entity.ts"),
    "prisma": (
        'model Boat {\n  id Int @id\n  lengthCm Int @map("length_cm")\n  @@map("boats")\n',
        '  hullColour String? @map("hull_colour")\n}\n',
        "prisma/schema.prisma",
    ),
    "gorm": (*MODELS["gorm"][1:], "yard/boat.go"),
    "hibernate": (
        MODELS["hibernate"][1] + '  @Column(name = "length_cm") private int length;\n',
        MODELS["hibernate"][2],
        "src/main/java/yard/Boat.java",
    ),
    "exposed": (*MODELS["exposed"][1:], "src/main/kotlin/Boats.kt"),
    "ecto": (*MODELS["ecto"][1:], "lib/yard/boat.ex"),
    "sequelize": (*MODELS["sequelize"][1:], "src/boat.js"),
    "drizzle": (*MODELS["drizzle"][1:], "src/schema.ts"),
}  # fmt: skip


@pytest.mark.parametrize("kind", MAPPED)
def test_a_model_gains_a_column_that_nothing_in_the_repository_makes(kind: str) -> None:
    before, added, path = MAPPED[kind]

    assert _statuses({path: before}, {path: before + added}, _production()) == [Status.CONFIRMED]


@pytest.mark.parametrize("kind", MAPPED)
def test_a_column_that_was_made_elsewhere_refutes_it(kind: str) -> None:
    before, added, path = MAPPED[kind]

    assert _statuses({path: before}, {path: before + added}, _production("hull_colour")) == [Status.REFUTED]


def test_an_application_that_makes_its_columns_itself_says_nothing() -> None:
    before, added, path = MAPPED["gorm"]
    boot = {"main.go": "package main\n\nfunc main() { db.AutoMigrate(&yard.Boat{}) }\n"}

    assert _statuses({path: before, **boot}, {path: before + added}, _production()) == []


@pytest.mark.parametrize(
    "line",
    [
        "    crew = relationship('Crew')\n",
        "    @property\n    def long(self):\n        return self.length_cm > 900\n",
        "    # hull_colour: Mapped[str]\n",
        "    crew: Mapped[list['Crew']] = relationship()\n",
    ],
)
def test_what_is_no_column_says_nothing(line: str) -> None:
    before, _, path = MAPPED["sqlalchemy"]

    assert _statuses({path: before}, {path: before + line}, _production()) == []


def test_a_model_whose_names_are_not_those_of_production_says_nothing() -> None:
    before, added, path = MAPPED["sqlalchemy"]
    before = before.replace("length_cm", "len").replace("id:", "nr:")

    assert _statuses({path: before}, {path: before + added}, _production()) == []
