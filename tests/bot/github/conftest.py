"""One App on one repository of the loopback GitHub, seen through our client; waits are recorded, not waited."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot.github.access import GitHubAccess
from bot.github.app import GitHubApp
from bot.github.client import RepositoryClient
from bot.github.mirror import Mirrors
from tests.github.fixtures import github, redis_server_url, redis_url
from tests.github.server import FakeGitHub
from tests.github.world import App, Installation, PullRequest, Repository

__all__ = ["github", "redis_server_url", "redis_url"]

MARKER = "<!-- gonogo:1 -->"


@dataclass
class Shop:
    """`acme/shop` with pull request #1, and what was waited for."""

    github: FakeGitHub
    app: App
    installation: Installation
    repository: Repository
    pull: PullRequest
    waits: list[float] = field(default_factory=list[float])

    @property
    def access(self) -> GitHubAccess:
        return GitHubAccess(
            app_id=self.app.id, private_key=self.app.private_key, api_url=self.github.api_url, web_url=self.github.web_url
        )

    def as_app[T](self, work: Callable[[GitHubApp], Coroutine[Any, Any, T]], **how: Any) -> T:
        """Do something as the App, in a process of its own so to say."""

        async def sleep(seconds: float) -> None:
            self.waits.append(seconds)

        async def run() -> T:
            async with GitHubApp(self.access, **({"sleep": sleep} | how)) as app:
                return await work(app)

        return asyncio.run(run())

    def ask[T](self, work: Callable[[RepositoryClient], Coroutine[Any, Any, T]], *, limit: int | None = 25, **how: Any) -> T:
        """Ask something of the repository."""
        return self.as_app(lambda app: work(self.client(app, limit=limit)), **how)

    def client(self, app: GitHubApp, *, limit: int | None = 25) -> RepositoryClient:
        return app.repository(self.installation.id, "acme", self.repository.name, self.repository.id, limit=limit)


@pytest.fixture
def mirrors(tmp_path: Path) -> Mirrors:
    return Mirrors(tmp_path / "data", fetch_timeout_s=30, create_timeout_s=30)


@pytest.fixture
def shop(github: FakeGitHub) -> Shop:
    app = github.apps.register()
    repository = github.repositories.create("acme/shop", {"app.py": "print(1)\n"})
    installation = github.apps.install(app, "acme")
    return Shop(github, app, installation, repository, github.pulls.open(repository, {"app.py": "print(2)\n"}))
