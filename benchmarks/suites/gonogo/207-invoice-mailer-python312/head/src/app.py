import boto3
from jinja2 import Environment, FileSystemLoader

from config import DRY_RUN

ses = boto3.client("ses")
env = Environment(loader=FileSystemLoader("templates"))


def handler(event, _context):
    html = env.get_template("invoice.html").render(event["invoice"])
    if not DRY_RUN:
        ses.send_email(Source="billing@ledgerleaf.example", Destination={"ToAddresses": [event["to"]]},
                       Message={"Subject": {"Data": "Your invoice"}, "Body": {"Html": {"Data": html}}})
