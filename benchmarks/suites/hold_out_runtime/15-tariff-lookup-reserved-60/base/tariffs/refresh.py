import boto3

table = boto3.resource("dynamodb").Table("tariffs")


def handler(_event, _context):
    with table.batch_writer() as batch:
        for row in ():
            batch.put_item(Item=row)
