"""A database of its own for each test, on SQLite and on a real PostgreSQL."""

from collections.abc import Generator
from pathlib import Path
from uuid import uuid4

import pytest
import sqlalchemy as sa

from bot.storage.app_store import AppStore
from bot.storage.app_testing import ManualClock
from bot.storage.database import open_database


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/gonogo.db"
        return
    server = sa.make_url(request.getfixturevalue("postgres_url"))
    name = f"t{uuid4().hex}"
    admin = sa.create_engine(server.set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
        yield server.set(database=name).render_as_string(hide_password=False)
        connection.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")
    admin.dispose()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def database(database_url: str) -> Generator[sa.Engine]:
    engine = open_database(database_url)
    yield engine
    engine.dispose()


@pytest.fixture
def store(database: sa.Engine, clock: ManualClock) -> AppStore:
    return AppStore(database, clock)
