"""What people did (acknowledgements, audit), what became of merges, and what pages list."""

import dataclasses
from datetime import timedelta

import sqlalchemy as sa

from bot.storage.app_listing import PlaybookCount
from bot.storage.app_publication_rows import MergeOutcomeRow, PreventedRow
from bot.storage.app_rows import EvaluationFilter, EvaluationState, Outcome, TrajectoryRow
from bot.storage.app_sessions import EndedSessions
from bot.storage.app_tables import ENDED_SESSION
from bot.storage.app_testing import (
    NOON,
    REPOSITORY_ID,
    a_concluded_evaluation,
    a_pull_request,
    a_queued_evaluation,
    a_repository,
    a_sha,
)

PR = 1001
RISK = TrajectoryRow("abcd1234", "lock-on-live-table", "confirmed", "high", "db", "lock_wait", "T", blocks=True)
TOKEN = "ghp_" + "a1B2" * 9


def acknowledged(store, evaluation, **how):
    return store.acknowledge(evaluation.id, **{"trajectory": "abcd1234", "reason": "we know", "login": "ann"} | how)


def test_a_session_that_was_ended_stays_ended_until_it_would_have_run_out_and_is_then_forgotten(database, clock):
    sessions = EndedSessions(database, clock)

    sessions.end("one", lasts=timedelta(hours=8))
    sessions.end("one", lasts=timedelta(hours=8))
    clock.forward(hours=7)
    assert sessions.has_ended("one")
    assert not sessions.has_ended("two")
    clock.forward(hours=2)
    sessions.end("two", lasts=timedelta(hours=8))

    with database.connect() as connection:
        assert list(connection.execute(sa.select(ENDED_SESSION.c.nonce)).scalars()) == ["two"]


def test_a_risk_is_taken_with_a_reason_audited_and_published(store):
    evaluation = a_concluded_evaluation(store, PR, outcome=Outcome.NO_GO, fingerprint="f")
    for row in store.outbox_take("a"):
        store.outbox_done(row)

    given = acknowledged(store, evaluation, reason=f"see {TOKEN}")

    assert (given.login, given.reason, given.head_sha, given.fingerprint) == ("ann", "see [redacted]", a_sha("one"), "f")
    assert store.acknowledgements(PR) == [given]
    [audited] = store.audited(subject="pr:1001")
    assert (audited.login, audited.action, audited.repository_id) == ("ann", "acknowledge", REPOSITORY_ID)
    assert audited.detail["reason"] == "see [redacted]"
    assert [row.kind.value for row in store.outbox_take("a")] == ["check", "comment"]


def test_pressing_the_button_twice_takes_the_risk_once(store):
    evaluation = a_concluded_evaluation(store, PR, outcome=Outcome.NO_GO)

    assert acknowledged(store, evaluation) == acknowledged(store, evaluation, reason="again")
    assert acknowledged(store, evaluation, login="bob").number != acknowledged(store, evaluation).number
    assert len(store.audited(repository_ids=[REPOSITORY_ID])) == 2


def test_a_risk_of_an_older_verdict_cannot_be_taken_any_more(store):
    old = a_concluded_evaluation(store, PR, outcome=Outcome.NO_GO)
    queued = a_queued_evaluation(store, PR, head="two")

    assert acknowledged(store, old) is None
    assert acknowledged(store, queued) is None
    assert store.acknowledge("no such", trajectory="*", reason="r", login="ann") is None


def test_an_acknowledgement_ends_with_the_next_change(store, clock):
    acknowledged(store, a_concluded_evaluation(store, PR, outcome=Outcome.NO_GO, fingerprint="f"))

    a_concluded_evaluation(store, PR, head="two", outcome=Outcome.NO_GO, fingerprint="other")

    assert store.acknowledgements(PR) == []
    [ended] = store.acknowledgements(PR, with_expired=True)
    assert (ended.expired_at, ended.expired_because) == (clock(), "the change is another one")


def test_an_acknowledgement_outlives_a_re_run_and_a_rebase_that_changes_nothing(store):
    acknowledged(store, a_concluded_evaluation(store, PR, outcome=Outcome.NO_GO, fingerprint="f"))

    a_concluded_evaluation(store, PR, outcome=Outcome.NO_GO, fingerprint="production moved")
    assert len(store.acknowledgements(PR)) == 1
    a_concluded_evaluation(store, PR, head="rebased", outcome=Outcome.NO_GO, fingerprint="f")
    assert len(store.acknowledgements(PR)) == 1
    a_concluded_evaluation(store, PR, head="two", outcome=Outcome.COULD_NOT)
    assert store.acknowledgements(PR) == []


def test_all_acknowledgements_can_be_ended(store):
    acknowledged(store, a_concluded_evaluation(store, PR, outcome=Outcome.NO_GO))

    assert (store.expire_acknowledgements(PR, "retargeted"), store.expire_acknowledgements(PR, "again")) == (1, 0)


def test_what_people_do_is_noted_newest_first(store, clock):
    store.audit(login="ann", action="evaluate", subject="pr:1001", detail={"token": TOKEN})
    clock.forward(seconds=1)
    store.audit(login="bob", action="cancel", subject="pr:1002", repository_id=42)

    assert [row.login for row in store.audited()] == ["bob", "ann"]
    assert store.audited(subject="pr:1001")[0].detail == {"token": "[redacted]"}
    assert store.audited(limit=1)[0].login == "bob"


