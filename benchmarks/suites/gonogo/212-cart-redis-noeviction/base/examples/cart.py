import json
import os

import redis

r = redis.Redis(host=os.environ["CART_REDIS"])


def save(cart_id: str, cart: dict) -> None:
    r.set(f"cart:{cart_id}", json.dumps(cart))


def fragment(key: str, html: str) -> None:
    r.set(f"fragment:{key}", html)
