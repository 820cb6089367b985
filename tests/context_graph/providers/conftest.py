"""Real servers for the tests of live providers, started once a process."""

from collections.abc import Generator

import pytest

from scripts.postgres_server import postgres_server, server_binaries


@pytest.fixture(scope="session")
def postgres_url() -> Generator[str]:
    """The URL of a throw-away PostgreSQL; its superuser."""
    if server_binaries() is None:
        pytest.skip("no PostgreSQL server binaries; install the package postgresql")
    with postgres_server(track_counts="on") as url:
        yield url
