"""Sessions of the dashboard that were signed out: a copy of their cookie is worth nothing, whichever web process it is shown to."""

from datetime import timedelta

import sqlalchemy as sa

from bot.storage.app_tables import ENDED_SESSION
from bot.storage.app_transactions import Transactions, Upsert, upsert

_ENDED = Upsert(ENDED_SESSION, key=("nonce",), update=("until",))


class EndedSessions(Transactions):
    """By the nonce of a session; kept for as long as its cookie could be shown."""

    def end(self, nonce: str, *, lasts: timedelta) -> None:
        """End it; a cookie of it is good for `lasts` at most. What has run out by itself is forgotten."""
        with self._writing() as connection:
            now = self._now(connection)
            connection.execute(sa.delete(ENDED_SESSION).where(ENDED_SESSION.c.until < now))
            upsert(connection, _ENDED, {"nonce": nonce, "until": now + lasts})

    def has_ended(self, nonce: str) -> bool:
        """Whether it was signed out."""
        with self._reading() as connection:
            return connection.execute(sa.select(ENDED_SESSION.c.nonce).where(ENDED_SESSION.c.nonce == nonce)).first() is not None
