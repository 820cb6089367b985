"""Generations: what begins an evaluation, what it ends, and what a repetition does not do."""

import pytest

from bot.storage.app_rows import Because, EvaluationState, Outcome, Result
from bot.storage.app_store import AppStore
from bot.storage.app_testing import (
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


def waiting(store: AppStore) -> list[tuple[str, str]]:
    return [(row.kind.value, row.key) for row in store.outbox_pending()]


def check_of(head: str) -> tuple[str, str]:
    return "check", f"{REPOSITORY_ID}:{a_sha(head)}:gonogo"


def raised(store: AppStore, head: str = "one", **how):
    given = {"base_ref": "main", "base_sha": a_sha("base"), "trigger": "synchronize"} | how
    return store.raise_generation(PR, head_sha=a_sha(head), **given)


def test_a_new_head_is_the_next_generation_and_its_job_carries_it(store):
    a_pull_request(store)

    first, second = raised(store, "one"), raised(store, "two")

    assert (first.evaluation.job_id, second.evaluation.job_id) == ("pr:1001:1", "pr:1001:2")
    assert store.pull_request(PR).generation == 2
    assert (second.evaluation.state, second.evaluation.repository_id, second.evaluation.number) == ("queued", REPOSITORY_ID, 1)


def test_a_new_head_cancels_whatever_has_not_ended(store):
    old = a_running_evaluation(store, PR, head="one")

    raised(store, "two")

    cancelled = store.evaluation(old.id)
    assert (cancelled.state, cancelled.outcome, cancelled.cancelled_because) == ("cancelled", "cancelled", "superseded")
    assert not store.heartbeat(old.id, "worker", TTL)
    assert not store.is_current(old.id)
    assert not store.conclude(old.id, "worker", Result(Outcome.GO))


def test_a_verdict_that_was_reached_before_stays(store):
    old = a_concluded_evaluation(store, PR, head="one", outcome=Outcome.NO_GO)

    raised(store, "two")

    assert store.evaluation(old.id).outcome is Outcome.NO_GO
    assert not store.is_current(old.id)


def test_the_check_of_the_head_that_was_left_is_asked_for_once_it_had_started(store):
    a_running_evaluation(store, PR, head="one")

    raised(store, "two")

    assert waiting(store) == [check_of("one")]
    assert store.outbox_pending()[0].is_current is False


def test_a_storm_of_pushes_leaves_no_check_on_heads_that_nobody_started(store):
    a_pull_request(store)
    for n in range(20):
        raised(store, f"head{n}")

    assert waiting(store) == []
    assert store.unconcluded() == 1


def test_the_check_of_the_same_head_is_left_to_the_new_generation(store):
    a_running_evaluation(store, PR, head="one")

    raised(store, "one", trigger="rerequested")

    assert waiting(store) == []


def test_a_head_with_a_check_in_progress_is_closed_even_if_no_worker_had_it(store):
    a_queued_evaluation(store, PR, head="one")
    store.see_check_run(REPOSITORY_ID, a_sha("one"), "gonogo", check_run_id=5, external_id="gonogo:1001:1", conclusion=None)

    raised(store, "two")

    assert waiting(store) == [check_of("one")]


def test_a_comment_that_waits_is_withdrawn_and_a_check_is_not(store):
    a_concluded_evaluation(store, PR, head="one")
    assert waiting(store) == [check_of("one"), ("comment", "1001")]

    raised(store, "two")

    assert waiting(store) == [check_of("one")]


def test_the_same_event_twice_raises_one_generation(store):
    a_pull_request(store)

    first, again = raised(store, delivery="guid"), raised(store, delivery="guid")

    assert (first.is_new, again.is_new) == (True, False)
    assert first.evaluation == again.evaluation
    assert store.pull_request(PR).generation == 1


def test_two_events_of_which_github_gave_no_name_are_two(store):
    a_pull_request(store)

    assert raised(store).is_new
    assert raised(store).is_new


def test_an_old_event_that_comes_again_does_not_cancel_what_runs_now(store):
    a_pull_request(store)
    raised(store, "one", delivery="first")
    running = raised(store, "two", delivery="second")

    again = raised(store, "one", delivery="first")

    assert again.is_new is False
    assert store.is_current(running.evaluation.id)


@pytest.mark.parametrize("state", ["queued", "running", "concluded"])
def test_a_head_that_is_known_is_not_evaluated_again_unless_asked(store, state):
    make = {"queued": a_queued_evaluation, "running": a_running_evaluation, "concluded": a_concluded_evaluation}[state]
    known = make(store, PR, head="one")

    assert raised(store, "one", unless_known=True).evaluation.id == known.id
    assert raised(store, "one", unless_known=False).is_new


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({"head": "two"}, "another head"),
        ({"base_ref": "release"}, "another base"),
    ],
)
def test_what_differs_is_evaluated(store, how, why):
    a_concluded_evaluation(store, PR, head="one")

    assert raised(store, unless_known=True, **how).is_new, why


