"""Counts and log lines clear an endpoint only when they would have named it: by two labels, by type, by service, by path."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

SERVICE = "kubernetes:prod/a/deployment/graph"
SCHEMA = "type Query {\n  parcel(id: ID!): Parcel\n  depots: [Depot!]!\n}\n\ntype Parcel {\n  id: ID!\n  weightGrams: Int!\n  sender: String\n}\n\ntype Depot {\n  name: String!\n}\n"
FIELD = {"schema.graphql": SCHEMA.replace("  weightGrams: Int!\n", "  weight: Int!\n")}
ROOT = {"schema.graphql": SCHEMA.replace("  depots: [Depot!]!\n", "")}


def _production(*series: tuple[str, float | list[float]]) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    production.resource(SERVICE, "kubernetes.deployment", "graph", is_deployed=True)
    for name, value in series:
        production.metric(SERVICE, name, "Count/Second", value)
    return production


def _status(base: dict[str, str], head: dict[str, str], production: MemoryProduction) -> Status:
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    [status] = [e.status for e in evaluation.ledger if e.trajectory.playbook == "removed-endpoint"]
    return status


@pytest.mark.parametrize(
    ("series", "expected"),
    [
        ([("graphql_field_requests_per_second{type=Parcel,field=weightGrams}", 9.0)], Status.CONFIRMED),
        ([("graphql_resolver_calls{parentType=Parcel,fieldName=weightGrams}", 9.0)], Status.CONFIRMED),
        ([("apollo_field_executions{parent_type=Parcel,field_name=weightGrams}", 9.0)], Status.CONFIRMED),
        ([("field_requests{coordinate=Parcel.weightGrams}", 9.0)], Status.CONFIRMED),
        ([("field_requests{field=Parcel.weightGrams}", 9.0)], Status.CONFIRMED),
        ([("field_requests{path=Parcel/weightGrams}", 9.0)], Status.CONFIRMED),
        ([("field_requests{field=weightGrams}", 9.0)], Status.CONFIRMED),
        ([("field_requests{type=Parcel,field=weightGrams}", 0.0)], Status.REFUTED),
        ([("field_requests{type=Parcel,field=id}", 9.0), ("field_requests{type=Parcel,field=sender}", 4.0)], Status.REFUTED),
        ([("field_requests{type=Depot,field=weightGrams}", 9.0)], Status.PLAUSIBLE),
        ([("field_requests{type=Depot,field=name}", 9.0), ("field_requests{type=Query,field=depots}", 4.0)], Status.PLAUSIBLE),
        ([("operations{operation=ParcelCard}", 9.0), ("operations{operation=DepotList}", 4.0)], Status.PLAUSIBLE),
        ([("http_requests_total{route=/graphql}", 9.0), ("http_requests_total{route=/healthz}", 4.0)], Status.PLAUSIBLE),
    ],
)
def test_a_field_is_counted_by_its_type_and_name(series: list[tuple[str, float | list[float]]], expected: Status) -> None:
    assert _status({"schema.graphql": SCHEMA}, FIELD, _production(*series)) == expected


def test_no_calls_in_an_hour_say_little() -> None:
    production = _production(("field_requests{type=Parcel,field=weightGrams}", [0.0] * 12))

    assert _status({"schema.graphql": SCHEMA}, FIELD, production) == Status.PLAUSIBLE


@pytest.mark.parametrize(
    ("series", "expected"),
    [
        ([("operations{operation=ParcelCard}", 9.0), ("operations{operation=Departures}", 4.0)], Status.PLAUSIBLE),
        ([("field_requests{type=Query,field=parcel}", 9.0), ("field_requests{type=Query,field=me}", 4.0)], Status.PLAUSIBLE),
        ([("field_requests{type=Query,field=depots}", 9.0)], Status.CONFIRMED),
        ([("graphql_queries{query=depots}", 9.0)], Status.CONFIRMED),
    ],
)
def test_operations_have_names_that_clients_chose(series: list[tuple[str, float | list[float]]], expected: Status) -> None:
    assert _status({"schema.graphql": SCHEMA}, ROOT, _production(*series)) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"op": "Card", "fields": ["Parcel.id", "Parcel.weightGrams"], "ms": 4}', Status.CONFIRMED),
        ('{"operationName": "Card", "query": "query Card { parcel(id: 1) { id weightGrams } }"}', Status.CONFIRMED),
        ("op=Card fields=id,weightGrams ms=4", Status.CONFIRMED),
        ('{"op": "Card", "fields": ["Parcel.id", "Parcel.sender"], "ms": 4}', Status.REFUTED),
        ('{"op": "Card", "fields": ["Depot.weightGrams", "Parcel.sender"], "ms": 4}', Status.REFUTED),
        ('{"op": "Card", "fields": ["Query.parcel"], "ms": 4}', Status.PLAUSIBLE),
        ("POST /graphql 200 operationName=Card", Status.PLAUSIBLE),
    ],
)
def test_lines_that_list_the_fields_of_a_query_tell(line: str, expected: Status) -> None:
    production = _production()
    production.log(SERVICE, *[line] * 60)

    assert _status({"schema.graphql": SCHEMA}, FIELD, production) == expected


PROTO = 'syntax = "proto3";\npackage acme.v1;\nservice Stock {\n  rpc Allocate(A) returns (B);\n  rpc Reserve(A) returns (B);\n  rpc Release(A) returns (B);\n}\n'
RPC = {"stock.proto": PROTO.replace("  rpc Reserve(A) returns (B);\n", "")}


@pytest.mark.parametrize(
    ("series", "expected"),
    [
        ([("grpc_server_handled_total{grpc_service=acme.v1.Stock,grpc_method=Reserve}", 3.0)], Status.CONFIRMED),
        ([("rpc_requests{rpc.service=acme.v1.Stock,rpc.method=Reserve}", 3.0)], Status.CONFIRMED),
        ([("grpc_server_handled_total{grpc_service=acme.v1.Booking,grpc_method=Reserve}", 3.0)], Status.PLAUSIBLE),
        (
            [
                ("grpc_server_handled_total{grpc_service=acme.v1.Stock,grpc_method=Allocate}", 3.0),
                ("grpc_server_handled_total{grpc_service=acme.v1.Stock,grpc_method=Release}", 3.0),
            ],
            Status.REFUTED,
        ),
        (
            [
                ("grpc_server_handled_total{grpc_service=grpc.health.v1.Health,grpc_method=Check}", 3.0),
                ("grpc_server_handled_total{grpc_service=acme.v1.Booking,grpc_method=Book}", 3.0),
            ],
            Status.PLAUSIBLE,
        ),
    ],
)
def test_a_procedure_is_counted_by_its_service_and_name(series: list[tuple[str, float | list[float]]], expected: Status) -> None:
    assert _status({"stock.proto": PROTO}, RPC, _production(*series)) == expected


APP = "from fastapi import FastAPI\napp = FastAPI()\n\n@app.get('/v2/quotes/{id}')\ndef v2(id: str): ...\n"
OLD = "\n@app.get('/v1/quotes/{id}')\ndef v1(id: str): ...\n"


@pytest.mark.parametrize(
    ("series", "expected"),
    [
        ([("http_requests_total{method=GET}", 9.0), ("http_requests_total{method=POST}", 4.0)], Status.PLAUSIBLE),
        ([("http_requests_total{handler=v2}", 9.0), ("http_requests_total{handler=health}", 4.0)], Status.PLAUSIBLE),
        ([("requests{controller=Quotes,action=show}", 9.0), ("requests{controller=Quotes,action=index}", 4.0)], Status.PLAUSIBLE),
        (
            [("requests{route=/v2/quotes/{id}}", 9.0), ("requests{route=/up}", 4.0), ("requests{route=other}", 1.0)],
            Status.PLAUSIBLE,
        ),
        ([("requests{route=/v2/quotes/{id}}", 9.0), ("requests{route=/up}", 4.0)], Status.REFUTED),
        ([("requests{method=GET,route=/v1/quotes/{id}}", 9.0), ("requests{method=GET,route=/up}", 4.0)], Status.CONFIRMED),
    ],
)
def test_counts_that_do_not_name_paths_clear_none(series: list[tuple[str, float | list[float]]], expected: Status) -> None:
    assert _status({"app/main.py": APP + OLD}, {"app/main.py": APP}, _production(*series)) == expected
