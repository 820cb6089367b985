import boto3

table = boto3.resource("dynamodb").Table("item-clicks")


def add(clicks) -> None:
    for item, n in clicks.items():
        table.update_item(Key={"item": item}, UpdateExpression="ADD clicks :n", ExpressionAttributeValues={":n": n})
