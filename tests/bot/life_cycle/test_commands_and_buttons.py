"""Comment commands and the buttons of the check: of people who may write, and of nobody else."""

import json

import pytest

from bot.jobs.commanding import MOST_REPLIES
from bot.storage.app_rows import Because, EvaluationState
from tests.bot.life_cycle.desk import COULD_NOT, GO, NO_GO


def test_evaluate_begins_a_newer_generation_on_the_same_check(desk):
    pull = desk.open(NO_GO)

    asked = desk.say(pull, "/gonogo evaluate")

    assert desk.newest(pull).generation == 2
    assert desk.check(pull).external_id == f"gonogo:{pull.id}:2"
    assert [content for _, _, content in asked.reactions] == ["eyes"]
    assert desk.store.audited()[0].action == "evaluate"
    assert desk.judged[-1].looks_again


def test_a_comment_of_somebody_who_may_only_read_is_no_command(desk):
    pull = desk.open(NO_GO)

    desk.say(pull, "/gonogo evaluate", by="reader")
    desk.say(pull, "/gonogo cancel", by="nobody-at-all")

    assert desk.newest(pull).generation == 1
    assert desk.replies(pull) == []


def test_an_edited_comment_and_one_of_a_bot_are_no_commands(desk):
    pull = desk.open(NO_GO)
    comment = desk.say(pull, "Looks fine.")
    desk.github.conversations.edit(comment, "/gonogo evaluate")
    other = desk.github.apps.register("other-bot", webhook_url=None)
    desk.github.conversations.comment(pull, "/gonogo evaluate", bot_of=other)
    desk.settle()

    assert desk.newest(pull).generation == 1


def test_cancel_ends_what_is_under_way_and_the_sweep_does_not_begin_it_again(desk):
    pull = desk.github.pulls.open(desk.repository, NO_GO)
    desk.deliver()
    desk.github.conversations.comment(pull, "/gonogo cancel", by="dev")
    desk.deliver()
    desk.settle()
    assert desk.newest(pull).cancelled_because is Because.COMMAND

    desk.sweep()
    desk.settle()

    assert desk.newest(pull).state is EvaluationState.CANCELLED
    assert desk.judged == []


def test_cancel_with_nothing_under_way_is_answered(desk):
    pull = desk.open(NO_GO)

    desk.say(pull, "/gonogo cancel")

    assert "nothing to cancel" in desk.replies(pull)[0]
    assert desk.check(pull).conclusion == "failure"


def test_explain_is_answered_once_with_the_report(desk):
    pull = desk.open(NO_GO)
    asked = desk.github.conversations.comment(pull, "/gonogo explain", by="dev")
    desk.settle()
    desk.github.conversations.tell_comment(asked, "created", asked.author)
    desk.settle()

    (reply,) = desk.replies(pull)
    assert pull.head_sha[:12] in reply
    assert len(desk.github.comments(pull)) == 2


def test_a_command_that_is_not_understood_is_answered_with_those_that_are(desk):
    pull = desk.open(NO_GO)

    desk.say(pull, "/gonogo approve")

    assert "/gonogo ack" in desk.replies(pull)[0]


def test_a_flood_of_commands_gets_a_handful_of_replies_an_hour_and_reactions_beyond_that(desk):
    pull, other = desk.open(NO_GO), desk.open(GO)

    asked = [
        desk.say(pull, text) for text in ("/gonogo approve", "/gonogo explain", "/gonogo ack 12345678 no", "/gonogo cancel") * 3
    ]

    assert len(desk.replies(pull)) == MOST_REPLIES
    assert all([content for _, _, content in one.reactions] == ["confused"] for one in asked[MOST_REPLIES:])
    desk.say(other, "/gonogo explain")
    assert len(desk.replies(other)) == 1

    desk.later(minutes=61)
    desk.say(pull, "/gonogo explain")
    assert len(desk.replies(pull)) == MOST_REPLIES + 1


def test_commands_that_need_no_words_are_obeyed_in_a_flood(desk):
    pull = desk.open(NO_GO)
    for _ in range(MOST_REPLIES + 1):
        desk.say(pull, "/gonogo approve")

    desk.say(pull, "/gonogo ack * we watch it")

    assert desk.check(pull).conclusion == "success"


def test_everything_can_be_acknowledged_with_a_reason_and_the_next_commit_ends_that(desk):
    pull = desk.open(NO_GO)

    desk.say(pull, "/gonogo ack * we watch the queue tonight")

    assert desk.check(pull).conclusion == "success"
    assert "acknowledged" in desk.check(pull).output["title"]
    assert "we watch the queue tonight" in desk.comment(pull).body
    (given,) = desk.store.acknowledgements(pull.id)
    assert (given.login, given.reason) == ("dev", "we watch the queue tonight")

    desk.push(pull, {"app.py": "print('no-go again')\n"})

    assert desk.check(pull).conclusion == "failure"
    assert desk.store.acknowledgements(pull.id) == []


