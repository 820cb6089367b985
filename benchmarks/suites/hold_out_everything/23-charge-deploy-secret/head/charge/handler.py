import json
import os

from .provider import Provider

provider = Provider(os.environ["PAYMENT_KEY"])


def handler(event, context):
    body = json.loads(event["body"])
    return {"statusCode": 201, "body": json.dumps(provider.charge(body["token"], body["cents"]))}
