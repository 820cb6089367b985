import json

from .rates import rate


def quote(event, _context):
    return {"statusCode": 200, "body": json.dumps(rate(event["pathParameters"]["pair"]))}
