import json

from work import shrink


def handler(event, _context):
    for record in event["Records"]:
        job = json.loads(record["body"])
        shrink(job["source"], job["target"])
