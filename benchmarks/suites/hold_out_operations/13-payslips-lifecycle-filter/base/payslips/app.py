import os

import boto3
from flask import Flask, Response

app = Flask(__name__)
s3 = boto3.client("s3")


@app.get("/payslips/<int:year>/<int:month>/<employee>")
def payslip(year: int, month: int, employee: str):
    obj = s3.get_object(Bucket=os.environ["BUCKET"], Key=f"payslips/{year}/{month:02d}/{employee}.pdf")
    return Response(obj["Body"].read(), mimetype="application/pdf")
