import json
import os

import redis
import urllib3

cache = redis.Redis(host=os.environ["REDIS_HOST"], socket_timeout=0.2)
http = urllib3.PoolManager(timeout=5.0)
PREFIX = "r4:"
TTL_S = 43200


def rate(pair: str) -> dict:
    hit = cache.get(PREFIX + pair)
    if hit:
        return json.loads(hit)
    r = http.request("GET", f"{os.environ['RATES_URL']}/rates/{pair}").json()
    value = {"pair": pair, "rate": r["rate"], "margin": r.get("margin", 0)}
    cache.set(PREFIX + pair, json.dumps(value), ex=TTL_S)
    return value
