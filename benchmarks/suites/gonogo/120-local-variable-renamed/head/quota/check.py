import os

import redis

r = redis.Redis.from_url(os.environ["REDIS_URL"])
LIMIT = 600


def allowed(tenant: str) -> bool:
    used = r.incr(f"quota:{tenant}")
    if used == 1:
        r.expire(f"quota:{tenant}", 60)
    return used <= LIMIT


def left(tenants: list[str]) -> dict[str, int]:
    return {tenant: max(0, LIMIT - int(r.get(f"quota:{tenant}") or 0)) for tenant in tenants}
