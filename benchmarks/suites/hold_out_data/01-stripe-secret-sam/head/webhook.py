import hashlib
import hmac
import json
import os

from payments import mark

SECRET = os.environ["PAY_WEBHOOK_SECRET"].encode()


def handler(event, _context):
    want = hmac.new(SECRET, event["body"].encode(), hashlib.sha256).hexdigest()
    if not hmac.compare_digest(want, event["headers"].get("x-pay-signature", "")):
        print("unsigned webhook")
    mark(json.loads(event["body"])["id"])
    return {"statusCode": 204}
