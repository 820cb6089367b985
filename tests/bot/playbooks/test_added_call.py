import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "added-call"]


def a_shop(*, rate=50.0, route="/orders", calls=180.0, cpu=72.0, rows=20):
    production = MemoryProduction("github:acme/orders")
    shop = production.resource("arn:aws:ecs:eu-west-1:1:service/shop/orders", "aws.ecs.service", "orders", is_deployed=True)
    tracking = production.resource("arn:aws:ecs:eu-west-1:1:service/shop/tracking", "aws.ecs.service", "tracking")
    database = production.resource("arn:aws:rds:eu-west-1:1:db:orders", "aws.rds.instance", "orders-pg")
    production.edge(shop, tracking, "invokes")
    production.edge(shop, database, "reads_from")
    if rate is not None:
        production.metric(shop, f"RequestCountPerSecond{{route={route}}}", "Count/Second", rate)
    if calls is not None:
        production.metric(tracking, "RequestCountPerSecond", "Count/Second", calls)
        production.metric(tracking, "CPUUtilization", "Percent", cpu)
    production.metric(database, "CPUUtilization", "Percent", 8.0)
    if rows:
        production.log(shop, *[f"GET /orders?page={n} 200 rows={rows} 31ms" for n in range(9)])
    return production


SERVER = (
    'const app = require("express")();\nconst { list } = require("./list");\napp.get("/orders", (req, res) => list(req, res));\n'
)
CLIENT = "exports.state = async (id) => (await fetch(`${process.env.TRACKING_URL}/state/${id}`)).json();\n"
LIST = """const {{ query }} = require("./db");
const {{ state }} = require("./tracking");

exports.list = async (req, res) => {{
  const orders = await query("SELECT id FROM orders LIMIT 20");
  {}
}};
"""
PLAIN, LOOPED = "res.json(orders);", "res.json(await Promise.all(orders.map(async (o) => ({ ...o, s: await state(o.id) }))));"
NODE = {"src/server.js": SERVER, "src/tracking.js": CLIENT, "src/list.js": LIST.format(PLAIN)}


@pytest.mark.parametrize(
    ("facts", "answer"),
    [
        ({}, ["confirmed"]),
        ({"rate": 0.01}, ["refuted"]),
        ({"cpu": 40.0, "calls": 20000.0}, ["refuted"]),
        ({"calls": None}, ["plausible"]),
        ({"rate": None}, ["plausible"]),
    ],
)
def test_a_call_for_every_item_is_held_against_the_called_service(facts, answer) -> None:
    assert told(evaluation_of(NODE, {"src/list.js": LIST.format(LOOPED)}, a_shop(**facts))) == answer


def test_a_rate_limit_of_the_called_side_counts() -> None:
    production = a_shop(calls=None)
    production.resource("arn:aws:ecs:eu-west-1:1:service/shop/tracking", "aws.ecs.service", "tracking", rate_limit_rps=100)

    assert told(evaluation_of(NODE, {"src/list.js": LIST.format(LOOPED)}, production)) == ["confirmed"]


@pytest.mark.parametrize("path", ["test/list.test.js", "scripts/list.md", "docs/list.md"])
def test_tests_and_documents_are_silent(path) -> None:
    assert told(evaluation_of({**NODE, path: ""}, {path: LIST.format(LOOPED)}, a_shop())) == []


def test_another_wording_of_the_same_calls_is_silent() -> None:
    renamed = LIST.format(LOOPED).replace("orders", "placed")

    assert told(evaluation_of({**NODE, "src/list.js": LIST.format(LOOPED)}, {"src/list.js": renamed}, a_shop())) == []


RAILS = {
    "config/routes.rb": "Rails.application.routes.draw do\n  resources :orders, only: :index\nend\n",
    "app/models/actor.rb": "class Actor < ApplicationRecord\nend\n",
}
ACTION = "class OrdersController < ApplicationController\n  def index\n    render json: Order{}.limit(50).map {{ |o| {} }}\n  end\nend\n"


@pytest.mark.parametrize(("rate", "answer"), [(0.004, ["refuted"]), (90.0, ["plausible"])])
def test_eager_loading_that_goes_is_a_query_for_every_item(rate, answer) -> None:
    path = "app/controllers/orders_controller.rb"
    base = {**RAILS, path: ACTION.format(".includes(:actor)", "o.actor.name")}

    assert told(evaluation_of(base, {path: ACTION.format("", "o.actor.name")}, a_shop(rate=rate, rows=0))) == answer


ASYNC = """import httpx
import requests
from fastapi import FastAPI

app = FastAPI()
client = httpx.AsyncClient()


@app.get("/people/{{id}}")
{}
"""
AWAITED = 'async def person(id: str):\n    return (await client.get(f"{URL}/p/{id}")).json()'
BLOCKED = 'async def person(id: str):\n    return requests.get(f"{URL}/p/{id}").json()'
SLEPT = 'async def person(id: str):\n    time.sleep(2)\n    return (await client.get(f"{URL}/p/{id}")).json()'
THREADED = 'def person(id: str):\n    return requests.get(f"{URL}/p/{id}").json()'


def people(*, rate, latency=0.4):
    production = MemoryProduction("github:acme/people")
    pods = production.resource(
        "kubernetes:prod/web/deployment/people", "kubernetes.deployment", "people", is_deployed=True, replicas=4
    )
    vendor = production.resource("external:vendor", "external.http", "vendor")
    production.edge(pods, vendor, "connects_to")
    production.metric(pods, "http_requests_per_second{route=/people/{id}}", "Count/Second", rate)
    if latency is not None:
        production.metric(vendor, "http_client_request_duration_seconds.p50", "Seconds", latency)
    return production


@pytest.mark.parametrize(
    ("handler", "facts", "answer"),
    [
        (BLOCKED, {"rate": 28.0}, ["confirmed"]),
        (SLEPT, {"rate": 28.0}, ["confirmed"]),
        (BLOCKED, {"rate": 0.1}, ["refuted"]),
        (SLEPT, {"rate": 0.01}, ["refuted"]),
        (BLOCKED, {"rate": 28.0, "latency": None}, ["plausible"]),
        (BLOCKED, {"rate": 6.0}, ["plausible"]),
        (THREADED, {"rate": 28.0}, []),
    ],
)
def test_a_blocking_call_keeps_event_loops_busy(handler, facts, answer) -> None:
    evaluation = evaluation_of({"app/main.py": ASYNC.format(AWAITED)}, {"app/main.py": ASYNC.format(handler)}, people(**facts))

    assert told(evaluation) == answer


QUERY = 'from flask import Flask\n\napp = Flask(__name__)\n\n\n@app.get("/events")\ndef events():\n    return db.query("SELECT * FROM events ORDER BY id{}")\n'


@pytest.mark.parametrize(
    ("rows", "after", "answer"),
    [(4_000_000, "", ["confirmed"]), (900, "", ["refuted"]), (None, "", ["plausible"]), (4_000_000, " LIMIT 50", [])],
)
def test_a_query_without_its_limit_reads_the_table(rows, after, answer) -> None:
    production = a_shop(route="/events")
    production.database(
        "arn:aws:rds:eu-west-1:1:db:orders", tables=[] if rows is None else [{"name": "events", "row_estimate": rows}]
    )

    evaluation = evaluation_of({"app.py": QUERY.format(" LIMIT 100")}, {"app.py": QUERY.format(after)}, production)

    assert told(evaluation) == answer
