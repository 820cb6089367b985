"""Nothing is paid twice: a process that is killed at any moment is started again, and asks only what was not answered."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from bot.investigator.testing import ScriptedService, says, text, use

API = "arn:aws:lambda:eu-west-1:1:function:checkout"
ROOT = Path(__file__).parents[3]

PROGRAM = """
import json, os, sys
from pathlib import Path
from time import monotonic
sys.path.insert(0, {here!r})
from conftest import BASE, small_production
from bot.investigator.assisted import Assistance
from bot.investigator.claude import make_model
from bot.testing import evaluation_of
from gonogo.budget import StepBudget
head = {{"app/client.py": "TIMEOUT_S = 1\\n\\n\\ndef fetch(session):\\n    return session.get('/stock', timeout=TIMEOUT_S)\\n"}}
assistance = Assistance(
    make_model=lambda spent: make_model(os.environ, spent), model="claude-sonnet-5-5", small_model="claude-haiku-4-5-20251001",
    budget=StepBudget(24, 120.0, monotonic, monotonic()), journal=Path({journal!r}))
report = evaluation_of(BASE, head, small_production(), investigator=assistance.investigate).to_report()
del report["timings"]
print(json.dumps(report))
"""


def conversation_of(request):
    return request["messages"][0]["content"][1]["text"][:60], len(request["messages"]) // 2


def a_model(request, number):
    """Three steps of reading in each conversation, then a trajectory; each answer takes a moment."""
    _, turns = conversation_of(request)
    reading = [
        says(use("list_changes"), use("query_metric", resource=API, metric="Duration.p99"), after_s=0.15),
        says(use("search_code", pattern="timeout"), use("get_configuration", resource=API), after_s=0.15),
        says(text("thinking of it"), use("read_file", path="app/client.py"), after_s=0.15),
    ]
    claim = {
        "title": "Answers of the stock service are cut off",
        "resource": API,
        "metric": "StockErrors",
        "links": [{"role": "trigger", "claim": "1 s", "evidence": [{"kind": "file", "file": "app/client.py", "line": 1}]}],
    }
    return reading[turns] if turns < 3 else says(use("record_verdict", claims=[claim], summary="done"), after_s=0.15)


def start(service, journal):
    program = PROGRAM.format(here=str(Path(__file__).parent), journal=str(journal))
    env = {k: v for k, v in os.environ.items() if not k.startswith("ANTHROPIC")} | service.environment
    return subprocess.Popen([sys.executable, "-c", program], env=env, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip


def finished(process):
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return json.loads(out)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """The report of a run that nobody killed, and how many calls it took."""
    with ScriptedService(a_model) as service:
        report = finished(start(service, tmp_path_factory.mktemp("whole")))
    return report, len(service.requests)


@pytest.mark.parametrize("killed_after", [1, *(pytest.param(n, marks=pytest.mark.long) for n in (4, 6))])
def test_after_kill_9_the_ledger_is_the_same_and_no_answered_call_is_made_again(tmp_path, uninterrupted, killed_after):
    whole, calls = uninterrupted
    with ScriptedService(a_model) as service:
        process = start(service, tmp_path / "journal")
        until = monotonic() + 240
        while len(service.requests) < killed_after and process.poll() is None and monotonic() < until:
            sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        first = [conversation_of(r) for r in service.requests]
        again = finished(start(service, tmp_path / "journal"))
        asked = [conversation_of(r) for r in service.requests]

    assert again == whole
    assert set(asked) == {(name, turn) for name, turn in asked}
    in_flight = [key for key in set(asked) if asked.count(key) > 1]
    assert len(in_flight) <= 2  # one a conversation, begun and not answered when the process died
    assert all(key in first for key in in_flight)
    assert len(set(asked)) == calls


def test_a_recorded_conversation_replays_without_the_service(check, tmp_path):
    journal = tmp_path / "kept"
    head = {"app/client.py": "TIMEOUT_S = 1\n\n\ndef fetch(session):\n    return session.get('/stock', timeout=TIMEOUT_S)\n"}
    first = check(a_model, head, journal=journal)

    again = check(lambda request, number: None, head, journal=journal)

    assert again.service.requests == []
    assert again.report == first.report
    assert first.evaluation.budget.steps_used == 8  # the chain that the playbooks left open has a conversation of its own


def test_the_journal_is_for_its_owner_alone_and_holds_no_secret(check, tmp_path):
    secret = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
    journal = tmp_path / "kept"
    script = [
        says(text(f"the token is {secret}"), use("search_code", pattern="token"), use("read_file", path="app/settings.py")),
        says(use("record_verdict", claims=[], summary=f"found {secret}")),
    ]

    done = check(lambda r, n: script[min(n, 1)], {"app/settings.py": f'token = "{secret}"\n'}, journal=journal)

    (file,) = journal.iterdir()
    assert oct(journal.stat().st_mode & 0o777) == "0o700"
    assert oct(file.stat().st_mode & 0o777) == "0o600"
    assert secret not in file.read_text()
    assert secret not in json.dumps(done.service.requests)
    assert secret not in json.dumps(done.report)


def test_another_change_is_another_question(check, tmp_path):
    journal = tmp_path / "kept"
    check(
        lambda r, n: says(use("record_verdict")),
        {"app/handler.py": "def handler(event, context):\n    return 1\n"},
        journal=journal,
    )

    other = check(
        lambda r, n: says(use("record_verdict")),
        {"app/handler.py": "def handler(event, context):\n    return 2\n"},
        journal=journal,
    )

    assert len(other.service.requests) == 1


def test_a_journal_that_cannot_be_written_costs_nothing_but_itself(check, tmp_path):
    (tmp_path / "file").write_text("")

    done = check(lambda r, n: says(use("record_verdict")), journal=tmp_path / "file" / "journal")

    assert done.evaluation.budget.steps_used == 1
    assert done.gaps == []
