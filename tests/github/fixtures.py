"""Fixtures for every test that speaks to the loopback GitHub. A conftest imports them:

from tests.github.fixtures import github, redis_server_url, redis_url, start_story, story
from tests.github.fixtures import fresh_postgres_url, postgres_server_url  # when a test wants PostgreSQL
"""

import secrets
import shutil
import socket
from collections.abc import Callable, Generator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from scripts.postgres_server import postgres_server, server_binaries
from tests.github.processes import free_port, redis_server
from tests.github.server import FakeGitHub
from tests.github.story import Story, a_story


@pytest.fixture
def github(tmp_path: Path) -> Generator[FakeGitHub]:
    """A loopback GitHub of this test's own; a request that GitHub's description does not allow fails the test, and so does a crash of it."""
    with FakeGitHub.started(tmp_path / "github") as started:
        yield started
        started.mail.settle()
    assert not started.record.crashes, "\n".join(started.record.crashes)
    assert not started.record.violations, "\n".join(map(str, started.record.violations))


@pytest.fixture(scope="session")
def redis_server_url() -> Generator[str]:
    """One Redis server a test process."""
    if shutil.which("redis-server") is None:
        pytest.skip("no redis-server; install the package redis-server")
    with redis_server() as url:
        yield url


@pytest.fixture
def redis_url(redis_server_url: str) -> str:
    """The Redis server, emptied."""
    address = urlsplit(redis_server_url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as raw:
        raw.sendall(b"FLUSHALL\r\n")
        assert raw.recv(64).startswith(b"+OK")
    return redis_server_url


@pytest.fixture(scope="session")
def postgres_server_url() -> Generator[str]:
    """One throw-away PostgreSQL a test process."""
    if server_binaries() is None:
        pytest.skip("no PostgreSQL server binaries; install the package postgresql")
    with postgres_server() as url:
        yield url


@pytest.fixture
def fresh_postgres_url(postgres_server_url: str) -> str:
    """An empty database of this test's own, for `start_story(database_url=...)`; it goes with its server."""
    name = f"gonogo_{secrets.token_hex(6)}"
    with psycopg.connect(postgres_server_url, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}".encode())
    return f"{postgres_server_url.rpartition('/')[0]}/{name}"


@pytest.fixture
def start_story(tmp_path: Path, github: FakeGitHub, redis_url: str) -> Generator[Callable[..., Story]]:
    """Start a whole gonogo: `start_story(settings={"GONOGO_SWEEP_INTERVAL": "1"}, workers=2)`. What it logged is printed when a test fails."""
    stories: list[Story] = []

    def start(**how: object) -> Story:
        port = free_port()
        stories.append(a_story(tmp_path / f"site-{len(stories) + 1}", github, redis_url=redis_url, port=port, **how))  # pyright: ignore[reportArgumentType]
        return stories[-1]

    yield start
    for made in stories:
        made.site.end()
        print(made.site.logs())  # noqa: T201  pytest shows it with a failure only


@pytest.fixture
def story(start_story: Callable[..., Story]) -> Story:
    """A whole gonogo with one worker, ready."""
    return start_story()
