"""The outbox: what has to be written to GitHub is written once, one write at a time to each place, when GitHub lets us."""

from datetime import timedelta

import pytest

from bot.storage.app_outbox import LEASE
from bot.storage.app_publication_rows import OutboxKind
from bot.storage.app_testing import (
    INSTALLATION_ID,
    NOON,
    a_concluded_evaluation,
    a_pull_request,
    a_queued_evaluation,
    a_repository,
    a_running_evaluation,
    a_sha,
)

PR = 1001


def kinds(rows):
    return [row.kind.value for row in rows]


def test_what_is_taken_is_not_taken_again_until_its_lease_ends(store, clock):
    a_concluded_evaluation(store, PR)

    taken = store.outbox_take("a")

    assert kinds(taken) == ["check", "comment"]
    assert store.outbox_take("b") == []
    clock.forward(seconds=LEASE.total_seconds())
    again = store.outbox_take("b")
    assert [(row.number, row.attempts) for row in again] == [(row.number, 2) for row in taken]
    assert not store.outbox_done(taken[0])
    assert store.outbox_done(again[0])


def test_what_was_written_is_not_written_again(store, clock):
    a_concluded_evaluation(store, PR)
    for row in store.outbox_take("a"):
        assert store.outbox_done(row)
        assert not store.outbox_done(row)
    clock.forward(days=1)

    assert store.outbox_take("a") == []
    assert store.outbox_pending() == []


def test_what_was_asked_for_while_it_was_written_is_written_after_it(store):
    evaluation = a_concluded_evaluation(store, PR)
    [check, comment] = store.outbox_take("a")
    store.ask_check(evaluation)

    assert store.outbox_take("b") == [], "never two writers to one place"
    assert not store.outbox_done(check), "the newer request is not answered by the older write"
    assert store.outbox_done(comment)

    [again] = store.outbox_take("b")
    assert (again.number, again.revision, again.attempts) == (check.number, 2, 1)
    assert store.outbox_done(again)
    assert store.outbox_take("b") == []


def test_what_is_dropped_while_it_is_asked_for_anew_is_kept(store):
    evaluation = a_concluded_evaluation(store, PR)
    [check, comment] = store.outbox_take("a")
    store.ask_comment(evaluation)

    assert store.outbox_drop(check, "superseded")
    assert not store.outbox_drop(comment, "superseded")

    assert kinds(store.outbox_take("b")) == ["comment"]


def test_asking_twice_is_writing_once(store):
    evaluation = a_concluded_evaluation(store, PR)
    store.ask_check(evaluation)
    store.ask_comment(evaluation)

    assert kinds(store.outbox_take("a")) == ["check", "comment"]


def test_what_github_puts_off_is_put_off_and_not_the_rest(store, clock):
    a_concluded_evaluation(store, PR)
    check, comment = store.outbox_take("a")

    assert store.outbox_later(check, NOON + timedelta(seconds=60), "secondary limit for token ghp_" + "a1B2" * 9)
    assert not store.outbox_later(check, NOON, "the lease is given back")
    store.outbox_done(comment)

    assert store.outbox_take("a") == []
    clock.forward(seconds=60)
    [row] = store.outbox_take("a")
    assert (row.attempts, row.error) == (2, "secondary limit for token [redacted]")


def test_an_installation_that_is_held_gets_nothing_until_then_and_others_do(store, clock):
    a_concluded_evaluation(store, PR)
    a_repository(store, 43, installation_id=8)
    a_pull_request(store, 1002, repository_id=43)
    a_concluded_evaluation(store, 1002)

    store.hold_installation(INSTALLATION_ID, NOON + timedelta(minutes=1))
    store.hold_installation(INSTALLATION_ID, NOON + timedelta(seconds=5))

    assert {row.installation_id for row in store.outbox_take("a")} == {8}
    clock.forward(minutes=1)
    assert {row.installation_id for row in store.outbox_take("a")} == {INSTALLATION_ID, 8}


def test_the_longest_due_comes_first_and_no_more_than_was_asked_for(store, clock):
    for pull_request_id in (1001, 1002, 1003):
        a_concluded_evaluation(store, pull_request_id, head=f"h{pull_request_id}")
        clock.forward(seconds=1)

    first, second = store.outbox_take("a", limit=2), store.outbox_take("a", limit=10)

    assert [row.subject for row in first] == ["pr:1001", "pr:1001"]
    assert [row.subject for row in second] == ["pr:1002", "pr:1002", "pr:1003", "pr:1003"]


def test_a_row_says_whether_its_generation_is_the_newest(store):
    a_concluded_evaluation(store, PR, head="one")
    assert all(row.is_current for row in store.outbox_pending())

    a_queued_evaluation(store, PR, head="two")

    assert [row.is_current for row in store.outbox_pending()] == [False]


def test_two_pull_requests_with_one_head_share_one_write_of_its_check(store):
    a_concluded_evaluation(store, 1001, head="same")
    a_concluded_evaluation(store, 1002, head="same")

    assert [(row.kind.value, row.subject) for row in store.outbox_take("a")] == [
        ("check", "pr:1002"), ("comment", "pr:1001"), ("comment", "pr:1002"),
    ]  # fmt: skip
    assert [row.number for row in store.worst_of(42, a_sha("same"))] == [1, 2]


@pytest.mark.parametrize("kind", [OutboxKind.REPLY, OutboxKind.REACTION])
def test_an_answer_to_a_command_is_written_whatever_generation_begins(store, kind):
    running = a_running_evaluation(store, PR)
    where = {"subject": running.subject, "repository_id": 42, "installation_id": INSTALLATION_ID}
    for _ in range(2):
        store.ask_answer(kind, "900", {"body": "as you wish, ghp_" + "a1B2" * 9}, **where)
    a_queued_evaluation(store, PR, head="two")

    [row] = [row for row in store.outbox_take("a") if row.kind is kind]

    assert (row.key, row.payload) == ("900", {"body": "as you wish, [redacted]"})


def test_a_merge_group_never_gets_a_comment(store):
    a_repository(store)
    group = store.start_group(42, head_sha=a_sha("g"), base_sha=a_sha("b"), base_ref="main").evaluation

    store.ask_comment(group)

    assert store.outbox_pending() == []
    assert store.outbox_pending(subject=group.subject) == []
