"""Redis and GitHub go away and come back: the worker stays, and what was missed is made up for."""

import shutil
import subprocess
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError

from tests.app.watching import unconcluded, verdicts
from tests.github.faults import bad_gateway
from tests.github.processes import free_port
from tests.github.story import SAFE, a_story


class OwnRedis:
    """A server that the test can end and begin."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        flags = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self._folder)]
        self._process = subprocess.Popen(["redis-server", *flags], stdout=subprocess.DEVNULL)
        with Redis.from_url(self.url) as client:
            for _ in range(500):
                try:
                    client.ping()
                except RedisError:
                    time.sleep(0.02)
                else:
                    return
        raise RuntimeError("redis-server did not start")

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(timeout=10)


@pytest.fixture
def own_redis(tmp_path: Path) -> Generator[OwnRedis]:
    if shutil.which("redis-server") is None:
        pytest.skip("no redis-server; install the package redis-server")
    server = OwnRedis(tmp_path)
    server.begin()
    yield server
    server.end()


@pytest.mark.long
def test_a_redis_that_loses_everything_costs_no_verdict(own_redis, github, tmp_path):
    story = a_story(tmp_path / "site", github, redis_url=own_redis.url, port=free_port(), settings={"GONOGO_SWEEP_INTERVAL": "3"})
    try:
        pull = story.open()
        story.wait_for_check(pull, "in_progress")
        own_redis.end()
        story.push(pull, SAFE)  # answered with 503: GitHub lists it as failed
        time.sleep(3)
        own_redis.begin()

        assert story.wait_for_verdict(pull, within_s=120).conclusion == "success"
        story.until(lambda: unconcluded(story) == 0, "everything to end")
        assert story.site.worker.is_running
        assert [outcome for sha, outcome in verdicts(story, pull) if sha == pull.head_sha] == ["go"]
    finally:
        story.site.end()


def test_a_github_that_is_down_for_a_while_gets_the_verdict_when_it_is_back(story):
    pull = story.open()
    story.wait_for_check(pull, "in_progress")
    story.github.faults.add("* /repos/*", bad_gateway(after_commit=False), times=25)

    assert story.wait_for_verdict(pull, within_s=120, comment=True).conclusion == "failure"
    assert len(verdicts(story, pull)) == 1
