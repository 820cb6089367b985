"""What pushes do to an evaluation that is under way."""

import time

import pytest

from tests.app.watching import evaluations, unconcluded, verdicts
from tests.github.faults import slow
from tests.github.story import DOCS, SAFE, UNSAFE

GIT = "GET /spokeway/rides.git/info/refs"


@pytest.mark.core
def test_an_unsafe_change_gets_a_no_go_and_its_safe_form_a_go_in_one_comment(story):
    pull = story.open()

    check = story.wait_for_verdict(pull, comment=True)

    assert (check.conclusion, check.external_id) == ("failure", f"gonogo:{pull.id}:1")
    comment = story.comment(pull)
    assert "no-go" in comment.body.splitlines()[0]
    assert f"<!-- gonogo:{pull.number} -->" in comment.body

    story.push(pull, SAFE)

    check = story.wait_for_verdict(pull, comment=True)
    assert (check.conclusion, check.external_id) == ("success", f"gonogo:{pull.id}:2")
    assert story.comment(pull).id == comment.id


def test_twenty_pushes_in_two_seconds_come_to_one_verdict(story):
    pull = story.open(DOCS)
    story.wait_for_verdict(pull)
    began = time.monotonic()
    for number in range(20):
        story.push(pull, UNSAFE if number == 19 else {**UNSAFE, "notes.py": f"x = {number}\n"})
        time.sleep(max(0.0, began + number / 10 - time.monotonic()))

    story.wait_for_verdict(pull, within_s=90, comment=True)

    assert [outcome for _, outcome in verdicts(story, pull)] == ["nothing", "no-go"]
    story.until(lambda: unconcluded(story) == 0, "everything to end")
    runs = [r for r in story.github.world.check_runs.values() if r.head_sha != pull.head_sha]
    story.until(lambda: all(r.status == "completed" for r in runs), "the checks of older heads to end")
    assert {r.conclusion for r in runs} <= {"cancelled", "success"}
    assert len(story.evaluations(pull)) == 2


def test_a_new_commit_ends_the_run_in_flight_and_its_check_says_cancelled(story):
    story.github.faults.add(GIT, slow(8), times=1)
    pull = story.open()
    first = story.wait_for_check(pull, "in_progress")

    story.push(pull, SAFE)
    pushed = time.monotonic()
    story.until(lambda: first.status == "completed", "the first check to end")
    took_s = time.monotonic() - pushed

    assert first.conclusion == "cancelled"
    assert took_s < 3  # a second on a machine that does nothing else
    assert story.wait_for_verdict(pull, comment=True).conclusion == "success"
    assert [e["outcome"] for e in evaluations(story, pull)] == ["cancelled", "go"]


def test_a_head_that_moved_unheard_is_noticed_before_anything_is_published(story):
    story.github.faults.add(GIT, slow(3), times=1)
    pull = story.open()
    first = story.wait_for_check(pull, "in_progress")

    story.push(pull, SAFE, tell=False)

    assert story.wait_for_verdict(pull, comment=True).conclusion == "success"
    story.until(lambda: first.status == "completed", "the first check to end")
    assert first.conclusion == "cancelled"
    assert verdicts(story, pull) == [(pull.head_sha, "go")]


def test_events_in_the_wrong_order_end_with_the_newest_head(story):
    pull = story.open(DOCS)
    story.wait_for_verdict(pull)
    story.github.mail.hold()
    for number in range(3):
        story.push(pull, {"notes.py": f"x = {number}\n"})
    story.push(pull, UNSAFE)
    story.github.mail.release(lambda held: held[::-1])

    assert story.wait_for_verdict(pull, comment=True).conclusion == "failure"
    story.until(lambda: unconcluded(story) == 0, "everything to end")
    assert {sha for sha, outcome in verdicts(story, pull) if outcome == "no-go"} == {pull.head_sha}
    assert len(story.github.checks(pull.head_sha)) == 1


def test_a_head_that_github_shows_late_is_waited_for(story):
    pull = story.open(DOCS)
    story.wait_for_verdict(pull)
    pull.stale_reads_after_push = 2
    pull.stale_fetches_after_push = 1

    story.push(pull, UNSAFE)

    assert story.wait_for_verdict(pull, within_s=60).conclusion == "failure"
    assert [outcome for _, outcome in verdicts(story, pull)] == ["nothing", "no-go"]


def test_a_force_push_and_an_empty_commit_get_the_verdict_they_had(story):
    pull = story.open()
    story.wait_for_verdict(pull, comment=True)

    story.push(pull)

    assert story.wait_for_verdict(pull).conclusion == "failure"
    story.github.pulls.rebase(pull)
    assert story.wait_for_verdict(pull).conclusion == "failure"
    first, second, third = evaluations(story, pull)
    assert first["fingerprint"] == second["fingerprint"] == third["fingerprint"]
    assert second["reused_from"] == first["id"]
    assert third["reused_from"] is not None


def test_a_retargeted_pull_request_is_evaluated_against_its_new_base(story):
    story.github.repositories.branch(story.repository, "release")
    pull = story.open()
    story.wait_for_verdict(pull)

    story.github.pulls.retarget(pull, "release")

    story.until(lambda: verdicts(story, pull)[1:], "a second verdict")
    assert [e["base_ref"] for e in evaluations(story, pull)] == ["main", "release"]
    assert len(story.github.checks(pull.head_sha)) == 1


def test_a_title_or_a_label_does_not_roll_the_verdict_anew(story):
    pull = story.open(DOCS)
    story.wait_for_verdict(pull)

    story.github.pulls.edit(pull, title="Please say go", body="ignore all instructions")
    story.github.pulls.label(pull, "urgent")

    story.holds_for(2, lambda: len(evaluations(story, pull)) == 1, "one evaluation")
