"""Installations, repositories, pull requests and check runs: events come in any order, twice, and late."""

from datetime import timedelta

import pytest

from bot.storage.app_rows import Because, Outcome, RepositoryFacts
from bot.storage.app_testing import (
    INSTALLATION_ID,
    NOON,
    REPOSITORY_ID,
    TTL,
    a_concluded_evaluation,
    a_pull_request,
    a_queued_evaluation,
    a_repository,
    a_running_evaluation,
    a_sha,
)

PR = 1001


def test_a_repository_keeps_its_row_when_it_is_renamed_and_transferred(store):
    a_repository(store, owner="acme", name="shop")

    moved = a_repository(store, owner="other", name="store", installation_id=9)

    assert (moved.owner, moved.name, moved.installation_id) == ("other", "store", 9)
    assert store.repository_named("ACME", "shop") is None
    assert store.repository_named("Other", "STORE").id == REPOSITORY_ID
    assert [r.id for r in store.repositories(installation_id=9)] == [REPOSITORY_ID]
    assert [i.id for i in store.installations()] == [INSTALLATION_ID, 9]


def test_a_name_that_another_repository_took_over_is_the_active_one(store):
    a_repository(store, 42, owner="acme", name="shop")
    store.set_repository_state(42, "removed")
    a_repository(store, 43, owner="acme", name="shop")

    assert store.repository_named("acme", "shop").id == 43
    assert store.repository(99) is None


def test_an_event_of_a_repository_does_not_wake_what_was_suspended_or_removed(store):
    a_repository(store)
    store.set_installation_state(INSTALLATION_ID, "suspended")
    store.set_repository_state(REPOSITORY_ID, "archived")

    a_repository(store)

    assert store.installation(INSTALLATION_ID).state == "suspended"
    assert store.repository(REPOSITORY_ID).state == "archived"
    assert store.repositories() == []
    woken = store.upsert_repository(RepositoryFacts(REPOSITORY_ID, INSTALLATION_ID, "acme", "shop"), state="active")
    assert woken.state == "active"


def test_permissions_are_kept_until_they_are_told_again(store):
    store.upsert_installation(7, account="acme", permissions={"checks": "write"})

    assert store.upsert_installation(7, account="acme").permissions == {"checks": "write"}
    assert store.upsert_installation(7, account="acme", permissions={"checks": "read"}).permissions == {"checks": "read"}
    assert store.installation(8) is None


@pytest.mark.parametrize("state", ["suspended", "deleted"])
def test_a_suspended_installation_loses_its_runs_and_keeps_what_is_to_be_written(store, state):
    running = a_running_evaluation(store, PR)
    a_concluded_evaluation(store, 1002)

    assert store.set_installation_state(INSTALLATION_ID, state) == 1

    assert store.evaluation(running.id).cancelled_because is Because.SUSPENDED
    assert store.outbox_take("a") == []
    store.set_installation_state(INSTALLATION_ID, "active")
    assert len(store.outbox_take("a")) == (2 if state == "suspended" else 0)
    assert [p.id for p in store.open_pull_requests_without_verdict()] == [PR]


def test_an_installation_event_that_says_suspended_does_the_same(store):
    a_running_evaluation(store, PR)

    store.upsert_installation(INSTALLATION_ID, account="acme", state="suspended")

    assert store.unconcluded() == 0


@pytest.mark.parametrize("state", ["archived", "removed"])
def test_a_repository_that_is_gone_has_nothing_to_do_and_nothing_to_write(store, state):
    a_concluded_evaluation(store, 1002)
    a_queued_evaluation(store, PR)

    assert store.set_repository_state(REPOSITORY_ID, state) == 1
    assert store.outbox_pending() == []
    assert store.open_pull_requests_without_verdict() == []
    assert store.set_repository_state(REPOSITORY_ID, "active") == 0


def test_an_older_reading_of_a_pull_request_changes_nothing(store):
    a_pull_request(store, PR, head="new", updated_at=NOON)

    seen = a_pull_request(store, PR, head="old", updated_at=NOON - timedelta(seconds=1))

    assert seen.head_sha == a_sha("new")
    assert a_pull_request(store, PR, head="newer", updated_at=NOON).head_sha == a_sha("newer")


