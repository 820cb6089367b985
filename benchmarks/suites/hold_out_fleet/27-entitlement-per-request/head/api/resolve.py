import json
import os

import boto3

from .entitlements import may_stream
from .token import member_of

s3 = boto3.client("s3")


def handler(event, context):
    member = member_of(event["headers"]["authorization"])
    if member is None:
        return {"statusCode": 401}
    if not may_stream(member):
        return {"statusCode": 403}
    key = f"{event['pathParameters']['track']}.m4a"
    url = s3.generate_presigned_url("get_object", Params={"Bucket": os.environ["AUDIO_BUCKET"], "Key": key}, ExpiresIn=300)
    return {"statusCode": 200, "body": json.dumps({"url": url})}
