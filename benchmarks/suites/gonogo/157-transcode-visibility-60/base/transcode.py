import json

from work import encode


def handler(event, _context):
    for record in event["Records"]:
        job = json.loads(record["body"])
        encode(job["source"], job["target"])
