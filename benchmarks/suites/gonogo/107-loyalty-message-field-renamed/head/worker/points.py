import boto3

table = boto3.resource("dynamodb").Table("points")


def credit(customer: str, points: int) -> None:
    table.update_item(
        Key={"customer": customer},
        UpdateExpression="ADD points :p",
        ExpressionAttributeValues={":p": points},
    )
