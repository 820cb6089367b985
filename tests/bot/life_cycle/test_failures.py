"""When a step fails: tried again, given up with an answer, or dropped; never in progress for ever."""

import asyncio
from datetime import timedelta
from threading import current_thread, main_thread

import pytest
from redis.exceptions import ConnectionError  # noqa: A004  Redis' own
from sqlalchemy.exc import OperationalError

from bot.jobs.child import ChildFailed
from bot.jobs.evaluate import GIVEN_UP_AFTER, evaluate
from bot.jobs.failing import MAX_ATTEMPTS
from bot.jobs.judge import result_of
from bot.jobs.recover import requeue_lost
from bot.storage.app_rows import EvaluationState, Outcome
from gonogo.errors import StageFailed
from tests.bot.life_cycle.desk import GO, NO_GO
from tests.github.faults import bad_gateway, not_found, permission_missing, primary_limit

GET_PULL = "GET /repos/*/pulls/*"


def judge_with(desk, error):
    async def fail(_job):
        raise error

    desk.judging = fail


def test_a_process_that_crashed_is_said_to_have_crashed(desk):
    judge_with(desk, ChildFailed("the evaluating process was ended by SIGSEGV"))

    pull = desk.open(NO_GO)

    check = desk.check(pull)
    assert check.conclusion == "neutral"
    assert "SIGSEGV" in str(check.output)
    assert len(desk.judged) == 1


def test_a_fault_of_our_own_says_so_without_its_insides(desk):
    judge_with(desk, KeyError("a secret value"))

    pull = desk.open(NO_GO)

    assert "a fault of gonogo (KeyError)" in desk.newest(pull).error
    assert "a secret value" not in str(desk.check(pull).output)


def test_a_stage_that_failed_is_named(desk):
    judge_with(desk, StageFailed("changes", "the disk is full", "make room"))

    assert "the disk is full" in desk.newest(desk.open(NO_GO)).error


def test_an_unreachable_github_is_waited_for(desk):
    pull = desk.github.pulls.open(desk.repository, NO_GO)
    desk.deliver()
    desk.github.faults.add(GET_PULL, bad_gateway(after_commit=False), times=3)
    desk.work()
    assert desk.newest(pull).state is EvaluationState.RUNNING

    desk.recover()
    assert not desk.queue.jobs
    desk.later(seconds=6)
    desk.recover()
    desk.settle()

    assert desk.check(pull).conclusion == "failure"
    assert desk.newest(pull).attempt == 2


@pytest.mark.parametrize(
    "error", [OperationalError("SELECT 1", {"id": "a secret"}, Exception("closed")), ConnectionError("redis")]
)
def test_a_store_that_is_away_for_a_moment_costs_another_attempt_and_no_verdict(desk, error):
    left = [error]

    async def fail_once(_job):
        if left:
            raise left.pop()

    desk.judging = fail_once
    pull = desk.github.pulls.open(desk.repository, NO_GO)
    desk.deliver()
    desk.work()
    assert desk.newest(pull).state is EvaluationState.RUNNING

    desk.later(seconds=30)
    desk.recover()
    desk.settle()

    assert desk.check(pull).conclusion == "failure"
    assert "a secret" not in str(desk.check(pull).output)


def test_the_lease_is_kept_while_a_large_report_is_written(desk, monkeypatch):
    """Its texts are looked through for secrets, which takes seconds: not in the loop that keeps the lease."""
    where = []

    def slow(child):
        where.append(current_thread() is main_thread())
        return result_of(child)

    monkeypatch.setattr("bot.jobs.judge.result_of", slow)

    assert desk.check(desk.open(NO_GO)).conclusion == "failure"
    assert where == [False]


def test_what_never_answers_ends_as_could_not_evaluate(desk):
    pull = desk.github.pulls.open(desk.repository, NO_GO)
    desk.deliver()
    desk.github.faults.add(GET_PULL, bad_gateway(after_commit=False), times=1000)
    for _ in range(MAX_ATTEMPTS + 1):
        desk.work()
        desk.later(minutes=3)
        desk.recover()
    assert desk.newest(pull).outcome is Outcome.COULD_NOT

    desk.github.faults.clear()
    desk.later(minutes=10)
    desk.settle()

    assert desk.check(pull).conclusion == "neutral"


def test_used_up_calls_are_waited_out(desk):
    pull = desk.github.pulls.open(desk.repository, NO_GO)
    desk.deliver()
    desk.github.faults.add(GET_PULL, primary_limit(resets_in=1800), times=1)
    desk.work()
    desk.later(minutes=20)
    desk.recover()
    assert not desk.queue.jobs

    desk.later(minutes=11)
    desk.recover()
    desk.settle()

    assert desk.check(pull).conclusion == "failure"


