import json
import os
import time
from datetime import datetime

import boto3

from .crm import push

sqs = boto3.client("sqs")


def open_now(now: datetime) -> bool:
    return not (now.weekday() >= 5 or (now.weekday() == 4 and now.hour >= 18) or (now.weekday() == 0 and now.hour < 6))


def main() -> None:
    while True:
        if not open_now(datetime.utcnow()):
            time.sleep(60)
            continue
        for m in sqs.receive_message(QueueUrl=os.environ["QUEUE_URL"], MaxNumberOfMessages=10, WaitTimeSeconds=20).get("Messages", []):
            push(json.loads(m["Body"]))
            sqs.delete_message(QueueUrl=os.environ["QUEUE_URL"], ReceiptHandle=m["ReceiptHandle"])
