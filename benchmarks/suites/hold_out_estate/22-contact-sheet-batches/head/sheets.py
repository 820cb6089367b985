import io
import json

import boto3
from PIL import Image

s3 = boto3.client("s3")


def handler(event, _context):
    pictures, failed = [], []
    for record in event["Records"]:
        ref = json.loads(record["body"])
        try:
            raw = s3.get_object(Bucket=ref["bucket"], Key=ref["key"])["Body"].read()
            pictures.append((ref, Image.open(io.BytesIO(raw)).convert("RGB")))
        except Exception:
            failed.append({"itemIdentifier": record["messageId"]})
    for ref, picture in pictures:
        picture.thumbnail((240, 240))
        out = io.BytesIO()
        picture.save(out, "JPEG")
        s3.put_object(Bucket="lichtbak-sheets", Key=ref["key"], Body=out.getvalue())
    return {"batchItemFailures": failed}
