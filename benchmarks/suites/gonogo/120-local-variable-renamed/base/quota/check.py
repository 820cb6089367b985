import os

import redis

r = redis.Redis.from_url(os.environ["REDIS_URL"])
LIMIT = 600


def allowed(tenant: str) -> bool:
    x = r.incr(f"quota:{tenant}")
    if x == 1:
        r.expire(f"quota:{tenant}", 60)
    return x <= LIMIT


def left(tenants: list[str]) -> dict[str, int]:
    d = {}
    for t in tenants:
        d[t] = max(0, LIMIT - int(r.get(f"quota:{t}") or 0))
    return d
