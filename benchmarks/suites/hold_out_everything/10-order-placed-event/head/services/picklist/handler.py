import json


def handler(event, context):
    for record in event["Records"]:
        message = json.loads(json.loads(record["body"])["Message"])
        print(f"pick order={message['order_id']}")
