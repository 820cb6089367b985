"""A loopback GitHub with one App on one repository, and clients that ask it."""

import threading
from collections.abc import Generator
from dataclasses import dataclass

import httpx
import pytest

from tests.github.asking import as_app, as_installation
from tests.github.fixtures import github, redis_server_url, redis_url, start_story, story
from tests.github.inbox import Inbox
from tests.github.server import FakeGitHub
from tests.github.world import App, Installation, PullRequest, Repository

__all__ = ["github", "redis_server_url", "redis_url", "start_story", "story"]


@dataclass(frozen=True)
class Shop:
    """`acme/shop` with pull request #1; `ask` holds a token with all the App's permissions, `app_asks` its JWT."""

    github: FakeGitHub
    app: App
    installation: Installation
    repository: Repository
    pull: PullRequest
    ask: httpx.Client
    app_asks: httpx.Client

    def new_check(self, **more: object) -> httpx.Response:
        body = {"name": "gonogo", "head_sha": self.pull.head_sha, "status": "in_progress"} | more
        return self.ask.post("/repos/acme/shop/check-runs", json=body)


@pytest.fixture
def shop(github: FakeGitHub) -> Generator[Shop]:
    app = github.apps.register()
    repository = github.repositories.create("acme/shop", {"app.py": "print(1)\n", "docs/a b.md": "text\n"})
    installation = github.apps.install(app, "acme")
    pull = github.pulls.open(repository, {"app.py": "print(2)\n"})
    with as_installation(github, installation) as ask, as_app(github, app) as app_asks:
        yield Shop(github, app, installation, repository, pull, ask, app_asks)


@pytest.fixture
def inbox() -> Generator[Inbox]:
    made = Inbox()
    thread = threading.Thread(target=made.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()


@pytest.fixture
def app(github: FakeGitHub, inbox: Inbox) -> App:
    return github.apps.register(webhook_url=inbox.url)


@pytest.fixture
def repository(github: FakeGitHub) -> Repository:
    return github.repositories.create("acme/shop", {"app.py": "print(1)\n"})


@pytest.fixture
def installation(github: FakeGitHub, app: App, repository: Repository, inbox: Inbox) -> Installation:
    made = github.apps.install(app, "acme")
    inbox.got.clear()
    return made
