"""Time-outs of statements that SQL sets for roles, databases and servers, against how long statements take."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

DATABASE = "gcp:sql:mill/grain-pg"


def _mill(*messages: str, slowest_s: float | None = None) -> MemoryProduction:
    production = MemoryProduction("github:acme/mill")
    service = production.resource("kubernetes:c/mill/deployment/mill", "kubernetes.deployment", "mill", is_deployed=True)
    production.resource(DATABASE, "gcp.sql.instance", "grain-pg")
    production.edge(service, DATABASE, "connects_to")
    production.database(DATABASE, tables=[{"name": "sacks", "row_estimate": 40_000_000}])
    production.log(DATABASE, *messages)
    if slowest_s is not None:
        production.metric(service, "db_query_duration_seconds.p99", "Seconds", slowest_s)
    return production


def _statuses(base: dict[str, str], head: dict[str, str], production: MemoryProduction) -> list[Status]:
    said = evaluation_of(base, head, production)  # pyright: ignore[reportArgumentType]
    return [e.status for e in said.ledger if e.trajectory.playbook == "time-out"]


FORMS = {
    "role": "ALTER ROLE mill_app SET statement_timeout = '%s';\n",
    "role to": "ALTER ROLE mill_app SET statement_timeout TO '%s';\n",
    "role in a database": "ALTER ROLE mill_app IN DATABASE mill SET statement_timeout = '%s';\n",
    "user": "ALTER USER mill_app SET statement_timeout = '%s';\n",
    "database": "ALTER DATABASE mill SET statement_timeout = '%s';\n",
    "system": "ALTER SYSTEM SET statement_timeout = '%s';\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_shorter_limit_over_statements_that_nobody_measured_is_a_question(form: str) -> None:
    base = {"db/migrations/0001_roles.sql": FORMS[form] % "60s"}

    assert _statuses(base, {"db/migrations/0002_limit.sql": FORMS[form] % "5s"}, _mill()) == [Status.PLAUSIBLE]


@pytest.mark.parametrize(("slowest_s", "expected"), [(0.2, Status.REFUTED), (9.0, Status.CONFIRMED)])
def test_measured_statements_settle_it(slowest_s: float, expected: Status) -> None:
    base = {"db/migrations/0001_roles.sql": FORMS["role"] % "60s"}

    assert _statuses(base, {"db/migrations/0002_limit.sql": FORMS["role"] % "5s"}, _mill(slowest_s=slowest_s)) == [expected]


def test_the_way_back_of_a_migration_is_not_read() -> None:
    text = "-- migrate:up\nSELECT 1;\n\n-- migrate:down\nALTER ROLE mill_app SET statement_timeout = '5s';\n"
    base = {"db/migrations/0001_roles.sql": FORMS["role"] % "60s"}

    assert _statuses(base, {"db/migrations/0002_limit.sql": text}, _mill()) == []


def test_a_longer_limit_is_silent() -> None:
    base = {"db/migrations/0001_roles.sql": FORMS["role"] % "5s"}

    assert _statuses(base, {"db/migrations/0002_limit.sql": FORMS["role"] % "60s"}, _mill()) == []


def test_a_first_limit_that_is_long_is_silent() -> None:
    assert _statuses({}, {"db/migrations/0002_limit.sql": FORMS["role"] % "30s"}, _mill()) == []


def test_a_connection_string_may_carry_it() -> None:
    text = 'URL = "postgres://h/mill?options=-c%20statement_timeout%3D60000"\n'

    assert _statuses({"mill/db.py": text}, {"mill/db.py": text.replace("60000", "5000")}, _mill()) == [Status.PLAUSIBLE]


def test_mysql_sets_it_for_the_server() -> None:
    base = {"db/migrations/0001_limits.sql": "SET GLOBAL max_execution_time = 60000;\n"}

    assert _statuses(base, {"db/migrations/0002_limits.sql": "SET GLOBAL max_execution_time = 5000;\n"}, _mill()) == [
        Status.PLAUSIBLE
    ]
