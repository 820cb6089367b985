"""Workers in processes of their own on one database; one is killed in the middle of its work."""

import subprocess
import sys
from textwrap import dedent

from bot.storage.app_rows import EvaluationFilter, Outcome
from bot.storage.app_store import AppStore
from bot.storage.app_testing import a_queued_evaluation

WORKER = """
    import sys, time
    from datetime import UTC, datetime, timedelta
    from bot.storage.app_rows import Outcome, Result
    from bot.storage.app_store import AppStore
    from bot.storage.database import open_database

    url, name, hangs = sys.argv[1:]
    store, ttl = AppStore(open_database(url)), timedelta(seconds=6)
    print("ready", flush=True)
    sys.stdin.readline()
    while store.unconcluded():
        for row in [*store.waiting(before=datetime.now(UTC) + timedelta(days=1)), *store.expired_leases()]:
            if store.claim(row.id, name, ttl) is None:
                continue
            print("claimed", row.id, flush=True)
            if hangs == "hangs":
                time.sleep(600)
            store.heartbeat(row.id, name, ttl)
            if store.conclude(row.id, name, Result(Outcome.GO, report="{}")):
                print("concluded", row.id, flush=True)
        time.sleep(0.05)
"""


def start(url: str, name: str, hangs: str) -> subprocess.Popen:
    worker = subprocess.Popen(
        [sys.executable, "-c", dedent(WORKER), url, name, hangs], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert worker.stdout.readline() == "ready\n"
    return worker


def test_what_a_killed_worker_had_is_evaluated_by_another_and_nothing_twice(database_url, database):
    store = AppStore(database)
    evaluations = [a_queued_evaluation(store, 1001 + n, head=f"h{n}") for n in range(20)]
    dying, *others = [start(database_url, "dies", "hangs"), start(database_url, "a", ""), start(database_url, "b", "")]

    dying.stdin.write("\n")
    dying.stdin.flush()
    had = dying.stdout.readline().split()[1]
    dying.kill()
    said = [worker.communicate("\n", timeout=300)[0].split("\n") for worker in others]
    dying.communicate()

    concluded = [line.split()[1] for lines in said for line in lines if line.startswith("concluded")]
    assert sorted(concluded) == sorted(row.id for row in evaluations)
    rows = store.evaluations_of(EvaluationFilter(limit=100))
    assert {row.outcome for row in rows} == {Outcome.GO}
    assert [row.id for row in rows if row.attempt > 1] == [had]
    assert len(store.outbox_pending()) == 40
