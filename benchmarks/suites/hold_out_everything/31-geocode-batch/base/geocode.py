import json

from lookup import locate


def handler(event, context):
    failed = []
    for record in event["Records"]:
        try:
            locate(json.loads(record["body"]))
        except Exception as exc:
            print(f"failed id={record['messageId']} error={exc}")
            failed.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failed}
