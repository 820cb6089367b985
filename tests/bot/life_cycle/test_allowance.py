"""What a model may cost: within the caps of a day, and said when they are reached."""

import asyncio
import json

import pytest

from bot.jobs.child import child_environment, spent_in
from bot.jobs.child_job import SPENDING
from bot.storage.app_rows import Outcome
from tests.bot.life_cycle.desk import NO_GO

KEY = "sk-ant-test-key-of-nobody"


@pytest.fixture
def modelled(make_desk, monkeypatch):
    """A desk with a key for a model."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)

    def make(**settings):
        return make_desk(investigator="auto", **settings)

    return make


def test_below_its_caps_a_model_is_asked_and_may_cost_what_is_left(modelled):
    desk = modelled(max_cost_pull_request_day=0.75, max_cost_installation_day=100)
    pull = desk.open(NO_GO)
    assert desk.environment["GONOGO_MAX_COST"] == "0.750000"
    assert desk.environment["ANTHROPIC_API_KEY"] == KEY

    desk.store.add_spending(desk.newest(pull).id, cost=0.5)
    desk.push(pull, {"app.py": "print('no-go', 2)\n"})

    assert desk.environment["GONOGO_MAX_COST"] == "0.250000"
    assert desk.judged[-1].investigator == "auto"


@pytest.mark.parametrize(
    ("cap", "whose"), [("max_cost_pull_request_day", "pull request"), ("max_cost_installation_day", "installation")]
)
def test_past_a_cap_the_rules_decide_and_the_report_says_so(modelled, cap, whose):
    desk = modelled(**{cap: 0.5})
    pull = desk.open(NO_GO)
    desk.store.add_spending(desk.newest(pull).id, cost=0.6)

    desk.push(pull, {"app.py": "print('no-go', 2)\n"})

    job = desk.judged[-1]
    assert job.investigator == "rules"
    assert "ANTHROPIC_API_KEY" not in desk.environment
    assert f"for this {whose} today" in job.notes[0]
    assert desk.check(pull).conclusion == "failure"
    assert "rules decided alone" in desk.comment(pull).body


def test_the_next_day_begins_with_nothing_spent(modelled):
    desk = modelled(max_cost_pull_request_day=0.5)
    pull = desk.open(NO_GO)
    desk.store.add_spending(desk.newest(pull).id, cost=0.6)

    desk.later(days=1)
    desk.say(pull, "/gonogo evaluate")

    assert desk.judged[-1].investigator == "auto"


def test_what_a_killed_run_cost_counts_too(modelled):
    desk = modelled()

    async def spend(job):
        (desk.place / SPENDING).write_text(json.dumps([0.25, 1000, 50]) + "\n" + json.dumps([0.1, 0, 0]) + "\n[0.")
        desk.store.cancel(f"pr:{pull.id}", "command")
        await asyncio.sleep(5)

    pull = desk.github.pulls.open(desk.repository, NO_GO)
    desk.deliver()
    desk.judging = spend
    desk.settle()

    newest = desk.newest(pull)
    assert (newest.outcome, round(newest.cost, 2), newest.input_tokens) == (Outcome.CANCELLED, 0.35, 1000)


def test_the_process_gets_no_key_of_the_app():
    given = {
        "PATH": "/bin", "HOME": "/root", "AWS_PROFILE": "read-only", "GONOGO_PROMETHEUS_URL": "http://p", "ANTHROPIC_API_KEY": "k",
        "GONOGO_GITHUB_PRIVATE_KEY": "s", "GONOGO_GITHUB_WEBHOOK_SECRET": "s", "GONOGO_GITHUB_CLIENT_SECRET": "s", "GITHUB_TOKEN": "s",
        "GONOGO_SESSION_SECRET": "s", "GONOGO_REDIS_URL": "s", "GONOGO_DATABASE_URL": "s", "GONOGO_CONFIG": "s", "PYTHONPATH": "s",
        "GIT_DIR": "s",
    }  # fmt: skip

    kept = child_environment(given, database_url=None, asks_model=True, max_cost=None)

    assert "s" not in kept.values()
    assert kept["AWS_PROFILE"] == "read-only"
    assert kept["ANTHROPIC_API_KEY"] == "k"
    assert "ANTHROPIC_API_KEY" not in child_environment(given, database_url=None, asks_model=False, max_cost=None)


def test_a_process_that_asked_no_model_spent_nothing(tmp_path):
    assert spent_in(tmp_path).cost == 0
