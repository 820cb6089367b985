import json
import os

import redis

client = redis.Redis.from_url(os.environ["FEED_REDIS_URL"], socket_timeout=0.5)


def timeline(user_id, load):
    key = f"feed:{user_id}"
    hit = client.get(key)
    if hit is not None:
        return json.loads(hit)
    value = load(user_id)
    client.set(key, json.dumps(value))
    return value
