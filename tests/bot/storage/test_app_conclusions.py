"""Leases and conclusions: one worker at a time, one verdict a generation, stored whole and without secrets."""

import json
from datetime import timedelta

import pytest

from bot.storage.app_rows import Because, Documents, Outcome, Result, TrajectoryRow
from bot.storage.app_testing import (
    NOON,
    REPOSITORY_ID,
    TTL,
    a_concluded_evaluation,
    a_queued_evaluation,
    a_repository,
    a_running_evaluation,
    a_sha,
)

PR = 1001


def test_an_evaluation_is_claimed_by_one(store):
    queued = a_queued_evaluation(store, PR)

    mine, theirs = store.claim(queued.id, "a", TTL), store.claim(queued.id, "b", TTL)

    assert (mine.state, mine.attempt, mine.lease_owner, mine.lease_until) == ("running", 1, "a", NOON + TTL)
    assert theirs is None
    assert store.claim("no such", "a", TTL) is None


def test_a_lease_that_is_kept_is_not_taken_and_one_that_ran_out_is(store, clock):
    queued = a_queued_evaluation(store, PR)
    store.claim(queued.id, "a", TTL)
    clock.forward(seconds=14)
    assert store.heartbeat(queued.id, "a", TTL)
    clock.forward(seconds=14)
    assert store.expired_leases() == []
    assert store.claim(queued.id, "b", TTL) is None

    clock.forward(seconds=2)

    assert [row.id for row in store.expired_leases()] == [queued.id]
    taken = store.claim(queued.id, "b", TTL)
    assert (taken.attempt, taken.started_at) == (2, NOON)
    assert not store.heartbeat(queued.id, "a", TTL)
    assert not store.conclude(queued.id, "a", Result(Outcome.GO))
    assert store.conclude(queued.id, "b", Result(Outcome.NO_GO))
    assert store.evaluation(queued.id).outcome is Outcome.NO_GO


def test_a_lease_that_ran_out_and_that_nobody_took_is_still_ours(store, clock):
    queued = a_running_evaluation(store, PR)
    clock.forward(seconds=60)

    assert store.heartbeat(queued.id, "worker", TTL)
    assert store.conclude(queued.id, "worker", Result(Outcome.GO))


def test_a_worker_that_shuts_down_gives_back_what_it_has(store):
    running = a_running_evaluation(store, PR)

    assert store.release(running.id, "worker")

    assert not store.release(running.id, "worker")
    assert store.claim(running.id, "other", TTL).attempt == 2


def test_what_is_evaluated_is_written_once_it_was_read(store):
    running = a_running_evaluation(store, PR, head="one")
    seen = {"head_sha": a_sha("api"), "base_ref": "main", "base_sha": a_sha("moved"), "is_draft": True, "is_fork": True}

    assert store.see_range(running.id, "worker", **seen)
    assert not store.see_range(running.id, "other", **seen)

    row = store.evaluation(running.id)
    assert (row.head_sha, row.base_sha, row.is_draft, row.is_fork) == (a_sha("api"), a_sha("moved"), True, True)
    assert [e.id for e in store.worst_of(REPOSITORY_ID, a_sha("api"))] == [running.id]


def test_what_waits_too_long_for_a_worker_is_found(store, clock):
    queued = a_queued_evaluation(store, PR)
    clock.forward(minutes=5)

    assert [row.id for row in store.waiting(before=NOON + timedelta(minutes=1))] == [queued.id]
    assert store.waiting(before=NOON) == []


def test_a_verdict_is_stored_whole_and_asked_to_be_published(store, clock):
    running = a_running_evaluation(store, PR)
    clock.forward(seconds=30)
    told = Result(
        Outcome.NO_GO, summary="Merging may degrade production.", impact="high", report='{"a": 1}\n', document='{"b": 2}',
        trajectories=(TrajectoryRow("abcd1234", "lock-on-live-table", "confirmed", "high", "db", "lock_wait", "T", ("postgres/x",), blocks=True),),
        fingerprint="f" * 64, policy={"shadow": True}, is_shadow=True, is_gated=True, steps=3, input_tokens=10, output_tokens=5,
        rest_calls=7, cost=0.25,
    )  # fmt: skip

    assert store.conclude(running.id, "worker", told)

    row = store.evaluation(running.id)
    assert (row.state, row.outcome, row.concluded_at, row.judged_at) == ("concluded", "no-go", clock(), clock())
    assert (row.impact, row.fingerprint, row.policy, row.is_shadow, row.is_gated) == (
        "high",
        "f" * 64,
        {"shadow": True},
        True,
        True,
    )
    assert (row.steps, row.input_tokens, row.output_tokens, row.rest_calls, row.cost) == (3, 10, 5, 7, 0.25)
    assert store.documents(running.id) == Documents('{"a": 1}\n', '{"b": 2}')
    assert store.trajectories(running.id) == list(told.trajectories)
    assert [(r.kind.value, r.key, r.evaluation_id, r.is_current) for r in store.outbox_pending()] == [
        ("check", f"{REPOSITORY_ID}:{a_sha('one')}:gonogo", row.id, True),
        ("comment", "1001", row.id, True),
    ]


def test_concluding_again_says_yes_and_writes_nothing(store):
    running = a_running_evaluation(store, PR)
    store.conclude(running.id, "worker", Result(Outcome.GO, summary="first", cost=1))

    assert store.conclude(running.id, "worker", Result(Outcome.NO_GO, summary="second", cost=1))

    assert (store.evaluation(running.id).summary, store.evaluation(running.id).cost) == ("first", 1)


