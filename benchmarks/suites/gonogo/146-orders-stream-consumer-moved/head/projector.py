from index import put
from totals import rebuild


def handler(event, _context):
    if "Records" not in event:
        return rebuild()
    for record in event["Records"]:
        put(record["dynamodb"]["NewImage"])
