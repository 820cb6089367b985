import json
import os

import boto3

table = boto3.resource("dynamodb").Table(os.environ["POINTS_TABLE"])


def handler(event, context):
    for record in event["Records"]:
        message = json.loads(json.loads(record["body"])["Message"])
        table.update_item(
            Key={"customer": message["customer_id"]},
            UpdateExpression="ADD points :p",
            ExpressionAttributeValues={":p": 10},
        )
