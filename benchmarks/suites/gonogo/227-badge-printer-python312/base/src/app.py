import json

import boto3
from jinja2 import Environment, FileSystemLoader

from config import DRY_RUN

sqs = boto3.client("sqs")
env = Environment(loader=FileSystemLoader("templates"))


def handler(event, _context):
    zpl = env.get_template("badge.zpl").render(event["visitor"])
    if not DRY_RUN:
        sqs.send_message(QueueUrl=event["printer"], MessageBody=json.dumps({"zpl": zpl}))
