"""Real servers for the tests of the bot, started once a process."""

from collections.abc import Generator

import pytest

from scripts.postgres_server import postgres_server, server_binaries


@pytest.fixture(scope="session")
def postgres_url() -> Generator[str]:
    """The URL of a throw-away PostgreSQL."""
    if server_binaries() is None:
        pytest.skip("no PostgreSQL server binaries; install the package postgresql")
    with postgres_server() as url:
        yield url
