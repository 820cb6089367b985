"""What a cache loses, in words that detection and playbook share."""

from enum import StrEnum

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place


class Loss(StrEnum):
    """What the cache loses."""

    LIFE = "shorter"
    ALL = "off"
    KEY = "key"
    PERSONAL = "personal"
    """The key has a part of each visitor, user or request from now on."""


class CacheChange(Record):
    """One cache that answers less often from now on. Lives are in seconds; None where the text does not say them."""

    loss: Loss
    name: str
    place: Place
    before: Place | None
    said: str
    is_http: bool
    """True when shared HTTP caches (a CDN, a proxy) obey it."""
    old_s: float | None = None
    new_s: float | None = None
    declared: Declared | None = None
    is_certain: bool = True
    each: str = ""
    """Whose answers a personal key tells apart: `request`, `session` or `user`."""


NOT_A_CACHE = pattern(
    r"(?i)session|token|jwt|cookie|lock|lease|otp\b|password|dns|invite|presign|signed|idempot|dedup|rate_?limit|throttle|nonce|csrf|hsts"
    r"|strict-transport|negative|cors|access-control|preflight|credential|captcha|verification|cache_?(size|dir|path|max_?(size|entries))|heartbeat|presence"
)
"""Words of what is kept for a time and is no cache."""