def test_a_lease_that_ended_is_taken_over_and_its_first_holder_writes_nothing(desk):
    async def outlive(_job):
        desk.later(seconds=20)
        row = desk.newest(pull)
        taken = desk.store.claim(row.id, "another worker", timedelta(seconds=15))
        assert taken is not None
        await asyncio.sleep(6)

    pull = desk.github.pulls.open(desk.repository, NO_GO)
    desk.deliver()
    desk.judging = outlive
    desk.work()

    row = desk.newest(pull)
    assert (row.state, row.lease_owner) == (EvaluationState.RUNNING, "another worker")


def test_a_worker_that_ends_gives_back_what_it_was_doing(desk):
    pull = desk.github.pulls.open(desk.repository, NO_GO)
    desk.deliver()

    begun = asyncio.Event()

    async def for_ever(_job):
        begun.set()
        await asyncio.sleep(3600)

    async def end_it():
        task = asyncio.create_task(evaluate(desk.ports, desk.newest(pull).id))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    desk.judging = for_ever
    desk.run(end_it())

    assert desk.newest(pull).state is EvaluationState.QUEUED
    desk.judging = None
    desk.queue.jobs.clear()
    desk.later(seconds=30)
    desk.run(requeue_lost(desk.ports))
    desk.settle()
    assert desk.check(pull).conclusion == "failure"


def test_base_and_head_without_a_common_history_are_said_to_have_none(desk):
    git = desk.repository.git
    tree = git.tree_of(desk.github.repositories.tip(desk.repository))
    alone = git.git("commit-tree", tree, "-m", "an orphan").decode().strip()
    pull = desk.github.pulls.open(desk.repository, head_sha=alone)
    desk.settle()

    assert desk.newest(pull).outcome is Outcome.COULD_NOT
    assert "no common history" in desk.newest(pull).error


def test_an_evaluation_of_a_head_that_is_gone_is_begun_anew_with_the_one_that_is_there(desk):
    pull = desk.open(GO)
    seen = desk.store.pull_request(pull.id)
    raised = desk.store.raise_generation(
        pull.id, head_sha="f" * 40, base_ref=seen.base_ref, base_sha=seen.base_sha, trigger="synchronize", before_sha="e" * 40
    )
    desk.run(evaluate(desk.ports, raised.evaluation.id))
    desk.settle()

    assert desk.newest(pull).head_sha == pull.head_sha
    assert desk.newest(pull).outcome is Outcome.GO


def test_a_crash_in_a_repository_that_fails_closed_blocks(desk):
    desk.github.repositories.push(desk.repository, "main", {".github/gonogo.yml": "on_error: closed\n"})
    judge_with(desk, ChildFailed("the evaluating process was ended by SIGKILL"))

    pull = desk.open(NO_GO)

    assert desk.check(pull).conclusion == "action_required"


def test_code_that_can_not_be_fetched_is_judged_by_the_settings_that_were_known(desk):
    desk.github.repositories.push(desk.repository, "main", {".github/gonogo.yml": "on_error: closed\n"})
    desk.open(GO)
    desk.run(desk.ports.mirrors.discard(desk.repository.id))
    desk.github.faults.add("GET /acme/shop.git/*", permission_missing("contents=read"), times=100)

    pull = desk.open(NO_GO)

    assert desk.check(pull).conclusion == "action_required"
    assert "contents" in desk.newest(pull).error


def test_what_ends_its_worker_every_time_is_given_up(desk):
    pull = desk.github.pulls.open(desk.repository, NO_GO)
    desk.deliver()
    row = desk.newest(pull)
    for attempt in range(GIVEN_UP_AFTER):
        assert desk.store.claim(row.id, f"killed-{attempt}", timedelta(seconds=15))
        desk.later(seconds=20)

    desk.recover()
    desk.settle()

    assert desk.newest(pull).outcome is Outcome.COULD_NOT
    assert "16 times" in desk.newest(pull).error
    assert desk.judged == []


def test_a_write_to_a_commit_that_is_gone_is_given_up(desk):
    desk.github.faults.add("GET /repos/*/commits/*/check-runs", not_found(), times=1000)
    desk.open(NO_GO)

    for _ in range(12):
        desk.later(minutes=6)
        desk.settle()

    assert all(row.kind != "check" for row in desk.store.outbox_pending())
