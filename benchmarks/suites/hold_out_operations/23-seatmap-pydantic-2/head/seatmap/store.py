import time

import boto3
from boto3.dynamodb.conditions import Key

from .settings import settings

table = boto3.resource("dynamodb").Table(settings.seatmap_table)


def seats(event_id: str) -> list:
    return table.query(KeyConditionExpression=Key("event").eq(event_id))["Items"]


def place_hold(event_id: str, seat: str, customer: str) -> dict:
    item = {"event": event_id, "seat": seat, "customer": customer, "until": int(time.time()) + settings.hold_seconds}
    table.put_item(Item=item)
    return item
