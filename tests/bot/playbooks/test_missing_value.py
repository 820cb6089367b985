"""Columns that become obligatory, and INSERTs that leave them out."""

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.evaluation import Evaluation
from gonogo.trajectory import Status

DATABASE = "arn:aws:rds:eu-west-1:1:db:orders"
RELEASE = {"Procfile": "release: alembic upgrade head\nweb: gunicorn app\n"}
OLD = {"app/orders.py": 'SQL = "INSERT INTO orders (customer_id, total) VALUES (%s, %s)"\n', **RELEASE}
NEW = {"app/orders.py": 'SQL = "INSERT INTO orders (customer_id, total, slot) VALUES (%s, %s, %s)"\n'}


def _production(*columns: dict[str, object], writes: float = 12.0) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    service = production.resource("arn:aws:ecs:eu-west-1:1:service/core/web", "aws.ecs.service", "web", is_deployed=True)
    production.resource(DATABASE, "aws.rds.instance", "orders")
    production.edge(service, DATABASE, "writes_to")
    table = {
        "name": "orders",
        "row_estimate": 900,
        "writes_per_second": writes,
        "reads_per_second": 3.0,
        "columns": list(columns),
    }
    production.database(DATABASE, tables=[table])
    return production


SLOT = {"name": "slot", "type": "text", "nullable": True, "null_fraction": 0.0}


def _statuses(base: dict[str, str], head: dict[str, str | None], sql: str, production: MemoryProduction) -> list[Status]:
    said: Evaluation = evaluation_of(base, {**head, "db/migrations/V7__slot.sql": sql}, production)
    return [e.status for e in said.ledger if e.trajectory.playbook == "missing-value"]


SET = "ALTER TABLE orders ALTER COLUMN slot SET NOT NULL;\n"


def test_an_insert_of_the_new_version_that_leaves_it_out_is_confirmed() -> None:
    assert _statuses(OLD, {}, SET, _production(SLOT)) == [Status.CONFIRMED]


def test_an_insert_of_the_deployed_version_is_confirmed_when_the_migration_comes_first() -> None:
    assert _statuses(OLD, dict(NEW), SET, _production(SLOT)) == [Status.CONFIRMED]


def test_the_same_in_a_go_service_without_a_known_order_is_a_question() -> None:
    old = {"store.go": "package s\nconst q = `INSERT INTO orders (customer_id, total)\n VALUES ($1, $2)`\n"}
    new: dict[str, str | None] = {
        "store.go": "package s\nconst q = `INSERT INTO orders (customer_id, total, slot)\n VALUES ($1, $2, $3)`\n"
    }

    assert _statuses(old, new, SET, _production(SLOT)) == [Status.PLAUSIBLE]


def test_a_default_that_stays_says_nothing() -> None:
    assert _statuses(OLD, {}, "ALTER TABLE orders ADD COLUMN slot text NOT NULL DEFAULT 'am';\n", _production()) == []


def test_a_default_that_is_dropped_again_is_confirmed() -> None:
    sql = "ALTER TABLE orders ADD COLUMN slot text NOT NULL DEFAULT 'am';\nALTER TABLE orders ALTER COLUMN slot DROP DEFAULT;\n"

    assert _statuses(OLD, dict(NEW), sql, _production()) == [Status.CONFIRMED]


def test_a_default_of_production_says_nothing() -> None:
    assert _statuses(OLD, {}, SET, _production(SLOT | {"default": "'am'::text"})) == []


def test_a_table_that_nobody_writes_is_refuted() -> None:
    assert _statuses(OLD, {}, SET, _production(SLOT, writes=0.0)) == [Status.REFUTED]


def test_inserts_that_name_it_on_both_sides_say_nothing() -> None:
    assert _statuses({**RELEASE, **NEW}, {}, SET, _production(SLOT)) == []