def test_a_draft_that_is_ready_is_evaluated_although_its_head_is_known(store):
    a_pull_request(store, PR, is_draft=True)
    draft = raised(store)
    a_pull_request(store, PR, is_draft=False)

    ready = raised(store, unless_known=True)

    assert draft.evaluation.is_draft
    assert ready.is_new
    assert not ready.evaluation.is_draft


@pytest.mark.parametrize(
    ("because", "is_new"),
    [(Because.COMMAND, False), (Because.CLOSED, True), (Because.SUSPENDED, True), (Because.DESTROYED, True)],
)
def test_only_what_somebody_cancelled_on_purpose_stays_cancelled(store, because, is_new):
    a_queued_evaluation(store, PR)
    store.cancel("pr:1001", because, "why")

    assert raised(store, unless_known=True).is_new is is_new


def test_a_pull_request_that_nobody_saw_cannot_be_evaluated(store):
    with pytest.raises(LookupError):
        raised(store)


def test_cancelling_ends_the_run_and_asks_for_its_check(store):
    running = a_running_evaluation(store, PR)

    assert store.cancel("pr:1001", Because.CLOSED, "it was closed") == 1
    assert store.cancel("pr:1001", Because.CLOSED) == 0
    assert store.cancel("pr:77", Because.CLOSED) == 0

    ended = store.evaluation(running.id)
    assert (ended.state, ended.cancelled_because, ended.error) == (EvaluationState.CANCELLED, Because.CLOSED, "it was closed")
    assert waiting(store) == [check_of("one")]
    assert not store.heartbeat(running.id, "worker", TTL)


def test_cancelling_leaves_a_verdict_to_be_published(store):
    concluded = a_concluded_evaluation(store, PR)

    assert store.cancel("pr:1001", Because.CLOSED) == 0

    assert store.evaluation(concluded.id).outcome is Outcome.GO
    assert store.is_current(concluded.id)
    assert len(waiting(store)) == 2


def test_a_merge_group_has_generations_of_its_own(store):
    a_repository(store)
    group = {"head_sha": a_sha("group"), "base_sha": a_sha("base"), "base_ref": "main"}

    first = store.start_group(REPOSITORY_ID, **group, delivery="a")
    again = store.start_group(REPOSITORY_ID, **group, delivery="b")
    rerun = store.start_group(REPOSITORY_ID, **group, trigger="rerequested", delivery="c")

    assert first.evaluation.job_id == f"group:{a_sha('group')}:1"
    assert first.evaluation.pull_request_id is None
    assert (again.is_new, rerun.is_new, rerun.evaluation.generation) == (False, True, 2)
    with pytest.raises(LookupError):
        store.start_group(1, **group)


def test_a_group_that_was_destroyed_is_cancelled_and_writes_no_comment(store):
    a_repository(store)
    group = store.start_group(REPOSITORY_ID, head_sha=a_sha("group"), base_sha=a_sha("base"), base_ref="main").evaluation
    store.claim(group.id, "worker", TTL)

    assert store.cancel(group.subject, Because.DESTROYED) == 1

    assert not store.conclude(group.id, "worker", Result(Outcome.GO))
    assert waiting(store) == [check_of("group")]
