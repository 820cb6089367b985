import os

import boto3

table = boto3.resource("dynamodb").Table(os.environ["POSITIONS_TABLE"])


def handler(event, context):
    table.put_item(Item={"car": event["car"], "lat": str(event["lat"]), "lon": str(event["lon"])})
