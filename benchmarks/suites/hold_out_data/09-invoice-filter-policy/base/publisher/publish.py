import json
import logging
import os

import boto3

sns = boto3.client("sns")
log = logging.getLogger("orders")


def publish(kind: str, order: dict) -> None:
    event_type = f"order.{kind}"
    sns.publish(
        TopicArn=os.environ["TOPIC_ARN"],
        Message=json.dumps(order),
        MessageAttributes={"event_type": {"DataType": "String", "StringValue": event_type}},
    )
    log.info("published event_type=%s order=%s", event_type, order["id"])
