"""Opens the database and brings its tables up to date, one process at a time."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError, ProgrammingError
from sqlalchemy.pool import ConnectionPoolEntry

from bot.server_addresses import database_address
from gonogo.errors import CallError

_LOCK = 0x676F6E6F  # any number that nothing else in this database locks
_MIGRATIONS = Path(__file__).parent / "migrations"
_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=NORMAL",
    "foreign_keys=ON",
    "busy_timeout=30000",
    "mmap_size=4294967296",  # a walk reads pages from all over the file: through the map, without a call for each
    "cache_size=-16384",
)


_NOT_OURS_TO_WRITE = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_CORRUPT,
    }
)
"""What SQLite says of a file that waiting does not help: https://www.sqlite.org/rescode.html."""


TRY_TO_WRITE = "PRAGMA user_version = 0"
"""Changes nothing, as we keep no number there; on a file that may only be read it fails, where BEGIN IMMEDIATE quietly only reads."""


def open_database(url: str, *, named_by: str = "GONOGO_DATABASE_URL") -> sa.Engine:
    """An engine whose tables are current. `sqlite:///FILE` or `postgresql://…`.

    `named_by` is the setting that the place comes from. What is wrong with the URL or its file is a CallError that begins with it; a
    server that does not answer is SQLAlchemy's OperationalError. Errors of the engine do not show the values of their statement.
    """
    try:
        parsed = database_address(url)
    except ValueError as error:
        raise CallError(f"{named_by} {error}") from error
    with _explained(parsed, named_by):
        if parsed.get_backend_name() == "sqlite":
            if parsed.database and not parsed.database.startswith((":memory:", "file:")):
                Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
            engine = sa.create_engine(parsed, connect_args={"timeout": 30}, hide_parameters=True)
            event.listen(engine, "connect", _configure_sqlite)
        else:
            engine = sa.create_engine(parsed.set(drivername="postgresql+psycopg"), pool_pre_ping=True, hide_parameters=True)
        try:
            migrate(engine)
        except BaseException:
            engine.dispose()
            raise
    return engine


@contextmanager
def _explained(url: sa.URL, named_by: str) -> Generator[None]:
    """Turn what only another setting repairs into a CallError."""
    shown = url.render_as_string(hide_password=True) if url.get_backend_name() != "sqlite" else url.database
    try:
        yield
    except OSError as error:
        raise CallError(f"{named_by}: {error.filename or shown} cannot be made ({error.strerror})") from error
    except CommandError as error:
        raise CallError(f"{named_by}: {shown} was made by another version of gonogo ({error}); start that one") from error
    except DatabaseError as error:
        why = str(error.orig).splitlines()[0]
        if cannot_be_written(error):
            raise CallError(
                f"{named_by}: {shown} cannot be used ({why}); it must be a database that this user may write"
            ) from error
        if isinstance(error, ProgrammingError):
            raise CallError(f"{named_by}: {shown} cannot be used ({why})") from error
        raise


def cannot_be_written(error: DatabaseError) -> bool:
    """Whether SQLite says that the file, or its folder, is not ours to write or is no database."""
    return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _NOT_OURS_TO_WRITE


def migrate(engine: sa.Engine) -> None:
    """Bring the tables up to date. A second process waits for the first and then finds nothing to do."""
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        else:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            connection.exec_driver_sql(TRY_TO_WRITE)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _configure_sqlite(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # pyright: ignore[reportAttributeAccessIssue]  transactions begin when we say so
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
