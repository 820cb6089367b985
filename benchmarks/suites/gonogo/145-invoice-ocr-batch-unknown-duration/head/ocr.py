import json

from engine import read


def handler(event, _context):
    for record in event["Records"]:
        read(json.loads(record["body"])["key"])
