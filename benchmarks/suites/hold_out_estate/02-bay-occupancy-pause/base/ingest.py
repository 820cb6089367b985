import json
import os

import boto3

sqs = boto3.client("sqs")


def handler(event, _context):
    reading = {"bay": event["bay"], "free": event["lux"] > 40, "at": event["ts"]}
    sqs.send_message(QueueUrl=os.environ["READINGS_URL"], MessageBody=json.dumps(reading))
