import os

import boto3
from boto3.dynamodb.conditions import Key

ddb = boto3.resource("dynamodb")
lists = ddb.Table(os.environ.get("LISTS_TABLE", "wishlists"))
prices = ddb.Table(os.environ.get("PRICES_TABLE", "prices"))


def items(list_id: str) -> list[dict]:
    return lists.query(KeyConditionExpression=Key("list_id").eq(list_id), Limit=60)["Items"]


def price(sku: str) -> int | None:
    row = prices.get_item(Key={"sku": sku}, ConsistentRead=True).get("Item")
    return int(row["cents"]) if row else None
