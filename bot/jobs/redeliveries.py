"""Asks GitHub to deliver again what failed: it never does so by itself (probot#1049)."""

import logging
from collections import defaultdict
from datetime import timedelta

from bot.jobs.ports import Ports
from bot.jobs.queue import delivery_key
from gonogo.forge import Delivery

KEPT_FOR = timedelta(days=3)
"""As long GitHub keeps deliveries. https://docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks"""
OVERLAP = timedelta(hours=1)
"""Looked at again, since a redelivery may fail too."""
MOST_ATTEMPTS = 10

log = logging.getLogger("gonogo.worker")


class Redeliveries:
    """Remembers up to when it has looked; a new process looks at all that GitHub keeps."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._looked_until = None

    async def ask(self) -> int:
        """Redeliver what no attempt brought here, and that we don't know from Redis: GitHub calls a slow answer a failure too."""
        ports = self._ports
        now = ports.clock()
        since = now - KEPT_FOR if self._looked_until is None else max(now - KEPT_FOR, self._looked_until - OVERLAP)
        attempts: dict[str, list[Delivery]] = defaultdict(list)
        for delivery in await ports.github.hook_deliveries(since=since):
            attempts[delivery.guid].append(delivery)
        asked = 0
        for guid, made in attempts.items():
            if any(attempt.is_ok for attempt in made) or len(made) >= MOST_ATTEMPTS:
                continue
            if not await ports.queue.exists(delivery_key(ports.settings.github_app_id, guid)):
                await ports.github.redeliver(made[0].id)
                asked += 1
        self._looked_until = now
        if asked:
            log.info("deliveries asked for again", extra={"count": asked})
        return asked
