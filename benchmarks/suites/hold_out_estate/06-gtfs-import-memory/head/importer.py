import csv
import io
import os
import zipfile

import boto3

s3 = boto3.client("s3")


def handler(event, _context):
    key = "full/gtfs.zip" if event["mode"] == "full" else "delta/gtfs.zip"
    body = s3.get_object(Bucket=os.environ.get("FEED_BUCKET", "tramline-feeds"), Key=key)["Body"].read()
    with zipfile.ZipFile(io.BytesIO(body)) as z:
        stop_times = list(csv.DictReader(io.TextIOWrapper(z.open("stop_times.txt"))))
    return {"rows": len(stop_times)}
