"""The loopback GitHub: starts on a free port of 127.0.0.1 in a thread of this process, with the verbs that make things happen in it.

with FakeGitHub.started(tmp_path) as github:
    app = github.apps.register(webhook_url="http://127.0.0.1:8000/webhooks/github")
    shop = github.repositories.create("acme/shop", {"app.py": "print(1)\\n"})
    github.apps.install(app, "acme")
    pull = github.pulls.open(shop, {"app.py": "print(2)\\n"})
"""

import asyncio
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from tests.github import applications
from tests.github.acts_apps import Apps
from tests.github.acts_checks import Conversations
from tests.github.acts_pulls import Pulls
from tests.github.acts_repositories import Repositories
from tests.github.announcing import Announcer
from tests.github.desk import Desk
from tests.github.door import API, WEB, Door
from tests.github.facts import Facts
from tests.github.faults import Faults
from tests.github.hub import Hub
from tests.github.mail import Mail
from tests.github.record import Record
from tests.github.world import CheckRun, Comment, PullRequest, World


class FakeGitHub:
    """GitHub as far as gonogo sees it. `world` is its state, `faults` what goes wrong, `record` what was asked of it."""

    def __init__(self, folder: Path) -> None:
        self.world = World(folder)
        facts = Facts(self.world)
        mail = Mail(self.world)
        self.hub = Hub(self.world, facts, Faults(), Record(), mail, Announcer(self.world, facts, mail), Desk())
        self.facts, self.faults, self.record, self.mail = facts, self.hub.faults, self.hub.record, mail
        self.apps = Apps(self.hub)
        self.repositories = Repositories(self.hub)
        self.pulls = Pulls(self.hub, self.repositories)
        self.conversations = Conversations(self.hub)
        self.desk = self.hub.desk

    @property
    def api_url(self) -> str:
        return self.world.api_url

    @property
    def web_url(self) -> str:
        return self.world.web_url

    @classmethod
    @contextmanager
    def started(cls, folder: Path) -> Generator["FakeGitHub"]:
        """Running until the end of the `with`; `folder` holds its git repositories."""
        github = cls(folder)
        config = uvicorn.Config(Door(github.hub, applications.api(), applications.web()), host="127.0.0.1", port=0, log_level="error", lifespan="off", loop="asyncio",
                                timeout_keep_alive=30, timeout_graceful_shutdown=1)  # fmt: skip
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve()), name="github", daemon=True)
        thread.start()
        while not server.started:
            if not thread.is_alive():
                raise RuntimeError("the loopback GitHub did not start")
            time.sleep(0.005)
        port = server.servers[0].sockets[0].getsockname()[1]
        github.world.api_url, github.world.web_url = f"http://127.0.0.1:{port}{API}", f"http://127.0.0.1:{port}{WEB}"
        try:
            yield github
        finally:
            github.faults.clear()
            github.mail.close()
            server.should_exit = True
            thread.join(timeout=10)

    def check(self, pull: PullRequest, name: str = "gonogo") -> CheckRun:
        """The one check run of that name on the pull request's head; more or fewer than one is a failure."""
        found = self.checks(pull.head_sha, name)
        assert len(found) == 1, f"{len(found)} check runs {name!r} on {pull.head_sha[:8]} of #{pull.number}"
        return found[0]

    def checks(self, head_sha: str, name: str = "gonogo") -> list[CheckRun]:
        with self.world.lock:
            return [r for r in self.world.check_runs.values() if r.head_sha == head_sha and r.name == name]

    def comments(self, pull: PullRequest, *, by_app: bool = True) -> list[Comment]:
        """The Apps' comments, or those of people."""
        with self.world.lock:
            return [c for c in self.conversations.of(pull) if (c.app is not None) == by_app]
