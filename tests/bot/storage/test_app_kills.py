"""SIGKILL at any statement: what a dead process was writing is there whole or not at all, and the next one goes on."""

import json
import subprocess
import sys
from textwrap import dedent

PROCESS = """
    import json, os, signal, sys
    from datetime import timedelta
    import sqlalchemy as sa
    from bot.storage.app_rows import Because, Outcome, Result, TrajectoryRow
    from bot.storage.app_store import AppStore
    from bot.storage.app_testing import *
    from bot.storage.database import open_database

    url = sys.argv[1]
    LONG = timedelta(seconds=600)
    RISK = TrajectoryRow("t", "p", "confirmed", "high", "r", "m", "T", blocks=True)

    def conclude(store, evaluation):
        store.conclude(evaluation.id, "worker", Result(Outcome.NO_GO, report="{}", document="{}", trajectories=(RISK,)))

    def raise_generation(store, evaluation):
        a_queued_evaluation(store, evaluation.pull_request_id, head="two", delivery="guid")

    def cancel(store, evaluation):
        store.cancel(evaluation.subject, Because.CLOSED)

    def suspend(store, evaluation):
        store.set_installation_state(7, "suspended")

    def publish(store, evaluation):
        conclude(store, evaluation)
        for row in store.outbox_take("p", limit=100, lease=LONG):
            store.outbox_done(row)

    def acknowledge(store, evaluation):
        store.acknowledge(evaluation.id, trajectory="t", reason="r", login="ann")

    def take(store, evaluation):
        store.outbox_take("p", limit=100, lease=LONG)

    ACTS = {
        "conclude": (None, conclude), "raise_generation": (None, raise_generation), "cancel": (None, cancel),
        "suspend": (None, suspend), "acknowledge": (publish, acknowledge), "take": (conclude, take),
    }

    def facts(store, evaluation):
        row = store.evaluation(evaluation.id)
        pending = store.outbox_pending(subject=row.subject)
        return {
            "state": row.state, "outcome": row.outcome, "generation": store.pull_request(row.pull_request_id).generation,
            "newest": store.newest(row.subject).state,
            "documents": store.documents(row.id).report is not None, "trajectories": len(store.trajectories(row.id)),
            "outbox": sorted(r.kind for r in pending), "leased": sorted(r.kind for r in pending if r.leased_until),
            "acknowledged": len(store.acknowledgements(row.pull_request_id)), "audited": len(store.audited(subject=row.subject)),
        }

    def die_at(engine, statement):
        left = [statement]
        def count(*_):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        sa.event.listen(engine, "before_cursor_execute", count)
        sa.event.listen(engine, "commit", count)

    def history(numbers, before, act):
        for statement in range(1, 60):
            store.set_installation_state(7, "active")
            number = next(numbers)
            evaluation = a_running_evaluation(store, number, head=f"h{number}")
            if before:
                before(store, evaluation)
            engine.dispose()  # the child connects anew
            child = os.fork()
            if child == 0:
                die_at(engine, statement)
                act(store, evaluation)
                os._exit(0)
            status = os.waitpid(child, 0)[1]
            after = facts(store, evaluation)
            act(store, evaluation)
            yield {"killed": os.WIFSIGNALED(status), "status": status, "after": after, "again": facts(store, evaluation)}
            store.outbox_take("another", limit=100, lease=LONG)
            if not os.WIFSIGNALED(status):
                return

    engine = open_database(url)
    store = AppStore(engine)
    numbers = iter(range(1001, 9999))
    print(json.dumps({name: list(history(numbers, *steps)) for name, steps in ACTS.items()}))
"""

RUNNING = {
    "state": "running", "outcome": None, "generation": 1, "newest": "running", "documents": False, "trajectories": 0, "outbox": [],
    "leased": [], "acknowledged": 0, "audited": 0,
}  # fmt: skip
CONCLUDED = RUNNING | {
    "state": "concluded", "outcome": "no-go", "newest": "concluded", "documents": True, "trajectories": 1,
    "outbox": ["check", "comment"],
}  # fmt: skip
CANCELLED = RUNNING | {"state": "cancelled", "outcome": "cancelled", "newest": "cancelled"}
WHOLE = {
    "conclude": (RUNNING, CONCLUDED),
    "raise_generation": (RUNNING, CANCELLED | {"generation": 2, "newest": "queued", "outbox": ["check"]}),
    "cancel": (RUNNING, CANCELLED | {"outbox": ["check"]}),
    "suspend": (RUNNING, CANCELLED),
    "acknowledge": (CONCLUDED | {"outbox": []}, CONCLUDED | {"acknowledged": 1, "audited": 1}),
    "take": (CONCLUDED, CONCLUDED | {"leased": ["check", "comment"]}),
}
"""Before and after; nothing else may ever be seen."""


def test_a_process_that_is_killed_at_any_statement_has_written_all_or_nothing(database_url):
    done = subprocess.run(
        [sys.executable, "-c", dedent(PROCESS), database_url], capture_output=True, text=True, timeout=500, check=False
    )

    assert done.returncode == 0, done.stderr
    for act, told in json.loads(done.stdout).items():
        before, after = WHOLE[act]
        assert [t["killed"] for t in told] == [True] * (len(told) - 1) + [False], act
        assert len(told) > 2, f"{act} was killed at several statements"
        assert told[-1]["status"] == 0, act
        assert [t["after"] for t in told if t["after"] not in (before, after)] == [], act
        assert (told[0]["after"], told[-1]["after"]) == (before, after), act
        assert all(t["again"] == after for t in told), f"the next process brings {act} to its end, once"
