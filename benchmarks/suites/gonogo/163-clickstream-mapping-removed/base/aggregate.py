import base64
import json
from collections import Counter

from store import add


def handler(event, _context):
    clicks = Counter()
    for record in event["Records"]:
        clicks[json.loads(base64.b64decode(record["kinesis"]["data"]))["item"]] += 1
    add(clicks)
