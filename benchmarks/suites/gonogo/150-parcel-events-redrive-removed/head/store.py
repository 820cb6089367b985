import boto3

table = boto3.resource("dynamodb").Table("parcels")


def move(parcel: str, depot: str) -> None:
    table.update_item(Key={"parcel": parcel}, UpdateExpression="SET depot = :d", ExpressionAttributeValues={":d": depot})
