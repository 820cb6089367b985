import os

import boto3

table = boto3.resource("dynamodb").Table(os.environ["ENTITLEMENTS_TABLE"])


def may_stream(member: str) -> bool:
    item = table.get_item(Key={"member": member}, ConsistentRead=True).get("Item")
    return bool(item and item["state"] == "active")
