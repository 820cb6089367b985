import json

import boto3

table = boto3.resource("dynamodb").Table("bays")


def handler(event, _context):
    with table.batch_writer(overwrite_by_pkeys=["bay"]) as batch:
        for record in event["Records"]:
            batch.put_item(Item=json.loads(record["body"]))
