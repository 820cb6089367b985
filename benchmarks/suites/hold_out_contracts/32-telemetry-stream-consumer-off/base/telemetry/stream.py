import base64
import json
import os

import boto3

table = boto3.resource("dynamodb").Table(os.environ["POSITIONS_TABLE"])


def handler(event, context):
    for r in event["Records"]:
        item = json.loads(base64.b64decode(r["kinesis"]["data"]))
        table.put_item(Item={"car": item["car"], "lat": str(item["lat"]), "lon": str(item["lon"])})
