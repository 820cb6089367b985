import hashlib
import hmac
import json
import os

import boto3

table = boto3.resource("dynamodb").Table(os.environ["PARCELS_TABLE"])


def handler(event, context):
    body = event["body"]
    want = hmac.new(os.environ["CARRIER_SECRET"].encode(), body.encode(), hashlib.sha256).hexdigest()
    if not hmac.compare_digest(want, event["headers"].get("x-carrier-signature", "")):
        return {"statusCode": 403, "body": "bad signature"}
    status = json.loads(body)
    table.put_item(Item={"number": status["number"], "state": status["state"]})
    return {"statusCode": 204, "body": ""}
