"""Required columns whose default does not stay in the database, and rows that ORMs of the deployed version add."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

DATABASE = "arn:aws:rds:eu-west-1:1:db:clinic"
RELEASE = {"Procfile": "release: python manage.py migrate\nweb: gunicorn app\n"}
FIRST = {
    "clinic/migrations/0001_initial.py": 'from django.db import migrations, models\n\nclass Migration(migrations.Migration):\n    operations = [migrations.CreateModel(name="Visit", fields=[("id", models.BigAutoField(primary_key=True)), ("room", models.CharField(max_length=9))])]\n'
}
MODEL = "from django.db import models\n\n\nclass Visit(models.Model):\n    room = models.CharField(max_length=9)\n"
MIGRATION = 'from django.db import migrations, models\n\n\nclass Migration(migrations.Migration):\n    dependencies = [("clinic", "0001_initial")]\n    operations = [migrations.AddField(model_name="visit", name="kind", field=models.CharField(max_length=9, {default}))]\n'
CREATES = "from .models import Visit\n\n\ndef book(room):\n    return Visit.objects.create(room=room)\n"


def _production(*, strategy: str = "RollingUpdate", **table: object) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    service = production.resource(
        "kubernetes:c/n/deployment/clinic", "kubernetes.deployment", "clinic", is_deployed=True, strategy=strategy
    )
    production.resource(DATABASE, "aws.rds.instance", "clinic")
    production.edge(service, DATABASE, "writes_to")
    columns = [{"name": "id", "type": "bigint", "nullable": False}, {"name": "room", "type": "text", "nullable": False}]
    row = {"name": "clinic_visit", "row_estimate": 90_000, "writes_per_second": 9.0, "reads_per_second": 30.0, "columns": columns}
    production.database(DATABASE, tables=[row | table])
    return production


def _django(default: str, production: MemoryProduction, code: str = CREATES) -> list[Status]:
    base = {"clinic/models.py": MODEL, "clinic/views.py": code, **RELEASE, **FIRST}
    field = f"    kind = models.CharField(max_length=9, {default})\n"
    head: dict[str, str | None] = {
        "clinic/models.py": MODEL + field,
        "clinic/migrations/0002_kind.py": MIGRATION.format(default=default),
    }
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "missing-value"]


@pytest.mark.parametrize(
    "code",
    [
        CREATES,
        "from .models import Visit\n\n\ndef book(room):\n    visit = Visit(room=room)\n    visit.save()\n",
        "from .models import Visit\n\n\ndef book(rooms):\n    Visit.objects.bulk_create([])\n",
        "from rest_framework import serializers\nfrom .models import Visit\n\n\nclass S(serializers.ModelSerializer):\n    class Meta:\n        model = Visit\n",
    ],
)
def test_a_default_that_django_takes_out_again_breaks_the_deployed_version(code: str) -> None:
    assert _django('default="first"', _production(), code) == [Status.CONFIRMED]


def test_a_default_that_stays_in_the_database_says_nothing() -> None:
    assert _django('db_default="first"', _production()) == []


def test_a_table_without_inserts_is_refuted() -> None:
    assert _django('default="first"', _production(more={"inserts_per_second": 0.0})) == [Status.REFUTED]


def test_old_instances_that_are_gone_first_are_a_question() -> None:
    assert _django('default="first"', _production(strategy="Recreate")) == [Status.PLAUSIBLE]


SQL = "ALTER TABLE clinic_visit ADD COLUMN kind text NOT NULL DEFAULT 'first';\nALTER TABLE clinic_visit ALTER COLUMN kind DROP DEFAULT;\n"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("src/visits.ts", 'export const book = (room) => knex("clinic_visit").insert({ room });\n'),
        (
            "src/visits.ts",
            'export const visits = pgTable("clinic_visit", {});\nexport const book = (room) => db.insert(visits).values({ room });\n',
        ),
        ("app/Visits.php", "<?php\nDB::table('clinic_visit')->insert(['room' => $room]);\n"),
        (
            "app/visits.py",
            'class Visit(Base):\n    __tablename__ = "clinic_visit"\n\n\ndef book(s, room):\n    s.add(Visit(room=room))\n',
        ),
        ("lib/visits.rb", "DB[:clinic_visit].insert(room: room)\n"),
    ],
)
def test_builders_and_mapped_classes_leave_out_what_they_do_not_know(path: str, code: str) -> None:
    base = {path: code, "Procfile": "release: flyway migrate\nweb: run\n"}
    evaluation = evaluation_of(base, {"db/migrations/V7__kind.sql": SQL}, _production())

    assert [e.status for e in evaluation.ledger if e.trajectory.playbook == "missing-value"] == [Status.CONFIRMED]
