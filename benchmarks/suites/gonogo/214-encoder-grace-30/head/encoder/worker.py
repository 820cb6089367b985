import json
import os
import signal

import redis

from .encode import encode

r = redis.Redis(host=os.environ["REDIS_HOST"])
stopping = False


def stop(*_):
    global stopping
    stopping = True


def main() -> None:
    signal.signal(signal.SIGTERM, stop)
    while not stopping:
        item = r.blpop("encode", timeout=5)
        if item:
            encode(json.loads(item[1]))
