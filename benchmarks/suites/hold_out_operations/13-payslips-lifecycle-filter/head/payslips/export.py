import io
import uuid

import boto3

s3 = boto3.client("s3")


def stage(bucket: str, data: bytes) -> str:
    key = f"exports-tmp/{uuid.uuid4()}.zip"
    s3.upload_fileobj(io.BytesIO(data), bucket, key)
    return key
