"""Migrations that their runner goes past, applies late, or that people apply by hand."""

from collections.abc import Sequence

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status
from gonogo.word import Json

DATABASE = "arn:aws:rds:eu-west-1:1:db:zoo"
FIRST = {
    "migrations/20260101000000_pens.up.sql": "CREATE TABLE pens (id bigint);\n",
    "entrypoint.sh": "migrate -path /migrations up\n",
    "go.mod": "module zoo\n",
}
CODE = "package zoo\n\nconst q = `SELECT {what} FROM {table}`\n"
LATE = "migrations/20260301000000_meals.up.sql"


def _production(
    applied: Sequence[Json] | None, *, rate: float | None = 9.0, engine: str = "postgres", **table: object
) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    service = production.resource("arn:aws:ecs:eu-west-1:1:service/core/zoo", "aws.ecs.service", "zoo", is_deployed=True)
    production.resource(DATABASE, "aws.rds.instance", "zoo")
    production.edge(service, DATABASE, "reads_from")
    if rate is not None:
        balancer = production.resource(
            "arn:aws:elasticloadbalancing:eu-west-1:1:loadbalancer/app/zoo/1", "aws.elb.loadbalancer", "zoo"
        )
        production.edge(balancer, service, "routes_to")
        production.metric(balancer, "RequestCountPerSecond", "Count/Second", rate)
    rows = [{"name": "pens", "row_estimate": 40, "reads_per_second": 3.0} | table]
    production.database(DATABASE, engine=engine, tables=rows, applied_migrations=None if applied is None else list(applied))
    return production


def _statuses(base: dict[str, str], head: dict[str, str | None], production: MemoryProduction) -> list[Status]:
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "migration-order"]


PAST = [{"version": "20260401000000", "dirty": False}]


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("CREATE TABLE meals (pen_id bigint REFERENCES pens (id));\n", CODE.format(what="count(*)", table="meals")),
        ("ALTER TABLE pens ADD COLUMN feeder text;\n", CODE.format(what="id, feeder", table="pens")),
    ],
)
@pytest.mark.parametrize(("rate", "expected"), [(9.0, Status.CONFIRMED), (0.0, Status.REFUTED), (None, Status.PLAUSIBLE)])
def test_code_that_needs_a_migration_which_is_gone_past(sql: str, code: str, rate: float | None, expected: Status) -> None:
    head: dict[str, str | None] = {LATE: sql, "zoo.go": code}

    assert _statuses({**FIRST, "zoo.go": CODE.format(what="id", table="pens")}, head, _production(PAST, rate=rate)) == [expected]


def test_a_newer_migration_is_applied() -> None:
    head: dict[str, str | None] = {
        "migrations/20260501000000_meals.up.sql": "CREATE TABLE meals (id bigint);\n",
        "zoo.go": CODE.format(what="id", table="meals"),
    }

    assert Status.CONFIRMED not in _statuses({**FIRST, "zoo.go": "package zoo\n"}, head, _production(PAST))


FLYWAY = {
    "src/main/resources/db/migration/V1__pens.sql": "CREATE TABLE pens (id bigint);\n",
    "build.gradle": "implementation 'org.flywaydb:flyway-core'\n",
}
LATE_FLYWAY: dict[str, str | None] = {
    "src/main/resources/db/migration/V3__meals.sql": "CREATE TABLE meals (pen bigint REFERENCES pens);\n"
}


@pytest.mark.parametrize(
    "allowed",
    [
        {"src/main/resources/application.yml": "spring:\n  flyway:\n    out-of-order: true\n"},
        {"src/main/resources/application.properties": "spring.flyway.out-of-order=true\n"},
        {"deploy/app.yaml": 'env:\n  - name: SPRING_FLYWAY_OUT_OF_ORDER\n    value: "true"\n'},
        {"src/main/java/Config.java": "class Config { void x() { Flyway.configure().outOfOrder(true); } }\n"},
    ],
)
def test_a_runner_that_may_apply_older_ones_is_refuted(allowed: dict[str, str]) -> None:
    production = _production([{"version": "1"}, {"version": "4"}])

    assert _statuses({**FLYWAY, **allowed}, LATE_FLYWAY, production) == [Status.REFUTED]


@pytest.mark.parametrize(
    "other", [{}, {"src/test/resources/application-test.yml": "spring:\n  flyway:\n    out-of-order: true\n"}]
)
def test_a_runner_that_refuses_older_ones_is_confirmed(other: dict[str, str]) -> None:
    assert _statuses({**FLYWAY, **other}, LATE_FLYWAY, _production([{"version": "1"}, {"version": "4"}])) == [Status.CONFIRMED]


KNEX = {
    "package.json": '{"dependencies": {"knex": "3.1.0"}}\n',
    "src/pens.js": 'export const pens = () => knex("pens").select("id");\n',
}
NEEDS: dict[str, str | None] = {
    "migrations/20260501000000_feeder.js": 'export const up = (knex) => knex.schema.alterTable("pens", (t) => t.string("feeder"));\nexport const down = () => {};\n',
    "src/pens.js": 'export const pens = () => knex("pens").select("id", "feeder");\n',
}
BY_HAND = {"docs/migrations.md": "# Migrations\n\nA DBA runs `npx knex migrate:latest` from the bastion on request.\n"}
ROLLS = {
    ".github/workflows/deploy.yml": "jobs:\n  deploy:\n    steps:\n      - run: aws ecs update-service --service zoo --force-new-deployment\n"
}
COLUMNS = [{"name": "id", "type": "bigint"}]


@pytest.mark.parametrize("how", [BY_HAND, ROLLS, {**BY_HAND, **ROLLS}])
def test_nothing_that_applies_the_migration_is_a_question(how: dict[str, str]) -> None:
    assert _statuses({**KNEX, **how}, NEEDS, _production(None, engine="mysql")) == [Status.PLAUSIBLE]


def test_a_column_that_production_lacks_while_people_apply_migrations_is_confirmed() -> None:
    assert _statuses({**KNEX, **BY_HAND}, NEEDS, _production(None, columns=COLUMNS)) == [Status.CONFIRMED]


def test_a_column_that_is_there_already_is_refuted() -> None:
    columns = [*COLUMNS, {"name": "feeder", "type": "text"}]

    assert _statuses({**KNEX, **BY_HAND, **ROLLS}, NEEDS, _production(None, columns=columns)) == [Status.REFUTED]
