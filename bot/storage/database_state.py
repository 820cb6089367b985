"""Looks at the database without changing it: can it be reached, and are its tables current?"""

import os
from pathlib import Path

import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import DatabaseError, SQLAlchemyError

from bot.server_addresses import database_address
from bot.storage.database import TRY_TO_WRITE, cannot_be_written

_MIGRATIONS = Path(__file__).parent / "migrations"


def database_state(url: str) -> tuple[bool, str]:
    """(True, what is there), or (False, what is wrong and what to do). The URL's password is in neither."""
    try:
        parsed = database_address(url)
    except ValueError as error:
        return False, f"GONOGO_DATABASE_URL {error}"
    shown = parsed.render_as_string(hide_password=True)
    is_file = parsed.get_backend_name() == "sqlite"
    file = parsed.database or ""
    if is_file and not file.startswith("file:") and not Path(file).exists():
        return _not_there_yet(Path(file), shown)
    waits = {} if is_file else {"connect_timeout": 5}
    engine = sa.create_engine(
        parsed if is_file else parsed.set(drivername="postgresql+psycopg"), connect_args=waits, hide_parameters=True
    )
    revision: str | None = None
    try:
        with engine.connect() as connection:
            revision = MigrationContext.configure(connection).get_current_revision()
            if is_file:
                connection.rollback()
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                connection.exec_driver_sql(TRY_TO_WRITE)  # and take it back
                connection.rollback()
    except DatabaseError as error:
        if is_file and cannot_be_written(error):
            return False, f"{shown}: {error.orig}; it must be a database that this user may write, and so must its folder"
        if not is_file or "locked" not in str(error.orig):  # another process writes: what was read stands
            return False, f"{shown}: {type(error).__name__}; is the server up, and may this user connect?"
    except SQLAlchemyError as error:
        return False, f"{shown}: {type(error).__name__}; is the server up, and may this user connect?"
    finally:
        engine.dispose()
    head = ScriptDirectory(str(_MIGRATIONS)).get_current_head()
    if revision == head:
        return True, f"{shown}: reachable, tables current ({head})"
    return True, f"{shown}: reachable; tables at {revision or 'nothing'}, the next sync brings them to {head}"


def _not_there_yet(file: Path, shown: str) -> tuple[bool, str]:
    above = next((folder for folder in file.parents if folder.exists()), None)
    if above is None or not above.is_dir() or not os.access(above, os.W_OK | os.X_OK):
        return False, f"{shown}: not there, and this user cannot make it; set GONOGO_DATABASE_URL or GONOGO_DATA_DIR"
    return True, f"{shown}: not there yet, the first sync makes it"
