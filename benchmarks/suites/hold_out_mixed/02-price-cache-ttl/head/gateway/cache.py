import json
import os

import redis.asyncio as redis

client = redis.from_url(os.environ["REDIS_URL"])


async def through(key, ttl, load):
    """Value from the cache, else loaded and kept for ttl seconds; ttl 0 means not kept."""
    if ttl <= 0:
        return await load()
    hit = await client.get(key)
    if hit is not None:
        return json.loads(hit)
    value = await load()
    await client.set(key, json.dumps(value), ex=ttl)
    return value
