import logging
import time

from django.conf import settings
from django.core.cache import cache

from .models import Room

log = logging.getLogger(__name__)


def rooms_in(city):
    key = f"rooms:{city}"
    rows = cache.get(key)
    if rows is None:
        began = time.monotonic()
        rows = list(Room.objects.filter(city=city, online=True).order_by("-score", "id").values("id", "title", "rent", "score"))
        log.info("listing rebuilt city=%s rows=%d took_ms=%d", city, len(rows), 1000 * (time.monotonic() - began))
        cache.set(key, rows, timeout=settings.LISTING_TTL)
    return rows
