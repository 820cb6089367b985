"""One worker's jobs in this process, beside a loopback GitHub: deliveries, queue and outbox are worked off when the test says so.

The store is real (SQLite), GitHub answers by HTTP and serves git; only the judging process is a stand-in with a verdict by the words of
the head's files, and time is a clock that sleeping moves.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.changes.git import Git
from bot.evaluation.evaluate import Request, unfinished
from bot.github.access import GitHubAccess
from bot.github.app import GitHubApp
from bot.github.mirror import Mirrors
from bot.jobs.base_moved import base_moved
from bot.jobs.child_job import ChildJob, ChildResult
from bot.jobs.evaluate import evaluate
from bot.jobs.handle_delivery import handle_delivery
from bot.jobs.policy_at import policy_at
from bot.jobs.ports import Ports
from bot.jobs.publish import Publisher
from bot.jobs.queue import BASE_MOVED, EVALUATE, SWEEP
from bot.jobs.recover import recover
from bot.jobs.sweep import Sweeper
from bot.server_settings import ServerSettings
from bot.storage.app_rows import EvaluationRow
from bot.storage.app_store import AppStore
from bot.storage.database import open_database
from gonogo.evaluation import Conclusion, Evaluation, Failure, Judged
from gonogo.verdict import Verdict
from tests.github.mail import Delivery
from tests.github.server import FakeGitHub
from tests.github.story import DOCS
from tests.github.world import CheckRun, Comment, PullRequest

GO = {"app.py": "print('go')\n"}
NO_GO = {"app.py": "print('no-go')\n"}
COULD_NOT = {"app.py": "print('could not')\n"}


class Queue:
    """arq's, as far as the jobs use it: an id is taken until its job has run."""

    def __init__(self) -> None:
        self.jobs: dict[str, tuple[str, tuple[str, ...]]] = {}
        self.known: set[str] = set()

    async def enqueue_job(self, function: str, *arguments: str, _job_id: str = "", **_: object) -> object | None:
        if _job_id in self.jobs:
            return None
        self.jobs[_job_id] = (function, arguments)
        return object()

    async def exists(self, *names: str) -> int:
        return sum(name in self.known for name in names)

    async def smembers(self, name: str) -> set[bytes]:
        return set()


