import json
import os

import redis

CACHE_SECONDS = 5
r = redis.Redis(host=os.environ["REDIS_HOST"])


def cached(key: str, load):
    hit = r.get(key)
    if hit is not None:
        return json.loads(hit)
    value = load()
    r.set(key, json.dumps(value), ex=CACHE_SECONDS)
    return value
