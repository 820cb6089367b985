import json

from .events import order_placed


def handler(event, context):
    order = json.loads(event["body"])
    order_placed(order)
    return {"statusCode": 201, "body": json.dumps({"id": order["id"]})}
