"""Workers that are killed, restarted, and outnumbered: nothing is lost, nothing is said twice, nothing stays in progress."""

import time

import pytest

from tests.app.watching import evaluations, pending, unconcluded, verdicts
from tests.github.faults import slow
from tests.github.story import DOCS

GIT = "GET /spokeway/rides.git/info/refs"


def test_a_worker_that_is_killed_in_the_middle_is_replaced_and_there_is_one_comment(story):
    story.github.faults.add(GIT, slow(30), times=1)
    pull = story.open()
    story.wait_for_check(pull, "in_progress")

    story.site.worker.kill()
    story.site.start_worker()

    check = story.wait_for_verdict(pull, within_s=90, comment=True)
    assert check.conclusion == "failure"
    (only,) = evaluations(story, pull)
    assert only["attempt"] == 2
    assert len(story.github.checks(pull.head_sha)) == 1


def test_a_second_worker_takes_over_what_the_first_held(start_story):
    story = start_story(workers=2)
    story.github.faults.add(GIT, slow(60), times=1)
    pull = story.open()
    story.wait_for_check(pull, "in_progress")
    holder = evaluations(story, pull)[0]["lease_owner"]

    next(w for w in story.site.workers if f":{w.pid}:" in holder).kill()

    assert story.wait_for_verdict(pull, within_s=90, comment=True).conclusion == "failure"


def test_a_worker_that_is_killed_while_it_comments_leaves_one_comment(story):
    story.github.faults.add("POST /repos/*/issues/*/comments", slow(4), times=1)
    pull = story.open()
    story.until(lambda: story.github.record.of("POST /repos/*/issues/*/comments"), "the comment to be on its way")

    story.site.worker.kill()
    story.site.start_worker()

    story.wait_for_comment(pull, within_s=90)
    story.until(lambda: not pending(story), "the outbox to be empty", within_s=90)
    assert story.comment(pull) is not None


@pytest.mark.core
def test_a_deployment_of_gonogo_gives_what_is_under_way_to_the_next_worker_at_once(story):
    story.github.faults.add(GIT, slow(60), times=1)
    pull = story.open()
    story.wait_for_check(pull, "in_progress")

    assert story.site.worker.stop() == 0
    assert evaluations(story, pull)[0]["state"] == "queued"
    began = time.monotonic()
    story.site.start_worker()

    assert story.wait_for_verdict(pull, comment=True).conclusion == "failure"
    assert time.monotonic() - began < 40


def test_what_was_judged_and_not_published_is_published_by_the_next_worker(story):
    story.github.faults.add("* /repos/*/check-runs/*", slow(60), times=1)
    pull = story.open()
    story.until(lambda: verdicts(story, pull), "a stored verdict")

    story.site.worker.kill()
    story.github.faults.clear()
    story.site.start_worker()

    assert story.wait_for_verdict(pull, within_s=90, comment=True).conclusion == "failure"
    assert len(evaluations(story, pull)) == 1


def test_webhooks_that_come_while_no_worker_lives_are_handled_by_the_next(story):
    story.site.worker.kill()
    pull = story.open(DOCS)
    story.push(pull, {"notes.py": "x = 1\n"})

    story.site.start_worker()

    story.wait_for_verdict(pull, within_s=60)
    assert unconcluded(story) == 0


def test_an_evaluation_whose_job_is_lost_with_redis_is_found_again(story, redis_url):
    from redis import Redis

    story.github.faults.add(GIT, slow(3), times=1)
    pull = story.open()
    story.wait_for_check(pull, "in_progress")
    story.site.worker.kill()

    with Redis.from_url(redis_url) as redis:
        redis.flushall()
    story.site.start_worker()

    assert story.wait_for_verdict(pull, within_s=90).conclusion == "failure"
