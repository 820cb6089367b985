"""Two hosts at once: whatever they race for, one of them has it, and nothing is left half done."""

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import sqlalchemy as sa

from bot.storage.app_rows import EvaluationFilter, Outcome, Result
from bot.storage.app_store import AppStore
from bot.storage.app_testing import (
    REPOSITORY_ID,
    TTL,
    a_concluded_evaluation,
    a_pull_request,
    a_queued_evaluation,
    a_running_evaluation,
    a_sha,
)
from bot.storage.database import open_database

THREADS = 6


@pytest.fixture
def hosts(database_url: str) -> Generator[list[AppStore]]:
    """Two stores with connections of their own, by the database's clock."""
    engines = [open_database(database_url), open_database(database_url)]
    yield [AppStore(engine) for engine in engines]
    for engine in engines:
        engine.dispose()


def at_once[T](hosts: list[AppStore], act: Callable[[AppStore, int], T], count: int = THREADS) -> list[T]:
    """What each of several threads gets, on both hosts, when all of them begin together."""
    together = Barrier(count)

    def run(n: int) -> T:
        together.wait(30)
        return act(hosts[n % 2], n)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def test_one_of_many_workers_gets_an_evaluation(hosts):
    for n in range(10):
        queued = a_queued_evaluation(hosts[0], 1001 + n)

        claims = at_once(hosts, lambda store, at, queued=queued: store.claim(queued.id, f"worker {at}", TTL))

        assert sum(claim is not None for claim in claims) == 1
        assert hosts[1].evaluation(queued.id).attempt == 1


def test_many_pushes_at_once_are_as_many_generations_of_which_one_lives(hosts):
    a_pull_request(hosts[0], 1001)

    def push(store: AppStore, at: int) -> list[int]:
        return [a_queued_evaluation(store, 1001, head=f"{at}-{n}").generation for n in range(8)]

    generations = sorted(g for some in at_once(hosts, push) for g in some)

    assert generations == list(range(1, THREADS * 8 + 1))
    assert hosts[0].unconcluded() == 1
    assert hosts[0].newest("pr:1001").generation == THREADS * 8


def test_one_event_in_many_hands_raises_one_generation(hosts):
    a_pull_request(hosts[0], 1001)

    raised = at_once(hosts, lambda store, _: a_queued_evaluation(store, 1001, delivery="guid").id)

    assert len(set(raised)) == 1
    assert hosts[0].pull_request(1001).generation == 1


def test_sweeps_of_two_hosts_and_an_event_begin_one_evaluation(hosts):
    a_pull_request(hosts[0], 1001)

    begun = at_once(hosts, lambda store, _: a_queued_evaluation(store, 1001, unless_known=True).id)

    assert len(set(begun)) == 1


def test_a_push_while_it_concludes_leaves_a_verdict_or_a_cancelled_run_and_nothing_between(hosts):
    verdicts = 0
    for n in range(12):
        pr = 1001 + n
        running = a_running_evaluation(hosts[0], pr, head="one")
        told = Result(Outcome.NO_GO, report="{}", document="{}")

        concluded, _ = at_once(
            hosts,
            lambda store, at, running=running, pr=pr, told=told: (
                store.conclude(running.id, "worker", told) if at == 0 else a_queued_evaluation(store, pr, head="two") is None
            ),
            count=2,
        )

        row = hosts[0].evaluation(running.id)
        pending = [r.kind.value for r in hosts[0].outbox_pending(subject=f"pr:{pr}")]
        assert row.outcome == ("no-go" if concluded else "cancelled")
        assert (hosts[0].documents(row.id).report is not None) is concluded
        assert pending == ["check"], "the old head's check ends, its comment is never written"
        assert not hosts[1].is_current(row.id)
        verdicts += concluded
    assert hosts[0].unconcluded() == 12
    assert 0 <= verdicts <= 12


def test_a_worker_that_lost_its_lease_and_the_one_that_has_it_do_not_both_conclude(hosts):
    from datetime import timedelta

    queued = a_queued_evaluation(hosts[0], 1001)
    hosts[0].claim(queued.id, "late", timedelta(0))
    hosts[1].claim(queued.id, "new", TTL)

    said = at_once(hosts, lambda store, at: store.conclude(queued.id, "late" if at % 2 else "new", Result(Outcome.GO)))

    assert said == [at % 2 == 0 for at in range(THREADS)]


def test_every_write_is_taken_by_one_publisher(hosts):
    for n in range(10):
        a_concluded_evaluation(hosts[0], 1001 + n, head=f"h{n}")

    def publish(store: AppStore, at: int) -> list[int]:
        done: list[int] = []
        while rows := store.outbox_take(f"publisher {at}", limit=2):
            done += [row.number for row in rows if store.outbox_done(row)]
        return done

    done = [number for some in at_once(hosts, publish) for number in some]

    assert len(done) == len(set(done)) == 20
    assert hosts[0].outbox_pending() == []


def test_two_verdicts_for_one_head_at_once_ask_for_one_check(hosts):
    runs = [a_running_evaluation(hosts[0], 1001 + n, head="same") for n in range(THREADS)]

    assert all(at_once(hosts, lambda store, at: store.conclude(runs[at].id, "worker", Result(Outcome.GO))))

    pending = [row.kind.value for row in hosts[0].outbox_pending()]
    assert (pending.count("check"), pending.count("comment")) == (1, THREADS)
    assert len(hosts[0].worst_of(REPOSITORY_ID, a_sha("same"))) == THREADS


def test_suspending_while_evaluations_begin_and_end_deadlocks_nothing(hosts):
    def busy(store: AppStore, at: int) -> None:
        for n in range(6):
            if at < 2:
                store.set_installation_state(7, "suspended" if n % 2 else "active")
                continue
            running = a_running_evaluation_or_none(store, 1001 + at)
            if running is not None:
                store.conclude(running, f"worker {at}", Result(Outcome.GO))

    a_pull_request(hosts[0], 1001)
    at_once(hosts, busy)

    rows = hosts[0].evaluations_of(EvaluationFilter(limit=500))
    assert all(row.state in ("concluded", "cancelled", "queued") for row in rows)


def a_running_evaluation_or_none(store: AppStore, pull_request_id: int) -> str | None:
    queued = a_queued_evaluation(store, pull_request_id)
    return queued.id if store.claim(queued.id, f"worker {pull_request_id - 1001}", TTL) else None


def test_migrating_from_many_processes_at_once_makes_the_tables_once(database_url):
    with ThreadPoolExecutor(4) as pool:
        engines = list(pool.map(lambda _: open_database(database_url), range(4)))

    assert all("evaluation" in sa.inspect(engine).get_table_names() for engine in engines)
    for engine in engines:
        engine.dispose()
