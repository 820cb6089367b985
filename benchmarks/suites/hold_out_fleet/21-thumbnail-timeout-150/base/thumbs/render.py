import io

import boto3
from PIL import Image

s3 = boto3.client("s3")


def render(key, sizes, bucket="pixpost-originals"):
    body = s3.get_object(Bucket=bucket, Key=key)["Body"].read()
    for edge in sizes:
        image = Image.open(io.BytesIO(body))
        image.thumbnail((edge, edge))
        out = io.BytesIO()
        image.convert("RGB").save(out, "JPEG", quality=82)
        s3.put_object(Bucket="pixpost-thumbs", Key=f"{edge}/{key}", Body=out.getvalue())
