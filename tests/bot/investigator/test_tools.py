"""Each tool says what it asked, where, and over which range; what it has not, what it cut and what failed are answers too."""

import json

import pytest

from bot.investigator.claude import check_access, models_of
from bot.investigator.conversation import ToolCall
from bot.investigator.desk import Desk
from bot.investigator.drafts import Drafts
from bot.investigator.log_templates import template_of
from bot.investigator.rules import investigate
from bot.investigator.safe_pattern import why_unsafe
from bot.investigator.spending import PRICES, Spending, price_of
from bot.investigator.testing import Fails, ScriptedService, says, text
from bot.investigator.tools.registry import TOOLS, run, tool_infos
from bot.testing import evaluation_of
from gonogo.errors import CallError

API = "arn:aws:lambda:eu-west-1:1:function:checkout"
DATABASE = "arn:aws:rds:eu-west-1:1:db:orders"
BASE = {"app/handler.py": "def handler(event, context):\n    return 1\n", "lib/big.py": "x = 1\n" * 1_000}
HEAD = {"app/handler.py": "def handler(event, context):\n    return 2\n", "app/new.py": "TIMEOUT = 3\n"}


@pytest.fixture
def answer(a_production):
    """What a tool answers in an evaluation of a small change."""

    def ask(name, /, *, production=None, history=None, **arguments):
        from dataclasses import replace

        kept = []

        def noting(case):
            outcome = investigate(case)
            desk = Desk(replace(case, candidates=outcome.claims, history=history), Drafts())
            kept.append(run(ToolCall("1", name, arguments), desk))
            return outcome

        evaluation_of(BASE, HEAD, production or a_production(), investigator=noting)
        return kept[0].content

    return ask


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("list_changes", {}, "added app/new.py: +1 -0"),
        ("list_changes", {"path": "app/handler.py"}, "+2     return 2"),
        ("list_changes", {"path": "none.py"}, "no data: looked at 2 changed files"),
        ("read_file", {"path": "app/handler.py", "side": "base", "lines": "2"}, "2     return 1"),
        ("read_file", {"path": "app/big.py"}, "no data: looked at no file of that path"),
        ("read_file", {"path": "other/big.py"}, "of that name: lib/big.py"),
        ("read_file", {"path": "../../etc/passwd"}, "no data"),
        ("read_file", {"path": "lib/big.py", "lines": "1-1000"}, "cut: 600 of 1,000 lines left out"),
        ("search_code", {"pattern": r"TIMEOUT = \d+"}, "app/new.py:1 TIMEOUT = 3"),
        ("search_code", {"pattern": "x = 1"}, "cut: 900 of 1,000 lines left out"),
        ("search_code", {"pattern": "nowhere"}, "no data: looked at"),
        ("blame_or_history", {"path": "app/handler.py"}, "no data: looked at this evaluation has no git history"),
        ("graph_neighbours", {"resource": API, "direction": "in"}, f"github:acme/shop deploys_to {API} (live)"),
        ("graph_neighbours", {"resource": API, "relation": "triggers"}, "no data: looked at edges of"),
        ("graph_path", {"a": API, "b": DATABASE}, f"github:acme/shop deploys_to {DATABASE} (live)"),
        ("graph_path", {"a": API, "b": "nowhere"}, "no data: looked at"),
        ("query_metric", {"resource": API, "metric": "Invocations", "statistic": "mean"}, "mean = 9000 Count from 288 readings"),
        ("query_metric", {"resource": API, "metric": "*"}, "no data: looked at the metrics of"),
        (
            "query_metric",
            {"resource": API, "metric": "Invocations", "window": {"start": "2030-01-01T00:00:00Z", "end": "2030-01-02T00:00:00Z"}},
            "no data: looked at no reading in that window; read from 2026-05-04",
        ),
        ("log_patterns", {"resource": API}, "2 × INFO fetched stock in # ms"),
        ("log_patterns", {"resource": API, "filter": "panic"}, "no data: looked at 2 sampled lines"),
        ("get_configuration", {"resource": API}, "memory_mb = 256"),
        ("get_configuration", {"resource": API, "key": "secrets"}, "a missing key is unknown, not absent"),
        ("database_statistics", {"resource": DATABASE, "table": "orders"}, "writes_per_second = 38"),
        ("database_statistics", {"resource": DATABASE, "index": "none"}, "no data: looked at index none"),
        ("database_statistics", {"resource": API}, "no data"),
        ("replay_migration", {"statements": ["select 1"]}, "no throw-away database is available"),
        ("forecast", {"resource": API, "metric": "None"}, "no data: looked at series of at least 64 readings"),
        ("forecast", {"resource": API, "metric": "Invocations"}, "not predictable, so it may not be cited: less than two days of history"),
    ],
)  # fmt: skip
def test_an_answer_carries_what_was_found_or_where_it_looked(answer, name, arguments, said):
    found = answer(name, **arguments)

    assert said in found
    assert all(f"\n{part}: " in found for part in ("query", "range", "source"))


