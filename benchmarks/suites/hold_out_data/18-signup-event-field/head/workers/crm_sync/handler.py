from schema import Signup
from crm import upsert


def handler(event, _context):
    for record in event["Records"]:
        upsert(Signup.model_validate_json(record["body"]))
