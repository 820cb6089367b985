import os

import boto3

table = boto3.resource("dynamodb").Table(os.environ["TABLE"])


def mark(payment_id: str) -> None:
    table.update_item(Key={"id": payment_id}, UpdateExpression="SET paid = :t", ExpressionAttributeValues={":t": True})
