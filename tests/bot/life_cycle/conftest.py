"""One worker's jobs beside a loopback GitHub."""

import asyncio
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from tests.bot.life_cycle.desk import Desk
from tests.github.fixtures import github, redis_server_url, redis_url
from tests.github.server import FakeGitHub

__all__ = ["github", "redis_server_url", "redis_url"]


@pytest.fixture
def make_desk(github: FakeGitHub, tmp_path: Path) -> Generator[Callable[..., Desk]]:
    """`make_desk(max_cost_pull_request_day=0)`: a desk with these settings."""
    made: list[Desk] = []
    with asyncio.Runner() as runner:

        def make(**settings: Any) -> Desk:
            made.append(Desk(github, tmp_path / "desk", runner, **settings))
            return made[-1]

        yield make
        for desk in made:
            desk.close()


@pytest.fixture
def desk(make_desk: Callable[..., Desk]) -> Desk:
    """A desk with the settings of a fresh installation."""
    return make_desk()
