"""Runs statements as a migration runner would, and notes what each one does."""

import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING

from bot.shadow.locks import Held, held_by, storage_of, stronger, told
from bot.shadow.role import STATEMENT_S, Role
from bot.shadow.server import Server
from gonogo.errors import ShadowUnavailable
from gonogo.shadow import Replayed

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[tuple[object, ...]]

GRACE_S = 1.0
"""Beyond the statement's own limit, which it may have lifted."""
_NOT_IN_TRANSACTION = "25001"
_BLOCKS_S = 0.4
"""How long something is held in the way of a statement that runs by itself, so that its locks can be seen."""
_LOOK_S = 0.005


def run_all(server: Server, role: Role, database: str, *, schema: Sequence[str], statements: Sequence[str]) -> Iterator[Replayed]:
    """Make the schema, then run the statements in one transaction, each until it ends or its time is over."""
    import psycopg  # noqa: PLC0415

    with (
        server.connect(database) as observer,
        server.connect(database, user=role.name, password=role.password, options=role.options) as session,
    ):
        for sql in schema:
            with suppress(psycopg.Error):
                session.execute(_bytes(sql))
        run = _Run(server, database, observer, session)
        for sql in statements:
            done = run.one(sql)
            if done is not None:
                yield done
            if done is not None and done.error:
                return


class _Run:
    """One session and who watches it."""

    def __init__(self, server: Server, database: str, observer: "Connection", session: "Connection") -> None:
        self._server, self._database = server, database
        self._observer, self._session = observer, session
        self._pid = session.info.backend_pid
        self._held: Held = {}
        self._begin()

    def one(self, sql: str) -> Replayed | None:
        """Run one statement; None for one that only opens or ends a transaction."""
        import psycopg  # noqa: PLC0415

        match sql.lstrip().partition(" ")[0].rstrip(";").lower():
            case "begin" | "start":
                return None
            case "commit" | "end":
                self._session.execute("COMMIT")
                self._begin()
                return None
            case _:
                pass
        before = storage_of(self._session)
        try:
            with self._on_time():
                self._session.execute(_bytes(sql))
        except psycopg.Error as error:
            if error.sqlstate == _NOT_IN_TRANSACTION and not self._session.closed:
                self._session.execute("ROLLBACK")
                return self._alone(sql)
            return Replayed(statement=sql, sqlstate=error.sqlstate, error=_said(error))
        held = held_by(self._observer, self._pid)
        after = storage_of(self._session)
        moved = tuple(sorted(t for t, file in after.items() if t in before and before[t] != file))
        new, self._held = told(held, self._held), stronger(held, self._held)
        return Replayed(statement=sql, locks=new, rewrites=moved)

    def _alone(self, sql: str) -> Replayed:
        """A statement that can't run in a transaction. A writer of every table is put in its way, so that it can be seen waiting."""
        import psycopg  # noqa: PLC0415

        seen: Held = {}
        failed: list[psycopg.Error] = []

        def work() -> None:
            try:
                self._session.execute(_bytes(sql))
            except psycopg.Error as error:
                failed.append(error)

        with self._server.connect(self._database) as writer, self._on_time():
            writer.execute("BEGIN")
            for table in storage_of(self._observer):
                writer.execute(_bytes(f"LOCK TABLE {_written(table)} IN ROW EXCLUSIVE MODE"))
            thread = threading.Thread(target=work, daemon=True)
            thread.start()
            until = monotonic() + _BLOCKS_S
            while thread.is_alive():
                seen = stronger(seen, held_by(self._observer, self._pid))
                if monotonic() > until and writer.info.transaction_status:
                    writer.execute("ROLLBACK")
                sleep(_LOOK_S)
            thread.join()
        if not self._session.closed:
            self._begin()
        locks = told(seen, {})
        if failed:
            return Replayed(statement=sql, locks=locks, sqlstate=failed[0].sqlstate, error=_said(failed[0]), outside=True)
        return Replayed(statement=sql, locks=locks, outside=True)

    def _begin(self) -> None:
        self._held = {}
        self._session.execute("BEGIN")

    @contextmanager
    def _on_time(self) -> Generator[None]:
        """End the session from outside when the statement does not end by itself."""
        timer = threading.Timer(STATEMENT_S + GRACE_S, self._terminate)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _terminate(self) -> None:
        import psycopg  # noqa: PLC0415

        with suppress(psycopg.Error, ShadowUnavailable), self._server.connect(self._database) as killer:
            killer.execute("SELECT pg_terminate_backend(%s)", (self._pid,))


def _said(error: "psycopg.Error") -> str:
    line = (error.diag.message_primary or str(error) or type(error).__name__).strip().splitlines()
    return line[0][:300] if line else type(error).__name__


def _written(table: str) -> str:
    return ".".join('"' + part.replace('"', '""') + '"' for part in table.split("."))


def _bytes(sql: str) -> bytes:
    """As it is sent; text that is no part of ours is never a format."""
    return sql.encode("utf-8", "replace")
