import boto3

table = boto3.resource("dynamodb").Table("ledger")


def entries(account: str, month: str):
    start = None
    while True:
        extra = {"ExclusiveStartKey": start} if start else {}
        page = table.query(KeyConditionExpression="pk = :a AND begins_with(sk, :m)",
                           ExpressionAttributeValues={":a": account, ":m": month}, **extra)
        yield from page["Items"]
        start = page.get("LastEvaluatedKey")
        if not start:
            return
