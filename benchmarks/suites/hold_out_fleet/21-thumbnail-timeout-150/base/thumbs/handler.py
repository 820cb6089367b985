import json
import logging

from .render import render

log = logging.getLogger(__name__)


def handle(event, context):
    for record in event["Records"]:
        job = json.loads(record["body"])
        render(job["key"], job["sizes"])
    return {"done": len(event["Records"])}
