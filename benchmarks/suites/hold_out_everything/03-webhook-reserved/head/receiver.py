import json
import os

import boto3

sqs = boto3.client("sqs")
QUEUE = os.environ.get("QUEUE_URL", "https://sqs.eu-west-1.amazonaws.com/771100229933/hook-events")


def handler(event, context):
    sqs.send_message(QueueUrl=QUEUE, MessageBody=json.dumps({"provider": event["pathParameters"]["provider"], "body": event["body"]}))
    return {"statusCode": 204}
