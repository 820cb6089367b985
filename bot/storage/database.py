"""Opens the database and brings its tables up to date, one process at a time."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

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


def open_database(url: str) -> sa.Engine:
    """An engine whose tables are current. `sqlite:///FILE` or `postgresql://…`; anything else is a CallError."""
    try:
        parsed = sa.make_url(url)
    except ArgumentError as error:
        raise CallError("the database URL cannot be read; write sqlite:///FILE or postgresql://USER@HOST/NAME") from error
    match parsed.get_backend_name():
        case "sqlite":
            if parsed.database and parsed.database != ":memory:":
                Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
            engine = sa.create_engine(parsed, connect_args={"timeout": 30})
            event.listen(engine, "connect", _configure_sqlite)
        case "postgresql":
            engine = sa.create_engine(parsed.set(drivername="postgresql+psycopg"), pool_pre_ping=True)
        case other:
            raise CallError(f"the database URL names {other}; gonogo keeps its data in sqlite or postgresql")
    migrate(engine)
    return engine


def migrate(engine: sa.Engine) -> None:
    """Bring the tables up to date. A second process waits for the first and then finds nothing to do."""
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        else:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _configure_sqlite(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # pyright: ignore[reportAttributeAccessIssue]  transactions begin when we say so
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
