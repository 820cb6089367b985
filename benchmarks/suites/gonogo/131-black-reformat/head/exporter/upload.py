import boto3

s3 = boto3.client("s3")


def upload(bucket, key, body):
    s3.put_object(
        Bucket=bucket,
        Key=key,
        Body=body,
        ServerSideEncryption="aws:kms",
    )


def remove(bucket, keys):
    for key in keys:
        s3.delete_object(Bucket=bucket, Key=key)
