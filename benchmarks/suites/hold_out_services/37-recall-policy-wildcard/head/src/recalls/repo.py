import os

import boto3
from boto3.dynamodb.conditions import Key

table = boto3.resource("dynamodb").Table(os.environ["TABLE"])


def due(clinic_id: str, until: str) -> list[dict]:
    page = table.query(
        IndexName="by-due-date",
        KeyConditionExpression=Key("clinic_id").eq(clinic_id) & Key("due_on").lte(until),
        Limit=200,
    )
    return page["Items"]


def save(recall: dict) -> None:
    table.put_item(Item=recall)
