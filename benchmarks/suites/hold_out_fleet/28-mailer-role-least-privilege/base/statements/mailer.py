import boto3

from .message import build

s3 = boto3.client("s3")
ses = boto3.client("ses")


def handle(event, context):
    for key in event["keys"]:
        pdf = s3.get_object(Bucket="duesly-statements", Key=key)["Body"].read()
        ses.send_raw_email(RawMessage={"Data": build(event["to"], pdf)})
    return {"sent": len(event["keys"])}
