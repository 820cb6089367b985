"""A pull request and one command: `gonogo serve --embedded` beside a loopback GitHub, killed in the middle."""

import os
import signal

from tests.github.fixtures import github, redis_server_url, redis_url, start_story
from tests.github.story import SAFE

__all__ = ["github", "redis_server_url", "redis_url", "start_story"]


def test_a_verdict_comes_from_one_command_and_kill_9_of_all_of_it_loses_nothing(start_story):
    story = start_story(embedded=True, settings={"GONOGO_SWEEP_INTERVAL": "3600"})
    pull = story.open()
    assert story.wait_for_verdict(pull, within_s=120).conclusion == "failure"

    story.push(pull, SAFE)  # its webhook was taken, its evaluation has hardly begun
    os.kill(int((story.site.folder / "data" / "redis" / "redis.pid").read_text()), signal.SIGKILL)
    story.site.web.kill()
    story.site.web.start()

    assert story.wait_for_verdict(pull, within_s=180, comment=True).conclusion == "success"
    assert len(story.github.comments(pull)) == 1
    assert story.site.web.stop() == 0
