"""A whole gonogo beside a loopback GitHub, in words: open, push, wait for the verdict, look at the check and the comment."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.github.bare import Files
from tests.github.processes import Site
from tests.github.server import FakeGitHub
from tests.github.world import App, CheckRun, Comment, Installation, PullRequest, Repository

EXAMPLE = Path(__file__).parents[2] / "examples" / "pull_request"
PRODUCTION = EXAMPLE / "production"


def tree(name: str) -> dict[str, str]:
    """A folder of the bundled example as `{path: text}`: `base`, `head_unsafe`, `head_safe`."""
    folder = EXAMPLE / name
    return {str(p.relative_to(folder)): p.read_text() for p in sorted(folder.rglob("*")) if p.is_file()}


BASE = tree("base")
UNSAFE = tree("head_unsafe")  # a no-go
SAFE = tree("head_safe")  # the same change made safe: a go

DOCS = {"docs/notes.md": "# Notes\n\nNothing that runs.\n"}


class Story:
    """`repository` is the bundled example's; `github` and `site` are there for what has no word here."""

    def __init__(self, github: FakeGitHub, site: Site, app: App, installation: Installation, repository: Repository) -> None:
        self.github, self.site, self.app, self.installation, self.repository = github, site, app, installation, repository

    def open(self, files: Files | None = None, **how: Any) -> PullRequest:
        """A pull request; by default the unsafe form of the example. `how` as in `Pulls.open`."""
        return self.github.pulls.open(self.repository, UNSAFE if files is None else files, **how)

    def push(self, pull: PullRequest, files: Files | None = None, **how: Any) -> str:
        return self.github.pulls.push(pull, files, **how)

    def check(self, pull: PullRequest, name: str = "gonogo") -> CheckRun:
        """The one check run on the head; two are a failure."""
        return self.github.check(pull, name)

    def comment(self, pull: PullRequest) -> Comment | None:
        """gonogo's one comment; two are a failure."""
        found = self.github.comments(pull)
        assert len(found) <= 1, f"{len(found)} comments of ours on #{pull.number}"
        return found[0] if found else None

    def wait_for_verdict(self, pull: PullRequest, *, within_s: float = 90, comment: bool = False) -> CheckRun:
        """Until the check on the present head is completed (and, with `comment`, the comment names that head)."""
        self.until(lambda: self._is_concluded(pull), f"a verdict on #{pull.number} at {pull.head_sha[:8]}", within_s=within_s)
        if comment:
            self.wait_for_comment(pull, within_s=within_s)
        return self.check(pull)

    def wait_for_comment(self, pull: PullRequest, *, within_s: float = 90) -> Comment:
        """Until our comment says something about the present head."""

        def is_there() -> bool:
            found = self.comment(pull)
            return found is not None and pull.head_sha[:7] in found.body

        self.until(is_there, f"a comment on #{pull.number} about {pull.head_sha[:8]}", within_s=within_s)
        found = self.comment(pull)
        assert found
        return found

    def wait_for_check(self, pull: PullRequest, state: str, *, within_s: float = 90) -> CheckRun:
        """Until the check on the head is in a state: `in_progress`, `completed cancelled` ..."""

        def is_so() -> bool:
            return any(r.history[-1] == state for r in self.github.checks(pull.head_sha))

        self.until(is_so, f"the check of #{pull.number} to be '{state}'", within_s=within_s)
        return self.check(pull)

    def until(self, holds: Callable[[], bool], what: str, *, within_s: float = 90) -> None:
        """Wait for something of the outside world; the failure tells what was asked of GitHub and what the processes logged."""
        until = time.monotonic() + within_s
        while not holds():
            if time.monotonic() > until:
                calls = "\n".join(str(call) for call in self.github.record.calls[-60:])
                sent = "\n".join(f"{d.event}.{d.action} -> {d.status_code} {d.status}" for d in self.github.mail.deliveries[-30:])
                raise AssertionError(
                    f"waited {within_s:g} s for {what}\n--- deliveries\n{sent}\n--- GitHub was asked\n{calls}\n{self.site.logs()}"
                )
            time.sleep(0.02)

    def holds_for(self, seconds: float, holds: Callable[[], bool], what: str) -> None:
        """It is so, and stays so."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            assert holds(), f"{what} did not last {seconds:g} s\n{self.site.logs()}"
            time.sleep(0.02)

    def evaluations(self, pull: PullRequest) -> list[str]:
        """The heads of this pull request that reached a verdict, in order, by their checks."""
        heads = dict.fromkeys(r.head_sha for r in self.github.world.check_runs.values() if r.repository is pull.repository)
        done = {"success", "failure", "neutral", "action_required"}
        return [sha for sha in heads if any(r.conclusion in done for r in self.github.checks(sha))]

    def _is_concluded(self, pull: PullRequest) -> bool:
        return any(r.status == "completed" for r in self.github.checks(pull.head_sha))


def a_story(folder: Path, github: FakeGitHub, *, redis_url: str, port: int, settings: Mapping[str, str] | None = None,
            database_url: str | None = None, base: Files | None = None, production: Path = PRODUCTION, workers: int = 1,
            start: bool = True, embedded: bool = False, full_name: str = "spokeway/rides") -> Story:  # fmt: skip
    """gonogo beside this GitHub, installed on one repository. With `start` False nothing runs yet: `story.site.start()`.

    `embedded`: `gonogo serve --embedded`, which brings its own Redis and worker.
    """
    owner = full_name.partition("/")[0]
    site_url = f"http://127.0.0.1:{port}"
    app = github.apps.register(owner=owner, webhook_url=f"{site_url}/webhooks/github", callback_urls=[site_url])
    repository = github.repositories.create(full_name, BASE if base is None else base)
    site = Site(folder, github, app, redis_url=None if embedded else redis_url, port=port, database_url=database_url,
                production=production, settings=settings)  # fmt: skip
    if start:
        try:
            site.start(workers=0 if embedded else workers)
        except BaseException:
            site.end()
            raise
    installation = github.apps.install(app, owner, tell=start)
    return Story(github, site, app, installation, repository)
