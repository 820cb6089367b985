"""Endpoints that go, and who calls them."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

SERVICE = "kubernetes:prod/a/deployment/quotes"


def _statuses(
    base: dict[str, str], head: dict[str, str | None], production: MemoryProduction | None, playbook: str = "removed-endpoint"
) -> list[Status]:
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == playbook]


def _production(*series: tuple[str, float], unit: str = "Count") -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    production.resource(SERVICE, "kubernetes.deployment", "quotes", is_deployed=True)
    for name, value in series:
        production.metric(SERVICE, name, unit, value)
    return production


FASTAPI = "from fastapi import FastAPI\napp = FastAPI()\n\n@app.get('/v2/quotes/{id}')\ndef v2(id: str): ...\n"
OLD = "\n@app.get('/v1/quotes/{id}')\ndef v1(id: str): ...\n"
EXPRESS = 'const app = require("express")();\napp.get("/v2/quotes/:id", v2);\n'
GO = 'package main\n\nimport "net/http"\n\nfunc main() {\n\thttp.HandleFunc("GET /v2/quotes/{id}", v2)\n'


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("app/main.py", FASTAPI + OLD, FASTAPI),
        ("src/app.js", EXPRESS + 'app.get("/v1/quotes/:id", v1);\n', EXPRESS),
        ("main.go", GO + '\thttp.HandleFunc("GET /v1/quotes/{id}", v1)\n}\n', GO + "}\n"),
    ],
)
@pytest.mark.parametrize(
    ("series", "expected"),
    [
        ([("Count{route=/v1/quotes/{id}}", 40.0), ("Count{route=/v2/quotes/{id}}", 90.0)], Status.CONFIRMED),
        ([("http_requests_total{path=/v1/quotes/:id,method=GET}", 40.0)], Status.CONFIRMED),
        ([("Count{route=/v1/quotes/{id}}", 0.0), ("Count{route=/v2/quotes/{id}}", 90.0)], Status.REFUTED),
        ([("Count{route=/v2/quotes/{id}}", 90.0), ("Count{route=/health}", 9.0)], Status.REFUTED),
        ([("http_requests_per_second", 12.0)], Status.PLAUSIBLE),
        ([], Status.PLAUSIBLE),
    ],
)
def test_calls_of_the_route_decide(path: str, before: str, after: str, series: list[tuple[str, float]], expected: Status) -> None:
    assert _statuses({path: before}, {path: after}, _production(*series)) == [expected]


def test_a_handful_of_calls_is_a_question() -> None:
    production = _production()
    production.metric(SERVICE, "Count{route=/v1/quotes/{id}}", "Count", [1.0] + [0.0] * 287)

    assert _statuses({"app/main.py": FASTAPI + OLD}, {"app/main.py": FASTAPI}, production) == [Status.PLAUSIBLE]


def test_sampled_access_lines_show_callers() -> None:
    production = _production()
    production.log(SERVICE, *[f"GET /v1/quotes/Q{n} 200 4ms" for n in range(5)])

    assert _statuses({"app/main.py": FASTAPI + OLD}, {"app/main.py": FASTAPI}, production) == [Status.CONFIRMED]


def test_many_access_lines_and_none_of_the_route_is_refuted() -> None:
    production = _production()
    production.log(SERVICE, *[f"GET /v2/quotes/Q{n} 200 4ms" for n in range(60)])

    assert _statuses({"app/main.py": FASTAPI + OLD}, {"app/main.py": FASTAPI}, production) == [Status.REFUTED]


def test_a_longer_path_of_the_same_start_is_another_route() -> None:
    production = _production()
    production.log(SERVICE, *[f"GET /v1/quotes/Q{n}/history 200 4ms" for n in range(60)])

    assert _statuses({"app/main.py": FASTAPI + OLD}, {"app/main.py": FASTAPI}, production) == [Status.REFUTED]


def test_a_count_by_path_does_not_tell_which_method_was_called() -> None:
    both = FASTAPI + "\n@app.delete('/v2/quotes/{id}')\ndef gone(id: str): ...\n"

    assert _statuses({"app/main.py": both}, {"app/main.py": FASTAPI}, _production(("Count{route=/v2/quotes/{id}}", 90.0))) == [
        Status.PLAUSIBLE
    ]


def test_a_busy_client_of_the_same_repository_that_still_calls_it_is_confirmed() -> None:
    production = MemoryProduction("github:acme/shop")
    for name in ("quotes", "portal"):
        found = production.resource(
            f"kubernetes:prod/a/deployment/{name}", "kubernetes.deployment", name, is_deployed=True, namespace="a"
        )
        production.metric(found, "http_requests_per_second", "Count/Second", 8.0)
    base = {
        "quotes/main.py": FASTAPI + OLD,
        "portal/client.py": 'import requests\n\ndef quote(i):\n    return requests.get(f"{BASE}/v1/quotes/{i}")\n',
    }

    assert _statuses(base, {"quotes/main.py": FASTAPI}, production) == [Status.CONFIRMED]


def test_routes_that_only_move_are_refuted() -> None:
    router = "from fastapi import APIRouter\nrouter = APIRouter()\n\n@router.get('/quotes/{id}')\ndef v1(id: str): ...\n"
    after = FASTAPI.replace(
        "app = FastAPI()\n", "from .v1 import router\napp = FastAPI()\napp.include_router(router, prefix='/v1')\n"
    )

    assert _statuses({"app/main.py": FASTAPI + OLD}, {"app/main.py": after, "app/v1.py": router}, _production()) == [
        Status.REFUTED
    ]


def test_an_added_route_is_silent() -> None:
    assert _statuses({"app/main.py": FASTAPI}, {"app/main.py": FASTAPI + OLD}, _production()) == []


PROTO = 'syntax = "proto3";\npackage acme.v1;\nservice Stock {\n  rpc Allocate(A) returns (B);\n'


@pytest.mark.parametrize(("rate", "expected"), [(2.0, Status.CONFIRMED), (0.0, Status.REFUTED)])
def test_an_rpc_that_goes(rate: float, expected: Status) -> None:
    production = _production(("grpc_server_handled_per_second{grpc_method=Reserve}", rate), unit="Count/Second")

    assert _statuses({"a.proto": PROTO + "  rpc Reserve(A) returns (B);\n}\n"}, {"a.proto": PROTO + "}\n"}, production) == [
        expected
    ]


def test_a_route_of_an_api_gateway_that_goes() -> None:
    api = 'resource "aws_apigatewayv2_api" "public" {\n  name = "public"\n}\n'
    hook = (
        'resource "aws_apigatewayv2_route" "hook" {\n  api_id = aws_apigatewayv2_api.public.id\n  route_key = "POST /hooks"\n}\n'
    )
    production = MemoryProduction("github:acme/shop")
    gateway = production.resource("arn:aws:apigateway:eu-west-1::/apis/p7", "aws.apigatewayv2.api", "public", is_deployed=True)
    production.metric(gateway, "Count{route=POST /hooks}", "Count", 30.0)

    assert _statuses({"a.tf": api + hook}, {"a.tf": api}, production) == [Status.CONFIRMED]


INGRESS = "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: web}\nspec:\n  rules:\n    - host: a.example\n      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: quotes, port: {number: 80}}}}]}\n"
HOST = "    - host: old.example\n      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: quotes, port: {number: 80}}}}]}\n"


@pytest.mark.parametrize(("rate", "expected"), [(12.0, Status.CONFIRMED), (0.0, Status.REFUTED)])
def test_a_host_of_an_ingress_that_goes(rate: float, expected: Status) -> None:
    production = _production(("http_requests_per_second{host=old.example}", rate), unit="Count/Second")

    assert _statuses({"k8s/i.yaml": INGRESS + HOST}, {"k8s/i.yaml": INGRESS}, production) == [expected]


SCHEMA = 'import { z } from "zod";\nexport const Order = z.object({\n  lines: z.array(z.string()),\n'
APP = 'import express from "express";\nimport { Order } from "./schema";\nconst app = express();\napp.post("/orders", (req, res) => {\n  const parsed = Order.safeParse(req.body);\n});\n'
CLIENT = 'export const order = (lines) =>\n  fetch(`${BASE}/orders`, { method: "POST", body: JSON.stringify({ lines }) });\n'


@pytest.mark.parametrize(
    ("series", "field", "expected"),
    [
        ([("Count{route=/orders}", 30.0)], "z.string()", [Status.CONFIRMED]),
        ([("Count{route=/orders}", 0.0)], "z.string()", [Status.REFUTED]),
        ([], "z.string()", [Status.PLAUSIBLE]),
        ([("Count{route=/orders}", 30.0)], 'z.string().default("noon")', []),
        ([("Count{route=/orders}", 30.0)], "z.string().optional()", []),
    ],
)
def test_a_field_that_is_demanded_from_now_on(series: list[tuple[str, float]], field: str, expected: list[Status]) -> None:
    base = {"svc/schema.ts": SCHEMA + "});\n", "svc/app.ts": APP, "mobile/api.ts": CLIENT}
    head: dict[str, str | None] = {"svc/schema.ts": SCHEMA + f"  slot: {field},\n}});\n"}

    assert _statuses(base, head, _production(*series), "narrowed-endpoint") == expected


def test_a_new_field_that_the_caller_already_sends_is_a_question() -> None:
    base = {"svc/schema.ts": SCHEMA + "});\n", "svc/app.ts": APP, "mobile/api.ts": CLIENT.replace("{ lines }", "{ lines, slot }")}
    head: dict[str, str | None] = {"svc/schema.ts": SCHEMA + "  slot: z.string(),\n});\n"}

    assert _statuses(base, head, _production(("Count{route=/orders}", 30.0)), "narrowed-endpoint") == [Status.PLAUSIBLE]


def test_a_pydantic_field_without_default_is_demanded() -> None:
    app = "from fastapi import FastAPI\nfrom pydantic import BaseModel\napp = FastAPI()\n\nclass Job(BaseModel):\n    name: str\n{field}\n@app.post('/jobs')\ndef create(body: Job): ...\n"
    production = _production(("Count{route=/jobs}", 30.0))

    assert _statuses(
        {"a.py": app.format(field="")}, {"a.py": app.format(field="    queue: str\n")}, production, "narrowed-endpoint"
    ) == [Status.CONFIRMED]
    assert (
        _statuses(
            {"a.py": app.format(field="")}, {"a.py": app.format(field="    queue: str = 'x'\n")}, production, "narrowed-endpoint"
        )
        == []
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('"POST /graphql HTTP/1.1" 200 1786 "okhttp/4.12.0"', Status.PLAUSIBLE),
        ("POST /graphql 200 fields=id,email,addresses", Status.REFUTED),
        ("POST /graphql 200 fields=id,tier,addresses", Status.CONFIRMED),
    ],
)
def test_access_lines_tell_of_a_graphql_field_only_when_they_name_fields(line: str, expected: Status) -> None:
    production = _production()
    production.log(SERVICE, *[line] * 60)
    schema = "type Customer {\n  id: ID!\n  tier: String\n}\n\ntype Query {\n  me: Customer\n}\n"

    assert _statuses({"s.graphql": schema}, {"s.graphql": schema.replace("  tier: String\n", "")}, production) == [expected]