def test_what_became_of_a_merge_is_recorded_once_and_written_further(store):
    merged = MergeOutcomeRow(PR, REPOSITORY_ID, "e1", merged_at=NOON, merge_sha="m")

    assert store.record_merge(merged)
    store.save_merge_outcome(dataclasses.replace(merged, state="done", was_right=True, detail={"cpu": {"forecast": 3}}))
    assert not store.record_merge(merged)

    row = store.merge_outcome(PR)
    assert (row.state, row.was_right, row.detail) == ("done", True, {"cpu": {"forecast": 3}})
    assert store.merge_outcomes(states=["waiting"]) == []
    assert store.merge_outcomes(states=["done"], repository_ids=[REPOSITORY_ID], since=NOON) == [row]
    assert store.merge_outcomes(since=NOON + timedelta(seconds=1)) == []
    assert store.merge_outcome(2) is None


def test_a_prevented_incident_counts_once_a_pull_request(store):
    row = PreventedRow(PR, 7, REPOSITORY_ID, "e1", "e2", NOON, {"title": "T"}, {"file": "a.sql"})

    store.save_prevented(row)
    store.save_prevented(row)

    assert store.prevented() == [row]
    assert store.prevented(installation_id=7, repository_ids=[REPOSITORY_ID], since=NOON) == [row]
    assert store.prevented(installation_id=8) == []


def test_evaluations_are_listed_by_pages_that_miss_and_repeat_nothing(store, clock):
    for n in range(7):
        a_concluded_evaluation(store, 1001 + n)
        if n % 3 == 2:
            clock.forward(seconds=1)

    pages, after = [], None
    while page := store.evaluations_of(EvaluationFilter(limit=2, after=after)):
        pages += page
        after = (page[-1].created_at, page[-1].id)

    assert len({row.id for row in pages}) == len(pages) == 7
    assert [row.created_at for row in pages] == sorted((row.created_at for row in pages), reverse=True)


def test_evaluations_are_found_by_what_is_asked_for(store, clock):
    go = a_concluded_evaluation(store, 1001, head="a")
    clock.forward(minutes=1)
    no_go = a_concluded_evaluation(store, 1002, head="b", outcome=Outcome.NO_GO)
    queued = a_queued_evaluation(store, 1003, head="c")

    def found(**how):
        return {row.id for row in store.evaluations_of(EvaluationFilter(**how))}

    assert found(outcomes=(Outcome.NO_GO, Outcome.COULD_NOT)) == {no_go.id}
    assert found(states=(EvaluationState.QUEUED,)) == {queued.id}
    assert found(number=1) == found(pull_request_id=1001) == found(head_sha=a_sha("a")) == {go.id}
    assert found(since=clock()) == {no_go.id, queued.id}
    assert found(until=clock()) == {go.id}
    assert found(repository_ids=(1,)) == found(repository_ids=()) == found(installation_id=8) == set()
    assert len(found(repository_ids=(1, 42), installation_id=7)) == 3
    assert store.evaluation("no such") is None
    assert store.newest("pr:1002").id == no_go.id
    assert store.newest("pr:77") is None


def test_the_check_of_a_commit_rests_on_what_is_open_and_newest(store):
    a_concluded_evaluation(store, 1001, head="same", outcome=Outcome.NO_GO)
    newest = a_concluded_evaluation(store, 1001, head="same", outcome=Outcome.GO)
    other = a_concluded_evaluation(store, 1002, head="same")

    def rests_on():
        return [row.id for row in store.worst_of(REPOSITORY_ID, a_sha("same"))]

    assert rests_on() == [newest.id, other.id]
    a_pull_request(store, 1002, head="same", state="closed")
    assert rests_on() == [newest.id]
    a_pull_request(store, 1001, head="same", state="closed")
    assert rests_on() == [newest.id, other.id]
    a_queued_evaluation(store, 1001, head="two")
    a_queued_evaluation(store, 1002, head="two")
    assert rests_on() == []


def test_a_merge_group_is_among_what_a_check_rests_on(store):
    a_repository(store)
    group = store.start_group(REPOSITORY_ID, head_sha=a_sha("g"), base_sha=a_sha("b"), base_ref="main").evaluation

    assert [row.id for row in store.worst_of(REPOSITORY_ID, a_sha("g"))] == [group.id]


def test_what_waits_for_a_live_gate_is_found_until_it_is_evaluated_again(store):
    gated = a_concluded_evaluation(store, 1001, outcome=Outcome.NO_GO, is_gated=True)
    a_concluded_evaluation(store, 1002, outcome=Outcome.NO_GO)
    closed = a_concluded_evaluation(store, 1003, outcome=Outcome.NO_GO, is_gated=True)
    a_pull_request(store, 1003, state="closed")

    assert [row.id for row in store.gated()] == [gated.id]
    assert closed.is_gated
    a_queued_evaluation(store, 1001)
    assert store.gated() == []


def test_outcomes_and_overrides_are_counted(store):
    first = a_concluded_evaluation(store, 1001, outcome=Outcome.NO_GO, trajectories=(RISK,))
    a_concluded_evaluation(store, 1002, outcome=Outcome.NO_GO, trajectories=(RISK,))
    a_concluded_evaluation(store, 1003, trajectories=(dataclasses.replace(RISK, status="refuted", blocks=False),))
    a_queued_evaluation(store, 1004)
    acknowledged(store, first)
    acknowledged(store, first, trajectory="*", login="bob")

    assert store.playbook_counts([REPOSITORY_ID], since=NOON) == [PlaybookCount("lock-on-live-table", 2, 1)]
    assert store.playbook_counts([1], since=NOON) == []
    assert store.outcome_counts() == {
        Outcome.GO: 1, Outcome.NO_GO: 2, Outcome.NOTHING: 0, Outcome.COULD_NOT: 0, Outcome.CANCELLED: 0,
    }  # fmt: skip


def test_the_database_has_the_clock_when_nobody_brings_one(database):
    from datetime import UTC, datetime

    from bot.storage.app_store import AppStore

    assert abs(AppStore(database).now() - datetime.now(UTC)) < timedelta(seconds=5)
