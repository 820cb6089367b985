"""One read for every item of an answer, held against the read units of the table that is meant."""

from typing import Any

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

MAIN = 'from fastapi import FastAPI\n\nfrom . import serialize, store\n\napp = FastAPI()\n\n\n@app.get("/v1/lists/{{list_id}}")\ndef show(list_id: str):\n    items = store.items(list_id)\n    return {{"items": [{item} for i in items]}}\n'
STORE = 'import boto3\n\nddb = boto3.resource("dynamodb")\nlists = ddb.Table("lists")\nprices = ddb.Table("prices")\n\n\ndef items(list_id):\n    return lists.query(Key=list_id, Limit=60)["Items"]\n\n\ndef price(sku):\n    return prices.get_item(Key={"sku": sku}, ConsistentRead=True)["Item"]\n'
SERIALIZE = 'from . import store\n\n\ndef item(i):\n    return {"sku": i["sku"], "price": store.price(i["sku"])}\n'


def _statuses(store: str = STORE, *, requests: float = 50, **table: Any) -> list[Status]:
    production = MemoryProduction("github:acme/shop")
    api = production.resource("arn:aws:ecs:eu-west-1:1:service/shop/web", "aws.ecs.service", "web", is_deployed=True)
    for name in ("lists", "prices"):
        one = production.resource(
            f"arn:aws:dynamodb:eu-west-1:1:table/{name}", "aws.dynamodb.table", name, is_deployed=False, **table
        )
        production.edge(api, one, "reads_from")
    production.metric(api, "RequestsPerSecond{route=/v1/lists/{list_id}}", "Count/Second", requests)
    production.metric(api, "ItemsPerResponse{route=/v1/lists/{list_id}}", "Count", 20)
    base = {"app/main.py": MAIN.format(item='{"sku": i["sku"]}'), "app/store.py": store}
    head = {"app/main.py": MAIN.format(item="serialize.item(i)"), "app/serialize.py": SERIALIZE}
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "added-call"]


PROVISIONED: dict[str, Any] = {"billing_mode": "PROVISIONED", "read_capacity_units": 700, "autoscaling": False}


def test_more_consistent_reads_than_the_units_allow_are_confirmed() -> None:
    assert _statuses(**PROVISIONED) == [Status.CONFIRMED]


def test_reads_that_need_not_be_consistent_cost_half_a_unit() -> None:
    assert _statuses(STORE.replace(", ConsistentRead=True", ""), **PROVISIONED) != [Status.CONFIRMED]


@pytest.mark.parametrize("table", [{"billing_mode": "PAY_PER_REQUEST"}, {**PROVISIONED, "autoscaling": True}])
def test_a_table_that_grows_is_not_held_against_its_units(table: dict[str, Any]) -> None:
    assert _statuses(**table) != [Status.CONFIRMED]


def test_few_requests_fit() -> None:
    assert _statuses(requests=2, **PROVISIONED) == [Status.REFUTED]
