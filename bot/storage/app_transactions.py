"""One transaction at a time: how the App's store writes on SQLite and on PostgreSQL, and whose clock it reads."""

import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

Clock = Callable[[], datetime]


class Transactions:
    """Base of every part of the store: an engine from `open_database`, and a clock.

    Without a clock the database's own is read, so that workers on hosts whose clocks differ agree on leases.
    Methods block; call them through `asyncio.to_thread`. A failure of the database is SQLAlchemy's own error, and then
    nothing of the call was written.
    """

    def __init__(self, engine: sa.Engine, clock: Clock | None = None) -> None:
        self._engine, self._clock = engine, clock
        self._turn = threading.Lock()

    def now(self) -> datetime:
        """The time by the clock that leases are measured with."""
        with self._reading() as connection:
            return self._now(connection)

    def _now(self, connection: sa.Connection) -> datetime:
        if self._clock is not None:
            return self._clock()
        if connection.dialect.name == "postgresql":
            return connection.execute(sa.select(sa.func.clock_timestamp())).scalar_one()
        return datetime.now(UTC)

    @contextmanager
    def _reading(self) -> Generator[sa.Connection]:
        with self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Generator[sa.Connection]:
        """All of the block or nothing of it. SQLite has one writer, so the threads of a process queue up here, in their order."""
        if self._engine.dialect.name != "sqlite":
            with self._engine.begin() as connection:
                yield connection
            return
        with self._turn, self._engine.begin() as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection


_COUNTED = {"preserve_rowcount": True}


def upsert(connection: sa.Connection, how: "Upsert", values: Mapping[str, Any]) -> bool:
    """Insert these values, or change the row that has their key; False when a row was there and stays as it is."""
    done = connection.execute(_upserting(how, connection.dialect.name), dict(values), execution_options=_COUNTED)
    return done.rowcount == 1


def upsert_counted(connection: sa.Connection, how: "Upsert", values: Mapping[str, Any]) -> int:
    """The same for an Upsert that counts: the count of the row after it, which is locked to the end of the transaction."""
    return connection.execute(_upserting(how, connection.dialect.name), dict(values)).scalar_one()


@dataclass(frozen=True, eq=False)
class Upsert:
    """How a row is written that may be there already: a constant of a module, so that the statement is made once.

    Columns of `update` take the proposed value; `counted` rises by one. `only_if` is given the proposed row and says whether it
    may replace what is there; `pending` is the condition of the partial unique index that the key belongs to.
    """

    table: sa.Table
    key: tuple[str, ...]
    update: tuple[str, ...] = ()
    counted: str | None = None
    only_if: Callable[[Any], sa.ColumnElement[bool]] | None = None
    pending: sa.ColumnElement[bool] | None = None


@cache
def _upserting(how: Upsert, dialect: str) -> sa.Executable:
    insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
    statement = insert(how.table)
    changed: dict[str, Any] = {name: statement.excluded[name] for name in how.update}
    if how.counted is not None:
        changed[how.counted] = how.table.c[how.counted] + 1
    if not changed:
        return statement.on_conflict_do_nothing(index_elements=list(how.key), index_where=how.pending)
    counting = statement.on_conflict_do_update(
        index_elements=list(how.key),
        index_where=how.pending,
        set_=changed,
        where=how.only_if(statement.excluded) if how.only_if else None,
    )
    return counting if how.counted is None else counting.returning(how.table.c[how.counted])
