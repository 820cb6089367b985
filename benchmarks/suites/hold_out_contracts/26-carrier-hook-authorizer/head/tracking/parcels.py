import json
import os

import boto3

table = boto3.resource("dynamodb").Table(os.environ["PARCELS_TABLE"])


def handler(event, context):
    number = event["pathParameters"]["number"]
    item = table.get_item(Key={"number": number}).get("Item")
    return {"statusCode": 200 if item else 404, "body": json.dumps(item, default=str)}
