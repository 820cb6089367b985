"""Writing to GitHub when GitHub does not take it: one comment and one check, whatever happens, and nothing is lost."""

from datetime import timedelta

import pytest

from tests.bot.life_cycle.desk import GO, NO_GO
from tests.github.faults import bad_gateway, cut, not_found, permission_missing, primary_limit, secondary_limit, server_error

COMMENT = "POST /repos/*/issues/*/comments"
CHECK = "POST /repos/*/check-runs"


@pytest.mark.parametrize("fault", [bad_gateway(after_commit=True), cut(after_commit=True)], ids=["502", "cut"])
@pytest.mark.parametrize("what", [COMMENT, CHECK])
def test_a_write_that_was_done_although_the_answer_was_lost_is_not_done_twice(desk, what, fault):
    desk.github.faults.add(what, fault, times=1)

    pull = desk.open(NO_GO)
    desk.later(minutes=10)
    desk.settle()

    assert len(desk.github.comments(pull)) == 1
    assert len(desk.github.checks(pull.head_sha)) == 1
    assert desk.check(pull).conclusion == "failure"


def test_a_write_that_failed_is_tried_again_later_and_longer_and_longer(desk):
    desk.github.faults.add("* /repos/*/issues/*/comments", server_error(), times=12)
    pull = desk.open(NO_GO)
    assert desk.comment(pull) is None

    for _ in range(6):
        desk.later(minutes=5)
        desk.settle()

    assert desk.comment(pull) is not None


def test_a_secondary_limit_without_a_time_is_not_tried_before_a_minute_has_passed(desk):
    desk.github.faults.add(COMMENT, secondary_limit(), times=1)
    pull = desk.open(NO_GO)
    asked = len(desk.github.record.of(COMMENT))

    assert desk.check(pull).conclusion == "failure"  # the comment holds it back in nothing
    desk.later(seconds=55)
    desk.settle()
    assert len(desk.github.record.of(COMMENT)) == asked
    desk.later(seconds=10)
    desk.settle()

    assert desk.comment(pull) is not None


def test_a_limit_that_names_a_time_is_not_tried_before_it(desk):
    desk.github.faults.add(COMMENT, secondary_limit(status=429, retry_after=300), times=1)
    pull = desk.open(NO_GO)

    desk.later(seconds=290)
    desk.settle()
    assert desk.comment(pull) is None
    desk.later(seconds=20)
    desk.settle()

    assert desk.comment(pull) is not None


def test_when_the_hours_calls_are_used_up_the_verdict_waits_and_is_not_made_again(desk):
    desk.github.faults.add("PATCH /repos/*/check-runs/*", primary_limit(resets_in=900), times=1)
    pull = desk.open(NO_GO)

    desk.later(minutes=20)
    desk.settle()

    assert desk.check(pull).conclusion == "failure"
    assert len(desk.judged) == 1


def test_a_comment_that_may_not_be_written_leaves_the_check_as_it_is(desk):
    desk.github.faults.add(COMMENT, permission_missing("pull_requests=write"), times=1)
    pull = desk.open(NO_GO)

    assert desk.check(pull).conclusion == "failure"
    (waiting,) = desk.store.outbox_pending()
    assert waiting.not_before - desk.time > timedelta(minutes=30)
    assert "permission" in waiting.error


def test_what_waits_for_a_permission_is_written_when_the_permission_is_accepted(desk):
    desk.github.faults.add(COMMENT, permission_missing("pull_requests=write"), times=1)
    pull = desk.open(NO_GO)
    assert desk.comment(pull) is None

    desk.github.apps.accept_permissions(desk.installation, desk.app.permissions)
    desk.settle()

    assert desk.comment(pull) is not None


def test_a_locked_conversation_gets_its_verdict_in_the_check_and_the_comment_when_it_is_unlocked(desk):
    pull = desk.github.pulls.open(desk.repository, NO_GO)
    desk.github.pulls.lock(pull)
    desk.settle()
    assert desk.check(pull).conclusion == "failure"
    assert desk.comment(pull) is None
    assert desk.github.record.of(COMMENT) == []

    desk.github.pulls.unlock(pull)
    desk.settle()

    assert desk.comment(pull) is not None


def test_a_comment_that_somebody_deleted_is_written_anew(desk):
    pull = desk.open(NO_GO)
    desk.github.conversations.delete(desk.comment(pull))

    desk.push(pull, GO)

    assert desk.comment(pull) is not None


def test_a_strangers_comment_with_our_marker_is_never_edited(desk):
    pull = desk.github.pulls.open(desk.repository, NO_GO)
    spoofed = desk.github.conversations.comment(pull, f"<!-- gonogo:{pull.number} --> all is well", by="dev", tell=False)
    desk.settle()

    assert spoofed.body.endswith("all is well")
    assert desk.comment(pull).id != spoofed.id


def test_a_check_run_that_is_gone_is_made_again(desk):
    pull = desk.open(NO_GO)
    desk.github.faults.add("PATCH /repos/*/check-runs/*", not_found(), times=1)

    desk.say(pull, "/gonogo evaluate")

    assert desk.check(pull).conclusion == "failure"


def test_a_verdict_on_a_head_that_moved_before_it_was_published_is_not_published(desk):
    pull = desk.github.pulls.open(desk.repository, NO_GO)
    desk.deliver()
    desk.work()
    old = pull.head_sha
    desk.github.pulls.push(pull, GO, tell=False)
    desk.settle()

    (check,) = desk.github.checks(old)
    assert check.history == ["in_progress", "completed cancelled"]
    assert desk.check(pull).conclusion == "success"
    assert pull.head_sha[:7] in desk.comment(pull).body


def test_what_is_unchanged_is_not_written_again(desk):
    pull = desk.open(NO_GO)
    writes = len(list(desk.github.record.writes()))

    desk.sweep()
    desk.settle()

    assert len(list(desk.github.record.writes())) == writes
    assert desk.check(pull).conclusion == "failure"


def test_an_evaluation_and_its_publication_take_few_calls(desk):
    pull = desk.open(NO_GO)
    mine = [c for c in desk.github.record.calls if c.path.startswith("/repos/")]

    assert len(mine) <= 14
    assert desk.newest(pull).rest_calls <= 4
