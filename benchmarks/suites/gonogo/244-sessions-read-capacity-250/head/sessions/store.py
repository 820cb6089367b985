import time

import boto3

table = boto3.resource("dynamodb").Table("sessions")


def load(sid: str) -> dict | None:
    return table.get_item(Key={"sid": sid}, ConsistentRead=True).get("Item")


def save(sid: str, data: dict) -> None:
    table.put_item(Item={"sid": sid, "data": data, "expires": int(time.time()) + 86400})
