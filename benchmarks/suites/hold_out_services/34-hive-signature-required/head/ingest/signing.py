import hashlib
import hmac
import os

KEY = os.environ["HIVE_HMAC_KEY"].encode()


def matches(body: bytes, signature: str) -> bool:
    return hmac.compare_digest(hmac.new(KEY, body, hashlib.sha256).hexdigest(), signature)
