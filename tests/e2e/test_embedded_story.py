"""A pull request and one command: `gonogo serve --embedded` beside a loopback GitHub, killed in the middle."""

import os
import signal

import httpx

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


def test_the_check_leads_to_a_page_that_only_who_may_read_the_repository_sees(start_story):
    story = start_story(embedded=True)
    story.github.repositories.give(story.repository, "rita", "read")
    check = story.wait_for_verdict(story.open(), within_s=120)
    assert check.details_url is not None
    assert check.details_url.startswith(f"{story.site.url}/evaluations/")

    seen: dict[str, httpx.Response] = {}
    for who in ("rita", "stranger"):
        story.github.desk.who = who
        with httpx.Client(follow_redirects=True, trust_env=False, timeout=30) as browser:
            seen[who] = browser.get(check.details_url)  # to GitHub, and back signed in

    assert "Merging this pull request may degrade production" in seen["rita"].text
    assert "CREATE INDEX CONCURRENTLY" in seen["rita"].text
    assert seen["stranger"].status_code == 404
    assert "spokeway" not in seen["stranger"].text