class Desk:
    """`deliver`, `evaluate`, `publish`; `settle` does all three until nothing is left."""

    def __init__(
        self, github: FakeGitHub, folder: Path, runner: asyncio.Runner, *, url: str | None = None, **settings: Any
    ) -> None:
        self.github, self._runner = github, runner
        self.time = datetime.now(UTC)
        self.app = github.apps.register(webhook_url="http://127.0.0.1:9/webhooks/github")
        github.mail.hold()
        self.repository = github.repositories.create("acme/shop", {"app.py": "print(0)\n", "docs/a.md": "words\n"})
        for login, role in (("dev", "write"), ("olivia", "admin"), ("reader", "read")):
            github.repositories.give(self.repository, login, role)
        told = {
            "github_app_id": self.app.id, "github_private_key": self.app.private_key, "github_webhook_secret": "s", "data_dir": folder,
            "github_api_url": github.api_url, "github_url": github.web_url, "redis_url": "unix:///nowhere", "investigator": "rules",
        }  # fmt: skip
        engine = open_database(url or f"sqlite:///{folder}/gonogo.db")
        self._engine = engine
        self.store = AppStore(engine, lambda: self.time)
        access = GitHubAccess(
            app_id=self.app.id, private_key=self.app.private_key, api_url=github.api_url, web_url=github.web_url
        )
        self.queue = Queue()
        self.judging: Callable[[ChildJob], Coroutine[Any, Any, None]] | None = None
        self.judged: list[ChildJob] = []
        self.slept: list[float] = []
        self.ports = Ports(
            settings=ServerSettings(**(told | settings)),
            store=self.store,
            github=GitHubApp(access, clock=lambda: self.time, sleep=self._sleep),
            mirrors=Mirrors(folder),
            queue=self.queue,  # pyright: ignore[reportArgumentType]
            worker_id="desk",
            run_child=self._run_child,
            clock=lambda: self.time,
            sleep=self._sleep,
        )
        self.sweeper = Sweeper(self.ports)
        self.publisher = Publisher(self.ports)
        self.installation = github.apps.install(self.app, "acme")
        self.settle()

    def close(self) -> None:
        self.run(self.ports.github.aclose())
        self._engine.dispose()

    def run(self, story: Coroutine[Any, Any, Any]) -> Any:
        return self._runner.run(story)

    def later(self, **how: float) -> None:
        """Let time pass."""
        self.time += timedelta(**how)

    def deliver(self) -> int:
        """Handle what GitHub has sent since, in its order; how much it was."""
        held = self._sent()
        for delivery in held:
            self.handle(delivery.event, delivery.guid, delivery.body.decode())
        return len(held)

    async def deliver_inside(self) -> None:
        """The same while a job runs."""
        for delivery in self._sent():
            await handle_delivery(self.ports, event=delivery.event, guid=delivery.guid, body=delivery.body.decode())

    def handle(self, event: str, guid: str, body: str) -> None:
        self.run(handle_delivery(self.ports, event=event, guid=guid, body=body))

    def work(self) -> int:
        """Run the jobs that wait, those that come meanwhile too; how many."""
        count = 0
        while self.queue.jobs:
            at, (function, arguments) = next(iter(self.queue.jobs.items()))
            self.run(self._job(function, arguments))
            del self.queue.jobs[at]
            count += 1
        return count

    def publish(self) -> int:
        """Try to write what is due; how much it was."""
        return self.run(self.publish_inside())

    async def publish_inside(self) -> int:
        """The same while a job runs."""
        rows = self.store.outbox_take("desk")
        for subject in dict.fromkeys(row.subject for row in rows):
            await self.publisher._in_order([row for row in rows if row.subject == subject])
        return len(rows)

    def settle(self) -> None:
        """Until there is nothing to be done now."""
        while self.deliver() + self.work() + self.publish():
            pass

    def recover(self) -> None:
        self.run(recover(self.ports))

    def sweep(self) -> None:
        self.run(self.sweeper.everything())

    def open(self, files: Mapping[str, Any] = NO_GO, **how: Any) -> PullRequest:
        """A pull request, evaluated and published."""
        pull = self.github.pulls.open(self.repository, dict(files), **how)
        self.settle()
        return pull

    def push(self, pull: PullRequest, files: Mapping[str, Any] | None = None, **how: Any) -> str:
        sha = self.github.pulls.push(pull, dict(files) if files is not None else None, **how)
        self.settle()
        return sha

    def say(self, pull: PullRequest, text: str, by: str = "dev") -> Comment:
        """Somebody's comment, and what comes of it."""
        made = self.github.conversations.comment(pull, text, by=by)
        self.settle()
        return made

    def check(self, pull: PullRequest, name: str = "gonogo") -> CheckRun:
        return self.github.check(pull, name)

    def comment(self, pull: PullRequest) -> Comment | None:
        """Our comment with the marker; two are a failure."""
        marker = f"<!-- gonogo:{pull.number} -->"
        found = [c for c in self.github.comments(pull) if marker in c.body]
        assert len(found) <= 1
        return found[0] if found else None

    def replies(self, pull: PullRequest) -> list[str]:
        return [c.body for c in self.github.comments(pull) if "<!-- gonogo:reply:" in c.body]

    def newest(self, pull: PullRequest) -> EvaluationRow:
        found = self.store.newest(f"pr:{pull.id}")
        assert found is not None
        return found

    def _sent(self) -> list[Delivery]:
        held, self.github.mail._held = self.github.mail._held or [], []
        for delivery in held:
            delivery.status, delivery.status_code = "OK", 202
        return held

    async def _job(self, function: str, arguments: tuple[str, ...]) -> None:
        match function:
            case _ if function == EVALUATE:
                await evaluate(self.ports, arguments[0])
            case _ if function == SWEEP:
                await self.sweeper.one(int(arguments[0]))
            case _ if function == BASE_MOVED:
                number, branch, before, after = arguments
                await base_moved(self.ports, repository_id=int(number), branch=branch, before=before, after=after)
            case _:
                raise AssertionError(function)

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += timedelta(seconds=seconds)
        await asyncio.sleep(0)

    async def _run_child(self, job: ChildJob, *, environment: Mapping[str, str], place: Path) -> ChildResult:
        self.judged.append(job)
        self.environment, self.place = environment, place
        await self.publish_inside()
        if self.judging is not None:
            await self.judging(job)
        policy, error = policy_at(job.mirror, job.base_sha)
        return ChildResult(document=_verdict_on(job).model_dump_json(), policy=policy.model_dump(mode="json"), policy_error=error)


def _verdict_on(job: ChildJob) -> Evaluation:
    git = Git(job.mirror)
    changed = git.text("diff", "--name-only", git.merge_base(job.base_sha, job.head_sha), job.head_sha, "--").split()
    text = git.text("show", f"{job.head_sha}:app.py", allow=(0, 128))
    if "could not" in text:
        what = Failure(stage="context", why="no source answered")
        return unfinished(what, Request(), repository_id="github:acme/shop", base=job.base_sha, head=job.head_sha)
    is_docs = all(path.startswith("docs/") for path in changed)
    return Evaluation(
        repository="github:acme/shop",
        base=job.base_sha,
        head=job.head_sha,
        verdict=Verdict.NO_GO if "no-go" in text and not is_docs else Verdict.GO,
        conclusion=Conclusion.NOTHING_TO_EVALUATE if is_docs else Conclusion.EVALUATED,
        summary="Nothing here can reach production." if is_docs else "As the file says.",
        notes=job.notes,
        judged=Judged(fingerprint=git.text("rev-parse", f"{job.head_sha}^{{tree}}").strip()),
    )


__all__ = ["COULD_NOT", "DOCS", "GO", "NO_GO", "Desk"]
