import json
import os

import boto3

table = boto3.resource("dynamodb").Table(os.environ.get("TABLE", "tariffs"))


def handler(event, _context):
    item = table.get_item(Key={"postcode": event["pathParameters"]["postcode"]}).get("Item")
    return {"statusCode": 200 if item else 404, "body": json.dumps(item, default=str)}