def test_nobody_concludes_what_is_not_claimed_or_not_there(store):
    queued = a_queued_evaluation(store, PR)

    assert not store.conclude(queued.id, "worker", Result(Outcome.GO))
    assert not store.conclude("no such", "worker", Result(Outcome.GO))
    with pytest.raises(ValueError, match="never concluded as cancelled"):
        store.conclude(queued.id, "worker", Result(Outcome.CANCELLED))


def test_what_a_superseded_evaluation_cost_is_counted_once(store):
    running = a_running_evaluation(store, PR)
    store.cancel("pr:1001", Because.COMMAND)

    assert not store.conclude(running.id, "worker", Result(Outcome.NO_GO, report="{}", cost=0.5, input_tokens=9))
    assert not store.conclude(running.id, "worker", Result(Outcome.NO_GO, cost=0.5))

    row = store.evaluation(running.id)
    assert (row.outcome, row.cost, row.input_tokens) == ("cancelled", 0.5, 9)
    assert store.documents(running.id) == Documents(None, None)


def test_money_is_counted_by_pull_request_and_installation_and_day(store, clock):
    a_concluded_evaluation(store, PR, cost=0.5)
    a_concluded_evaluation(store, 1002, cost=0.25)
    killed = a_running_evaluation(store, PR, head="two")
    store.add_spending(killed.id, cost=1.0, input_tokens=5)
    clock.forward(days=1)
    a_concluded_evaluation(store, PR, head="three", cost=8)

    assert store.spent(PR, NOON.date()) == 1.5
    assert store.spent_by_installation(7, NOON.date()) == 1.75
    assert store.spent(PR, clock().date()) == 8
    assert store.spent(5, NOON.date()) == 0


def test_a_merge_group_and_a_silent_verdict_have_no_comment(store):
    a_repository(store)
    group = store.start_group(REPOSITORY_ID, head_sha=a_sha("g"), base_sha=a_sha("b"), base_ref="main").evaluation
    store.claim(group.id, "worker", TTL)
    store.conclude(group.id, "worker", Result(Outcome.GO))
    a_concluded_evaluation(store, PR, outcome=Outcome.NOTHING, has_comment=False)

    assert [row.kind.value for row in store.outbox_pending()] == ["check", "check"]


def test_a_verdict_is_known_for_a_day_from_when_production_was_asked(store, clock):
    first = a_concluded_evaluation(store, PR, fingerprint="same")
    clock.forward(hours=23)
    reused = a_concluded_evaluation(store, PR, head="two", fingerprint="same", reused_from=first.id)
    known = (REPOSITORY_ID, PR, "same")

    assert store.known_fingerprint(*known, clock() - timedelta(hours=24)) == reused.id
    assert reused.judged_at == NOON

    clock.forward(hours=2)

    assert store.known_fingerprint(*known, clock() - timedelta(hours=24)) is None


def test_only_verdicts_of_this_repository_and_pull_request_are_known(store):
    a_concluded_evaluation(store, PR, fingerprint="same", outcome=Outcome.COULD_NOT)
    assert store.known_fingerprint(REPOSITORY_ID, None, "same", NOON) is None

    theirs = a_concluded_evaluation(store, 1002, fingerprint="same")

    assert store.known_fingerprint(REPOSITORY_ID, PR, "same", NOON) is None
    assert store.known_fingerprint(REPOSITORY_ID, None, "same", NOON) == theirs.id
    assert store.known_fingerprint(43, None, "same", NOON) is None
    assert store.known_fingerprint(REPOSITORY_ID, None, "other", NOON) is None


def test_secrets_do_not_reach_the_store(store, database):
    key, token, password = "AKIA" + "QYLPMN5HHHFPZAM2", "ghp_" + "a1B2" * 9, "hunter2-2FzkQ"
    report = {"findings": [{"message": f"key {key}"}], "facts": {"db_password": password, "sha": "a" * 40}, "n": 1.5}
    running = a_running_evaluation(store, PR)

    store.conclude(
        running.id,
        "worker",
        Result(
            Outcome.NO_GO,
            summary=f"token {token}",
            report=json.dumps(report, indent=1) + "\n",
            document=json.dumps(report),
            policy={"accept": [{"reason": f"see {token}"}]},
            policy_error=f"line 3: {key}",
            error=f"git said {token}",
            trajectories=(TrajectoryRow("1", "p", "confirmed", "high", "r", "m", f"title {key}"),),
        ),
    )

    with database.connect() as connection:
        tables = ("evaluation", "evaluation_document", "trajectory", "outbox")
        stored = "".join(str(connection.exec_driver_sql(f"SELECT * FROM {t}").all()) for t in tables)
    assert [secret for secret in (key, token, password) if secret in stored] == []
    clean = json.loads(store.documents(running.id).report)
    assert clean == {
        "findings": [{"message": "key [redacted]"}],
        "facts": {"db_password": "[redacted]", "sha": "a" * 40},
        "n": 1.5,
    }


def test_text_that_a_database_refuses_is_stored_without_what_it_refuses(store):
    running = a_running_evaluation(store, PR)

    assert store.conclude(running.id, "worker", Result(Outcome.GO, summary="a\x00b\ud800c", report='"x\ud83dy"'))

    assert store.evaluation(running.id).summary == "a\ufffdb\ufffdc"
    assert store.documents(running.id).report == '"x\ufffdy"'


def test_lists_do_not_load_documents(store, database):
    import sqlalchemy as sa

    from bot.storage.app_rows import EvaluationFilter

    a_concluded_evaluation(store, PR, report=json.dumps("x" * 500_000), document=json.dumps("y" * 500_000))
    asked: list[str] = []
    sa.event.listen(database, "before_cursor_execute", lambda *a: asked.append(a[2]))

    store.evaluations_of(EvaluationFilter())
    store.worst_of(REPOSITORY_ID, a_sha("one"))

    assert len(asked) == 2
    assert not any("document" in statement for statement in asked)
