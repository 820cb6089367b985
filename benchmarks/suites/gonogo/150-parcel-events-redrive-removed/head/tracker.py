import json

from store import move


def handler(event, _context):
    for record in event["Records"]:
        scan = json.loads(record["body"])
        move(scan["parcel"], scan["depot"])