def test_a_risk_that_is_not_there_can_not_be_acknowledged(desk):
    pull = desk.open(NO_GO)
    desk.say(pull, "/gonogo ack 12345678 it is fine")
    assert "`12345678`" in desk.replies(pull)[0]

    safe = desk.open(GO)
    desk.say(safe, "/gonogo ack * it is fine")

    assert "nothing blocks" in desk.replies(safe)[0]
    assert desk.store.acknowledgements(pull.id) == desk.store.acknowledgements(safe.id) == []


def test_what_could_not_be_evaluated_can_be_acknowledged_where_it_blocks(desk):
    desk.github.repositories.push(desk.repository, "main", {".github/gonogo.yml": "on_error: closed\n"})
    pull = desk.open(COULD_NOT)

    desk.say(pull, "/gonogo ack * production is down, we know")

    assert desk.check(pull).conclusion == "neutral"


@pytest.mark.parametrize("again", ["rerequest", "rerequest_suite"])
def test_re_run_evaluates_again(desk, again):
    pull = desk.open(NO_GO)

    getattr(desk.github.conversations, again)(desk.check(pull))
    desk.settle()

    assert desk.newest(pull).generation == 2
    assert desk.check(pull).conclusion == "failure"


def test_the_button_acknowledges_for_those_who_may_write(desk):
    pull = desk.open(NO_GO)
    desk.github.conversations.press(desk.check(pull), "acknowledge", by="reader")
    desk.settle()
    assert desk.check(pull).conclusion == "failure"

    desk.github.conversations.press(desk.check(pull), "acknowledge", by="dev")
    desk.settle()

    assert desk.check(pull).conclusion == "success"
    assert desk.store.audited()[0].action == "acknowledge"


def test_the_button_evaluates_again(desk):
    pull = desk.open(NO_GO)

    desk.github.conversations.press(desk.check(pull), "evaluate", by="dev")
    desk.settle()

    assert desk.newest(pull).generation == 2


@pytest.mark.parametrize("how", ["button", "command"])
def test_a_benchmark_that_nobody_set_up_says_so_and_leaves_the_required_check_alone(desk, how):
    pull = desk.open(NO_GO)

    if how == "button":
        desk.github.conversations.press(desk.check(pull), "benchmark", by="dev")
    else:
        desk.github.conversations.comment(pull, "/gonogo bench", by="dev")
    desk.settle()

    assert desk.check(pull, "gonogo bench").conclusion == "neutral"
    assert desk.check(pull).conclusion == "failure"


def test_check_runs_of_others_are_none_of_our_business(desk):
    pull = desk.open(NO_GO)
    asked = len(desk.github.record.calls)
    body = {
        "action": "rerequested",
        "installation": {"id": desk.installation.id},
        "repository": {"id": desk.repository.id, "full_name": "acme/shop"},
        "check_run": {"id": 1, "name": "gonogo", "head_sha": pull.head_sha, "app": {"id": 12}},
    }

    desk.handle("check_run", "a-guid", json.dumps(body))

    assert desk.newest(pull).generation == 1
    assert len(desk.github.record.calls) == asked


def test_the_button_of_an_older_commit_takes_nothing_that_came_after(desk):
    pull = desk.open(NO_GO)
    older = desk.check(pull)
    desk.github.pulls.push(pull, NO_GO | {"other.py": "print('no-go too')\n"})
    desk.settle()

    desk.github.conversations.press(older, "acknowledge", by="dev")
    desk.settle()

    assert desk.check(pull).conclusion == "failure"


def test_an_acknowledgement_that_arrives_after_a_newer_commit_does_not_hold_for_it(desk):
    pull = desk.open(NO_GO)
    desk.github.conversations.comment(pull, "/gonogo ack * it is night", by="dev")
    (late,) = desk._sent()
    desk.later(minutes=2)
    desk.github.pulls.push(pull, NO_GO | {"other.py": "print('no-go too')\n"})
    desk.settle()

    desk.handle(late.event, late.guid, late.body.decode())
    desk.settle()

    assert desk.check(pull).conclusion == "failure"
    assert "newer change" in desk.replies(pull)[-1]


def test_a_command_that_is_sent_again_under_another_number_is_not_obeyed_again(desk):
    pull = desk.open(NO_GO)
    desk.github.conversations.comment(pull, "/gonogo cancel", by="dev")
    (copied,) = desk._sent()
    desk.handle(copied.event, copied.guid, copied.body.decode())
    desk.github.pulls.push(pull, GO)
    desk.deliver()

    desk.handle(copied.event, "replayed-1", copied.body.decode())
    desk.settle()

    assert desk.check(pull).conclusion == "success"


def test_a_command_to_cancel_that_is_older_than_what_it_would_end_ends_nothing(desk):
    pull = desk.open(NO_GO)
    desk.github.conversations.comment(pull, "/gonogo cancel", by="dev")
    (late,) = desk._sent()
    desk.later(minutes=5)
    desk.github.pulls.push(pull, GO)
    desk.deliver()

    desk.handle(late.event, late.guid, late.body.decode())
    desk.settle()

    assert desk.check(pull).conclusion == "success"
    assert "goes on" in desk.replies(pull)[-1]
