import json
from datetime import date

from recalls import repo


def handle(event, _context):
    clinic = event["requestContext"]["authorizer"]["clinic_id"]
    if event["httpMethod"] == "GET":
        return {"statusCode": 200, "body": json.dumps(repo.due(clinic, date.today().isoformat()))}
    repo.save(json.loads(event["body"]) | {"clinic_id": clinic})
    return {"statusCode": 204}
