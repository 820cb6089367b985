"""Webhooks that never come, come twice, or come late."""

from tests.app.watching import evaluations, rows, verdicts
from tests.github.story import DOCS


def test_a_lost_webhook_is_made_up_for_by_the_sweep(start_story):
    story = start_story(settings={"GONOGO_SWEEP_INTERVAL": "2"})
    story.github.mail.lose("*", times=50)

    pull = story.open()

    assert story.wait_for_verdict(pull, within_s=60, comment=True).conclusion == "failure"
    assert len(verdicts(story, pull)) == 1


def test_a_worker_sweeps_when_it_starts(start_story):
    story = start_story(start=False)
    pull = story.open(tell=False)

    story.site.start()

    assert story.wait_for_verdict(pull, within_s=60, comment=True).conclusion == "failure"


def test_a_delivery_that_failed_is_asked_for_again_and_one_that_was_taken_is_not(start_story):
    story = start_story(settings={"GONOGO_SWEEP_INTERVAL": "2"})
    pull = story.open(DOCS)
    story.wait_for_verdict(pull)
    story.github.repositories.give(story.repository, "olivia", "write")
    story.github.mail.lose("issue_comment")

    story.github.conversations.comment(pull, "/gonogo evaluate", by="olivia")

    story.until(lambda: len(evaluations(story, pull)) == 2, "the command to be carried out")
    again = story.github.record.of("POST /app/hook/deliveries/*/attempts")
    assert len(again) == 1


def test_a_redelivery_changes_nothing(story):
    pull = story.open()
    story.wait_for_verdict(pull, comment=True)
    opened = next(d for d in story.github.mail.deliveries if (d.event, d.action) == ("pull_request", "opened"))
    writes = len(list(story.github.record.writes()))

    again = story.github.mail.redeliver(opened)

    story.until(lambda: again.status == "OK", "the answer")
    story.holds_for(2, lambda: len(evaluations(story, pull)) == 1, "one evaluation")
    assert len(list(story.github.record.writes())) == writes


def test_a_delivery_that_comes_twice_at_once_is_handled_once(story):
    story.github.mail.duplicate("pull_request.opened")

    pull = story.open()

    story.wait_for_verdict(pull, comment=True)
    assert len(evaluations(story, pull)) == 1


def test_a_close_that_nobody_heard_of_is_noticed_by_the_sweep(start_story):
    story = start_story(settings={"GONOGO_SWEEP_INTERVAL": "2"})
    pull = story.open(DOCS)
    story.wait_for_verdict(pull)
    story.github.mail.lose("*", times=10)

    story.github.pulls.merge(pull)

    state = "SELECT state, merged_at FROM pull_request WHERE id = ?"
    story.until(lambda: rows(story, state, pull.id)[0]["state"] == "closed", "the close to be noticed")
    story.until(lambda: rows(story, "SELECT * FROM merge_outcome"), "the merge to be written down")
    assert [row["pull_request_id"] for row in rows(story, "SELECT * FROM merge_outcome")] == [pull.id]


def test_the_sweep_leaves_alone_what_has_a_verdict(start_story):
    story = start_story(settings={"GONOGO_SWEEP_INTERVAL": "1"})
    pull = story.open(DOCS)
    story.wait_for_verdict(pull)

    story.holds_for(4, lambda: len(evaluations(story, pull)) == 1, "one evaluation")


def test_a_pull_request_on_a_repository_that_was_just_added_is_evaluated(start_story):
    story = start_story()
    other = story.github.repositories.create("spokeway/other", {"app.py": "print(1)\n"})
    story.github.apps.add_repositories(story.installation, story.repository)
    pull = story.github.pulls.open(other, {"README.md": "words\n"}, tell=False)

    story.github.apps.add_repositories(story.installation, other)

    assert story.wait_for_verdict(pull, within_s=60).conclusion == "success"
