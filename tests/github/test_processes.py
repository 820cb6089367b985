"""Tests can start gonogo's own processes, kill them, and read what they said."""

import os
from collections.abc import Callable, Generator
from pathlib import Path

import httpx
import pytest

from tests.github import faults
from tests.github.fixtures import fresh_postgres_url, postgres_server_url
from tests.github.processes import Process, Site, free_port
from tests.github.server import FakeGitHub
from tests.github.story import DOCS, SAFE, Story

__all__ = ["fresh_postgres_url", "postgres_server_url"]


@pytest.fixture
def process(tmp_path: Path) -> Generator[Process]:
    made = Process("version", ("--version",), dict(os.environ), tmp_path)
    yield made
    made.end()


def test_a_process_says_how_it_ended_and_what_it_printed(process: Process) -> None:
    process.start()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)

    assert (process.exit_status, process.is_running) == (0, False)
    assert process.log().startswith("gonogo ")


def test_a_site_that_cannot_start_says_why_at_once(tmp_path: Path, github: FakeGitHub) -> None:
    app = github.apps.register()
    site = Site(
        tmp_path / "site", github, app, redis_url="redis://127.0.0.1:1/0", port=free_port(), settings={"GONOGO_STEPS": "many"}
    )

    with pytest.raises(AssertionError, match=r"(?s)serve ended with 2.*GONOGO_STEPS"):
        site.start(workers=0)
    site.end()


@pytest.mark.slow
def test_a_story_goes_from_a_push_to_its_verdict(story: Story) -> None:
    pull = story.open(DOCS)
    first = story.wait_for_verdict(pull)
    story.push(pull, SAFE)
    second = story.wait_for_verdict(pull, comment=True)

    assert (first.head_sha != second.head_sha, second.history[-1].split()[0]) == (True, "completed")
    assert story.comment(pull) is not None
    assert story.evaluations(pull) == [first.head_sha, second.head_sha]
    assert httpx.get(f"{story.site.url}/healthz", verify=False).status_code == 200


@pytest.mark.slow
def test_processes_are_killed_and_others_take_their_place_on_postgresql(
    start_story: Callable[..., Story], fresh_postgres_url: str
) -> None:
    story = start_story(database_url=fresh_postgres_url)
    story.github.faults.add("POST /spokeway/rides.git/git-upload-pack", faults.hang())
    story.open(DOCS)
    story.until(lambda: bool(story.github.record.of("POST /spokeway/rides.git/*")), "the worker to fetch")
    story.site.worker.kill()
    story.github.faults.clear()
    assert story.site.worker.exit_status == -9

    story.site.start_worker()
    other = story.site.start_another_web(GONOGO_DATA_DIR=str(story.site.folder / "elsewhere"))
    story.app.webhook_url = f"{other}/webhooks/github"
    second = story.open(DOCS)

    assert story.wait_for_verdict(second, within_s=60).status == "completed"
    assert story.site.web.stop() == 0


@pytest.mark.slow
def test_one_embedded_process_is_a_whole_gonogo(start_story: Callable[..., Story]) -> None:
    story = start_story(embedded=True)

    assert story.wait_for_verdict(story.open(DOCS), within_s=60).status == "completed"
    assert story.site.workers == []


def test_a_wait_that_was_in_vain_tells_what_was_asked_of_github_and_what_was_logged(start_story: Callable[..., Story]) -> None:
    story = start_story(start=False)
    pull = story.open(DOCS)

    with pytest.raises(AssertionError, match=r"(?s)a verdict on #1.*--- deliveries.*--- GitHub was asked.*--- serve"):
        story.wait_for_verdict(pull, within_s=0.1)
