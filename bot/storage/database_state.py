"""Looks at the database without changing it: can it be reached, and are its tables current?"""

from pathlib import Path

import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

_MIGRATIONS = Path(__file__).parent / "migrations"


def database_state(url: str) -> tuple[bool, str]:
    """(True, what is there), or (False, what is wrong and what to do). The URL's password is in neither."""
    try:
        parsed = sa.make_url(url)
    except ArgumentError:
        return False, "its URL cannot be read; write sqlite:///FILE or postgresql://USER@HOST/NAME in GONOGO_DATABASE_URL"
    shown = parsed.render_as_string(hide_password=True)
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        return False, f"{shown}: gonogo keeps its data in sqlite or postgresql"
    if parsed.get_backend_name() == "sqlite" and not Path(parsed.database or "").is_file():
        return True, f"{shown}: not there yet, the first sync makes it"
    driver = "postgresql+psycopg" if parsed.get_backend_name() == "postgresql" else "sqlite"
    waits = {"connect_timeout": 5} if driver != "sqlite" else {}
    engine = sa.create_engine(parsed.set(drivername=driver), connect_args=waits)
    try:
        with engine.connect() as connection:
            revision = MigrationContext.configure(connection).get_current_revision()
    except SQLAlchemyError as error:
        return False, f"{shown}: {type(error).__name__}; is the server up, and may this user connect?"
    finally:
        engine.dispose()
    head = ScriptDirectory(str(_MIGRATIONS)).get_current_head()
    if revision == head:
        return True, f"{shown}: reachable, tables current ({head})"
    return True, f"{shown}: reachable; tables at {revision or 'nothing'}, the next sync brings them to {head}"
