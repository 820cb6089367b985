import json

from vendor import lookup


def handler(event, _context):
    for record in event["Records"]:
        lookup(json.loads(record["body"])["address"])
