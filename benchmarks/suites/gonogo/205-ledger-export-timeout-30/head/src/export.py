import csv
import io
import os

import boto3

from .ledger import entries

s3 = boto3.client("s3")


def handler(event, _context):
    out = io.StringIO()
    w = csv.writer(out)
    for entry in entries(event["account"], event["month"]):
        w.writerow(entry)
    s3.put_object(Bucket=os.environ["BUCKET"], Key=f"{event['account']}/{event['month']}.csv", Body=out.getvalue())
