import json
import logging

from .policies import attach

log = logging.getLogger()
log.setLevel("INFO")


def handler(event, _context):
    for record in event["Records"]:
        claim = json.loads(record["body"])
        attach(claim)
        log.info("attached claim=%s", claim["number"])
