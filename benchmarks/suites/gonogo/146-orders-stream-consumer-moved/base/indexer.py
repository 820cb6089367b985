from index import put


def handler(event, _context):
    for record in event["Records"]:
        put(record["dynamodb"]["NewImage"])
