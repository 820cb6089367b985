import json

import redis

from quotes.settings import REDIS_URL

QUOTE_LIFE_SECONDS = 1800
client = redis.Redis.from_url(REDIS_URL)


def remembered(meter: str, starts_at: str, load):
    key = f"quote:{meter}:{starts_at}"
    found = client.get(key)
    if found is not None:
        return json.loads(found)
    quote = load()
    client.setex(key, QUOTE_LIFE_SECONDS, json.dumps(quote))
    return quote
