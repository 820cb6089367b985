import json
import os

import boto3

table = boto3.resource("dynamodb").Table(os.environ.get("TABLE", "probe-readings"))


def handler(event, _):
    body = json.loads(event["body"])
    table.put_item(Item={"probe": body["id"], "at": body["at"], "moisture": str(body["m"]), "temp": str(body["t"])})
    return {"statusCode": 204}
