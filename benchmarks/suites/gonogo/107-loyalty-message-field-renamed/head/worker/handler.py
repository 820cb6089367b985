import json

from points import credit


def handler(event, _context):
    for record in event["Records"]:
        purchase = json.loads(record["body"])
        credit(purchase["customerId"], purchase["cents"] // 100)
