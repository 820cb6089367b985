import json

from payments import mark


def handler(event, _context):
    mark(json.loads(event["body"])["id"])
    return {"statusCode": 204}
