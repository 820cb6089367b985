"""Writes to GitHub what waits in the outbox: under a lease, checks before comments, later again when GitHub does not take it.

Nothing is decided here about what is written: each writer makes it from the store at the moment of writing, so that a write that
comes late or twice says what is true then.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from time import monotonic

from sqlalchemy.exc import SQLAlchemyError

from bot.jobs.ports import Ports
from bot.jobs.publish_check import write_check
from bot.jobs.publish_comment import write_comment, write_reaction, write_reply
from bot.storage.app_publication_rows import OutboxKind, OutboxRow
from gonogo.errors import Archived, Forbidden, Gone, Locked, NotFoundYet, Refused, Suspended, Throttled

POLL_S = 0.2
AT_A_TIME = 10
LEASE = timedelta(seconds=30)
WRITE_S = 25.0
"""Longest time of one write, all its calls: within the lease."""
LAST_WRITES_S = 10.0
"""At the end of a worker."""
_FIRST_WAIT_S, _LONGEST_WAIT_S = 2.0, 300.0
_TRIES_WHEN_REFUSED = 10
"""A quarter of an hour: then what is to be written to is gone for good."""
_FORBIDDEN_FOR = timedelta(hours=1)
"""Until the owner of the account has accepted a permission, perhaps."""
_LOCKED_FOR = timedelta(days=1)
"""`unlocked` ends it at once."""

Writer = Callable[[Ports, OutboxRow], Awaitable[str | None]]
"""Writes; None, or why there is nothing to be written any more."""

WRITERS: Mapping[OutboxKind, Writer] = {
    OutboxKind.CHECK: write_check,
    OutboxKind.COMMENT: write_comment,
    OutboxKind.REPLY: write_reply,
    OutboxKind.REACTION: write_reaction,
}

log = logging.getLogger("gonogo.worker")


class Publisher:
    """One of a worker; any number of workers share the outbox."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._owner = f"{ports.worker_id}:{secrets.token_hex(4)}"
        self._writing: set[asyncio.Task[None]] = set()
        self._is_ending = False
        self._takes_nothing = asyncio.Event()
        self._takes_nothing.set()

    async def run(self) -> None:
        """Write what is due, until told to stop."""
        self._takes_nothing.clear()
        try:
            await self._take()
        finally:
            self._takes_nothing.set()

    async def stop(self) -> None:
        """Take nothing more, and finish what is being written; what is not finished in time is free for others."""
        self._is_ending = True
        await self._takes_nothing.wait()
        writing = list(self._writing)
        if writing:
            _, late = await asyncio.wait(writing, timeout=LAST_WRITES_S)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _take(self) -> None:
        while not self._is_ending:
            room = AT_A_TIME - len(self._writing)
            rows = await self._ports.stored(self._ports.store.outbox_take, self._owner, limit=room, lease=LEASE) if room else []
            for subject in dict.fromkeys(row.subject for row in rows):
                task = asyncio.create_task(self._in_order([row for row in rows if row.subject == subject]))
                self._writing.add(task)
                task.add_done_callback(self._writing.discard)
            await asyncio.sleep(0 if len(rows) == room and room else POLL_S)

    async def _in_order(self, rows: Sequence[OutboxRow]) -> None:
        """Checks first: a comment that GitHub does not take holds none of them back."""
        order, took_at = list(OutboxKind), monotonic()
        for row in sorted(rows, key=lambda r: order.index(r.kind)):
            if monotonic() - took_at < LEASE.total_seconds() - WRITE_S:
                await self._write(row)
            else:  # its lease would end in the middle of it
                await self._ports.stored(
                    self._ports.store.outbox_later, row, self._ports.clock(), "the write before it took long"
                )

    async def _write(self, row: OutboxRow) -> None:
        store = self._ports.store
        told = {"kind": row.kind.value, "key": row.key, "subject": row.subject, "attempt": row.attempts}
        try:
            async with asyncio.timeout(WRITE_S):
                why_not = await WRITERS[row.kind](self._ports, row)
            if why_not is None:
                await self._ports.stored(store.outbox_done, row)
            else:
                await self._ports.stored(store.outbox_drop, row, why_not)
            log.info("published" if why_not is None else "not published", extra=told | ({"why": why_not} if why_not else {}))
        except asyncio.CancelledError:
            await self._ports.stored(store.outbox_later, row, self._ports.clock(), "the worker ended")
            raise
        except SQLAlchemyError as error:  # its lease ends, and it is written again
            log.warning("database not reached", extra=told | {"why": type(error).__name__})
        except Exception as error:  # noqa: BLE001  whatever it is, the row must not be lost
            await self._failed(row, error, told)

    async def _failed(self, row: OutboxRow, error: Exception, told: Mapping[str, object]) -> None:
        ports, store = self._ports, self._ports.store
        why = str(error) or type(error).__name__
        log.warning("not published yet", extra={**told, "why": why, "kind_of_failure": type(error).__name__})
        now = ports.clock()
        match error:
            case Suspended():
                state = "deleted" if error.is_removed else "suspended"
                await ports.stored(store.outbox_later, row, now, why)
                await ports.stored(store.set_installation_state, row.installation_id, state)
            case Archived():
                await ports.stored(store.set_repository_state, row.repository_id, "archived")
            case Throttled():
                await ports.stored(store.outbox_later, row, error.not_before, why)
            case Locked():
                await ports.stored(store.outbox_later, row, now + _LOCKED_FOR, why)
            case Forbidden():
                await ports.stored(store.outbox_later, row, now + _FORBIDDEN_FOR, why)
            case Gone() | Refused() | NotFoundYet() if row.attempts >= _TRIES_WHEN_REFUSED:
                await ports.stored(store.outbox_drop, row, why)
            case _:
                wait_s = min(_FIRST_WAIT_S * 2 ** min(row.attempts - 1, 20), _LONGEST_WAIT_S)
                await ports.stored(store.outbox_later, row, now + timedelta(seconds=wait_s), why)
