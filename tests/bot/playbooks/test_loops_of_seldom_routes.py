"""One more query for every row, on routes that hardly anybody calls, against databases of every kind."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

HEAD = "from fastapi import FastAPI\n\napp = FastAPI()\n\n\n@app.get('/admin/loans/export')\ndef export():\n    rows = Loan.objects.order_by('due')%s\n"
LOOP = "    for row in rows:\n        row.note = Report.objects.filter(loan=row.id).first()\n"
ROUTE = "http_requests_per_second{route=/admin/loans/export}"


def _museum(
    rate: float, *, kind: str = "kubernetes.statefulset", cpu: float | None = 9.0, **attributes: object
) -> MemoryProduction:
    production = MemoryProduction("github:acme/museum")
    loans = production.resource("kubernetes:c/x/deployment/loans", "kubernetes.deployment", "loans", is_deployed=True, replicas=3)
    database = production.resource("db", kind, "collections-pg", **attributes)  # pyright: ignore[reportArgumentType]
    production.edge(loans, database, "reads_from")
    production.metric(loans, ROUTE, "Count/Second", rate)
    if cpu is not None:
        production.metric(database, "container_cpu_usage_percent", "Percent", cpu)
    return production


def _statuses(production: MemoryProduction, *, limit: str = "[:200]") -> list[Status]:
    base = HEAD % limit + "    return rows\n"
    head = HEAD % limit + LOOP + "    return rows\n"
    said = evaluation_of({"app/main.py": base}, {"app/main.py": head}, production)
    return [e.status for e in said.ledger if e.trajectory.playbook == "added-call"]


@pytest.mark.parametrize(
    ("kind", "attributes"),
    [
        ("kubernetes.statefulset", {"engine": "postgres"}),
        ("kubernetes.cluster.postgresql.cnpg.io", {}),
        ("aws.rds.instance", {"engine": "mysql"}),
        ("host.vm", {"engine": "mariadb"}),
    ],
)
@pytest.mark.parametrize("cpu", [9.0, None])
def test_a_few_calls_a_day_cost_a_database_nothing(kind: str, attributes: dict[str, object], cpu: float | None) -> None:
    assert _statuses(_museum(0.0033, kind=kind, cpu=cpu, **attributes)) == [Status.REFUTED]


def test_a_database_that_is_not_known_refutes_it_by_the_rate_alone() -> None:
    assert _statuses(_museum(0.0033, kind="custom.thing", cpu=None)) == [Status.REFUTED]


def test_a_loop_of_unknown_length_on_a_seldom_route_is_of_no_interest() -> None:
    assert _statuses(_museum(0.0033, engine="postgres"), limit="") == []


def test_a_busy_route_is_still_told() -> None:
    assert _statuses(_museum(60.0, engine="postgres", cpu=70.0)) != [Status.REFUTED]