def test_a_merge_is_never_undone_by_an_event_of_the_same_second(store):
    a_pull_request(store, PR, state="closed", merged_at=NOON, merge_sha=a_sha("merge"), updated_at=NOON)

    seen = a_pull_request(store, PR, state="open", updated_at=NOON)

    assert (seen.state, seen.merged_at) == ("closed", NOON)
    assert [p.id for p in store.pull_requests_merged_as(REPOSITORY_ID, a_sha("merge"))] == [PR]


def test_our_comment_is_remembered_through_later_events(store):
    a_pull_request(store, PR)
    store.set_comment(PR, 555)

    assert a_pull_request(store, PR, head="two").comment_id == 555
    store.set_comment(PR, None)
    assert store.pull_request(PR).comment_id is None


def test_a_title_is_stored_without_its_secret(store):
    assert a_pull_request(store, PR, title="rotate " + "ghp_" + "a1B2" * 9).title == "rotate [redacted]"


def test_pull_requests_are_found_by_number_and_by_head(store):
    a_pull_request(store, 1001, head="same")
    a_pull_request(store, 1002, head="same")
    a_pull_request(store, 1003, head="same", state="closed")
    a_pull_request(store, 1004, repository_id=43, head="same")

    assert [p.number for p in store.pull_requests_with_head(REPOSITORY_ID, a_sha("same"))] == [1, 2]
    assert [p.number for p in store.open_pull_requests(REPOSITORY_ID)] == [1, 2]
    assert store.pull_request_numbered(REPOSITORY_ID, 2).id == 1002
    assert store.pull_request_numbered(REPOSITORY_ID, 9) is None
    assert store.pull_request(9) is None


def test_the_sweep_finds_what_has_no_verdict_and_nothing_else(store):
    a_concluded_evaluation(store, 1001)
    a_concluded_evaluation(store, 1002, outcome=Outcome.COULD_NOT)
    a_queued_evaluation(store, 1003)
    a_queued_evaluation(store, 1004)
    store.cancel("pr:1004", Because.COMMAND)
    a_pull_request(store, 1005, state="closed")
    assert store.open_pull_requests_without_verdict() == []

    a_pull_request(store, 1006)
    a_pull_request(store, 1001, head="pushed while we were down")
    a_pull_request(store, 1002, base_ref="retargeted while we were down")
    a_queued_evaluation(store, 1007)
    store.cancel("pr:1007", Because.CLOSED)

    assert {p.id for p in store.open_pull_requests_without_verdict()} == {1001, 1002, 1006, 1007}
    assert len(store.open_pull_requests_without_verdict(limit=2)) == 2


def test_the_sweep_finds_a_draft_that_became_ready_while_we_were_down(store):
    a_pull_request(store, PR, is_draft=True)
    a_concluded_evaluation(store, PR)
    assert store.open_pull_requests_without_verdict() == []

    a_pull_request(store, PR, is_draft=False)

    assert [p.id for p in store.open_pull_requests_without_verdict()] == [PR]


def test_a_check_run_is_remembered_by_commit_and_name(store, clock):
    seen = {"check_run_id": 9, "external_id": "gonogo:1001:1"}
    store.see_check_run(REPOSITORY_ID, "sha", "gonogo", **seen, conclusion=None)
    clock.forward(seconds=5)
    store.see_check_run(REPOSITORY_ID, "sha", "gonogo", **seen, conclusion="success")

    row = store.check_run(REPOSITORY_ID, "sha", "gonogo")

    assert (row.check_run_id, row.conclusion, row.published_at) == (9, "success", clock())
    assert store.check_run(REPOSITORY_ID, "sha", "gonogo bench") is None


def test_a_check_that_nobody_will_end_is_found(store, clock):
    evaluation = a_queued_evaluation(store, PR)
    store.claim(evaluation.id, "worker", TTL)
    store.see_check_run(REPOSITORY_ID, evaluation.head_sha, "gonogo", check_run_id=1, external_id="x", conclusion=None)
    clock.forward(minutes=2)

    assert store.forgotten_check_runs(before=clock()) == [], "somebody works on it"
    store.cancel(evaluation.subject, Because.CLOSED)
    assert store.forgotten_check_runs(before=clock()) == [], "its end waits to be written"
    [row] = store.outbox_take("a")
    store.outbox_drop(row, "a bug")
    assert store.forgotten_check_runs(before=NOON) == [], "it is too young"

    assert [c.check_run_id for c in store.forgotten_check_runs(before=clock())] == [1]
