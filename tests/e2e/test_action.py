"""action.yml in a workflow: one comment and one status by the workflow's token, in a real clone of the pull request."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.github import faults
from tests.github.asking import as_installation, token_of
from tests.github.fixtures import github  # noqa: F401
from tests.github.server import FakeGitHub
from tests.github.story import BASE, PRODUCTION, SAFE, UNSAFE
from tests.github.world import PullRequest, Repository

ACTION = Path(__file__).parents[2] / "scripts" / "action.sh"
ASKED = {"pull_requests": "write", "statuses": "write", "metadata": "read"}


class Runner:
    """One job of a workflow on `pull_request`: checkout with fetch-depth 0, then the action."""

    def __init__(self, hub: FakeGitHub, folder: Path) -> None:
        self.github, self.folder = hub, folder
        self.app = hub.apps.register(slug="github-actions", permissions=ASKED)
        self.repository: Repository = hub.repositories.create("acme/rides", BASE)
        self.installation = hub.apps.install(self.app, "acme")
        self.jobs = 0

    def run(
        self, pull: PullRequest, *, before: Mapping[str, str] | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        self.jobs += 1
        work = self.folder / f"job-{self.jobs}"
        checkout = work / "checkout"
        with as_installation(self.github, self.installation) as asking:
            token = token_of(asking)
        git = ["git", "-C", str(checkout)]
        checkout.mkdir(parents=True)
        subprocess.run([*git, "init", "-q"], check=True)
        refs = ["+refs/heads/*:refs/remotes/origin/*", f"refs/pull/{pull.number}/head"]
        subprocess.run([*git, "fetch", "-q", str(self.repository.git.folder), *refs], check=True, capture_output=True)
        subprocess.run([*git, "checkout", "-q", pull.head_sha], check=True, capture_output=True)
        for path, text in (before or {}).items():
            (checkout / path).parent.mkdir(parents=True, exist_ok=True)
            (checkout / path).write_text(text)
        event = work / "event.json"
        event.write_text(
            json.dumps({"action": "synchronize", "number": pull.number, "pull_request": self.github.facts.pull_request(pull)})
        )
        self.output, self.summary = work / "output", work / "summary"
        told = {
            "PATH": os.environ["PATH"],
            "HOME": str(work),
            "RUNNER_TEMP": str(work),
            "GITHUB_WORKSPACE": str(checkout),
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_REPOSITORY": "acme/rides",
            "GITHUB_API_URL": self.github.api_url,
            "GITHUB_SERVER_URL": self.github.web_url,
            "GITHUB_RUN_ID": "77",
            "GITHUB_OUTPUT": str(self.output),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "GONOGO_TOKEN": token,
            "GONOGO_ACTION_PYTHON": sys.executable,
            "GONOGO_ACTION_PRODUCTION": str(PRODUCTION),
            **environment,
        }
        return subprocess.run([str(ACTION)], env=told, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def runner(github: FakeGitHub, tmp_path: Path) -> Runner:  # noqa: F811
    return Runner(github, tmp_path)


def test_a_no_go_fails_the_step_with_one_comment_and_one_status(runner: Runner) -> None:
    pull = runner.github.pulls.open(runner.repository, UNSAFE, tell=False)

    done = runner.run(pull)

    assert done.returncode == 1, done.stderr
    (comment,) = runner.github.comments(pull)
    assert "no-go" in comment.body.splitlines()[0].lower()
    assert comment.body.rstrip().endswith(f"<!-- gonogo:{pull.number} -->")
    (status,) = runner.github.world.statuses
    assert (status["state"], status["context"], status["sha"]) == ("failure", "gonogo", pull.head_sha)
    assert "verdict=no-go" in runner.output.read_text()
    report = json.loads(Path(runner.output.read_text().split("report=")[1].splitlines()[0]).read_text())
    assert report["verdict"] == "no-go"


def test_the_next_push_edits_the_same_comment_and_passes(runner: Runner) -> None:
    pull = runner.github.pulls.open(runner.repository, UNSAFE, tell=False)
    runner.run(pull)
    runner.github.pulls.push(pull, SAFE, tell=False)

    done = runner.run(pull)

    assert done.returncode == 0, done.stderr
    (comment,) = runner.github.comments(pull)
    assert comment.edits == 1
    assert [s["state"] for s in runner.github.world.statuses] == ["failure", "success"]


def test_a_comment_that_only_wears_our_marker_is_left_alone(runner: Runner) -> None:
    pull = runner.github.pulls.open(runner.repository, SAFE, tell=False)
    runner.github.conversations.comment(pull, f"<!-- gonogo:{pull.number} --> mine", by="mallory", tell=False)

    done = runner.run(pull)

    assert done.returncode == 0, done.stderr
    bodies = [c.body for c in runner.github.world.comments.values()]
    assert len(bodies) == 2
    assert f"<!-- gonogo:{pull.number} --> mine" in bodies


def test_a_comment_that_was_written_although_github_failed_is_not_written_twice(runner: Runner) -> None:
    pull = runner.github.pulls.open(runner.repository, SAFE, tell=False)
    runner.github.faults.add("POST /repos/*/issues/*/comments", faults.bad_gateway(after_commit=True), times=1)

    done = runner.run(pull)

    assert done.returncode == 0, done.stderr
    assert len(runner.github.comments(pull)) == 1


def test_a_token_that_may_only_read_is_a_warning_and_the_verdict_stands(runner: Runner) -> None:
    runner.installation.permissions = {"pull_requests": "read", "metadata": "read"}
    pull = runner.github.pulls.open(runner.repository, UNSAFE, tell=False)

    done = runner.run(pull)

    assert done.returncode == 1
    assert "::warning::gonogo: the comment was not written: GitHub answered 403; a fork's token may only read" in done.stdout
    assert "no-go" in runner.summary.read_text().lower()


def test_nothing_of_the_checkout_is_imported_and_the_token_is_not_there_while_it_is_read(runner: Runner) -> None:
    pull = runner.github.pulls.open(runner.repository, SAFE, tell=False)
    trap = "raise SystemExit('the checkout ran')\n"

    done = runner.run(pull, before={"bot/__init__.py": trap, "json.py": trap, "sitecustomize.py": trap}, PYTHONPATH=".")

    assert done.returncode == 0, done.stderr


def test_what_cannot_be_evaluated_is_an_error_status_and_says_why(runner: Runner) -> None:
    pull = runner.github.pulls.open(runner.repository, SAFE, tell=False)

    done = runner.run(pull, GONOGO_ACTION_PRODUCTION="no/such/folder")

    assert done.returncode == 2
    (status,) = runner.github.world.statuses
    assert status["state"] == "error"
    (comment,) = runner.github.comments(pull)
    assert "no such folder" in comment.body
    assert "verdict=could-not-evaluate" in runner.output.read_text()


def test_a_workflow_on_another_event_is_told_what_to_use(runner: Runner) -> None:
    pull = runner.github.pulls.open(runner.repository, SAFE, tell=False)
    other = runner.folder / "push.json"
    other.write_text('{"ref": "refs/heads/main"}')

    done = runner.run(pull, GITHUB_EVENT_PATH=str(other))

    assert done.returncode == 2
    assert "on: pull_request" in done.stderr


@pytest.mark.long
def test_on_a_fresh_runner_it_installs_what_it_needs_and_nothing_more(runner: Runner) -> None:
    pull = runner.github.pulls.open(runner.repository, UNSAFE)
    pins = {name: os.environ[name] for name in os.environ if name.startswith("PIP_")}

    done = runner.run(pull, **{"GONOGO_ACTION_PYTHON": "", "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"} | pins)

    assert done.returncode == 1, done.stderr
    assert "no-go" in runner.summary.read_text()
    (installed,) = runner.summary.parent.glob("gonogo.*/venv")
    assert not list(installed.glob("lib/*/site-packages/torch"))
