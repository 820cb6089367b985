import json


def handler(event, _context):
    if event["routeKey"] == "POST /hooks/payments":
        return settle(json.loads(event["body"]))
    return {"statusCode": 202}


def settle(hook):
    print("settled", hook["payment_id"])
    return {"statusCode": 204}