def test_history_is_read_where_there_is_any(answer):
    found = answer("blame_or_history", path="app/handler.py", history=lambda path: [f"abc123 2026-01-02 Ann: touch {path}"])

    assert "abc123 2026-01-02 Ann: touch app/handler.py" in found


@pytest.mark.parametrize("failing", ["logs", "series", "resources", "databases"])
def test_a_provider_that_fails_is_reported_as_such(answer, a_production, failing):
    production = a_production()
    production.failing.add(failing)
    name, arguments = {
        "logs": ("log_patterns", {}),
        "series": ("query_metric", {"metric": "Invocations"}),
        "resources": ("get_configuration", {}),
        "databases": ("database_statistics", {}),
    }[failing]

    found = answer(name, production=production, resource=DATABASE, **arguments)

    assert "the source failed: memory: " in found
    assert DATABASE in found


def test_seventeen_tools_and_none_of_them_reaches_out():
    names = [t.name for t in TOOLS]

    assert names == [
        "list_changes", "read_file", "search_code", "blame_or_history", "graph_neighbours", "graph_path", "query_metric", "log_patterns",
        "get_configuration", "database_statistics", "replay_migration", "forecast", "propose_trajectory", "add_link", "cite", "refute",
        "record_verdict",
    ]  # fmt: skip
    assert all(json.dumps(t.schema) and t.schema["type"] == "object" for t in tool_infos())
    verdict = next(t for t in tool_infos() if t.name == "record_verdict")
    assert set(verdict.schema["properties"]) == {"claims", "summary"}


@pytest.mark.parametrize(
    ("pattern", "is_safe"),
    [
        (r"took (?P<ms>\d+) ms", True),
        (r"(?i)error|panic", True),
        (r"^\[.*\] \w+", True),
        (r"(a+)+$", False),
        (r"(a|a)*b", False),
        (r"(\w+\s?)*$", False),
        (r".*.*.*=", False),
        (r"(?:(?:x{1,60}){1,60}){1,60}", False),
        ("(", False),
        ("a" * 300, False),
    ],
)
def test_a_pattern_that_might_hold_up_the_process_is_not_run(pattern, is_safe):
    assert (why_unsafe(pattern) is None) is is_safe


def test_log_lines_of_one_wording_are_one():
    assert template_of("order 17 of 9f1b2c3d-0000-4000-8000-123456789abc took 12.5 ms") == "order # of # took # ms"


def test_a_model_that_the_table_does_not_know_is_counted_as_the_dearest():
    assert price_of("claude-unknown-9").output == max(p.output for p in PRICES.values())
    assert price_of("claude-haiku-4-5-20251001") == PRICES["claude-haiku-4-5"]


def test_caps_are_read_from_the_environment():
    spending = Spending.from_environment({"GONOGO_MAX_TOKENS": "50_000", "GONOGO_MAX_COST": "0.25"})

    assert (spending.max_tokens, spending.max_cost) == (50_000, 0.25)
    with pytest.raises(CallError, match="GONOGO_MAX_COST=-1"):
        Spending.from_environment({"GONOGO_MAX_COST": "-1"})


@pytest.mark.parametrize(
    ("script", "is_ok", "said"),
    [
        (lambda r, n: says(text("pong")), True, "claude-sonnet-5 and claude-haiku-4-5-20251001 answer"),
        (
            lambda r, n: Fails(401, "authentication_error", "invalid x-api-key"),
            False,
            "claude-sonnet-5: the model's service answered 401",
        ),
        (lambda r, n: says(text("pong"), after_s=30), False, "did not answer in time"),
    ],
    ids=["works", "refused", "silent"],
)
def test_access_is_tried_with_a_request_to_each_model(script, is_ok, said):
    with ScriptedService(script) as service:
        access = check_access({**service.environment, "GONOGO_MODEL": "claude-sonnet-5"}, timeout_s=1.0)

    assert access.is_ok is is_ok
    assert said in access.said


def test_without_a_key_there_is_no_access_and_the_models_are_pinned():
    assert not check_access({}).is_ok
    assert models_of({}) == ("claude-sonnet-5-5", "claude-haiku-4-5-20251001")
    assert models_of({"GONOGO_MODEL": "a", "GONOGO_SMALL_MODEL": "b"}) == ("a", "b")
