import json
import os

import boto3

sns = boto3.client("sns")


def order_placed(order: dict) -> None:
    message = {
        "type": "order.placed",
        "order_id": order["id"],
        "placed_at": order["placed_at"],
    }
    sns.publish(TopicArn=os.environ["ORDER_TOPIC"], Message=json.dumps(message))
