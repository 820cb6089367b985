"""On any history of a pull request, what is said step by step is what would be said of its head at once."""

import itertools
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.investigator.testing import says, use

API = "arn:aws:lambda:eu-west-1:1:function:checkout"
STOCK, QUOTES = "app/stock.yaml", "app/quotes.yaml"

CHOICES: dict[str, tuple[str | None, ...]] = {
    "migrations/0002_by_customer.sql": (
        "CREATE INDEX orders_customer ON orders (customer_id);\n",
        "CREATE INDEX CONCURRENTLY orders_customer ON orders (customer_id);\n",
        None,
    ),
    "migrations/0003_drop.sql": ("ALTER TABLE orders DROP COLUMN customer_id;\n", None),
    "app/handler.py": (
        "import os\n\n\ndef handler(event, context):\n    return {'url': os.environ['PRICE_URL']}\n",
        "import os\n\n\ndef handler(event, context):\n    return {'url': os.environ['STOCK_URL']}\n",
        "import os\n\n\ndef handler(event, context):\n    return {'ok': True}\n",
    ),
    "app/client.py": (
        "TIMEOUT_S = 1\n\n\ndef fetch(session):\n    return session.get('/stock', timeout=TIMEOUT_S)\n",
        "TIMEOUT_S = 30\n\n\ndef fetch(session):\n    return session.get('/stock', timeout=TIMEOUT_S)\n",
    ),
    STOCK: ("stock:\n  reply_timeout_s: 1\n", "stock:\n  reply_timeout_s: 40\n", None),
    QUOTES: ("quotes:\n  reply_timeout_s: 1\n", "# quotes\nquotes:\n  reply_timeout_s: 1\n", None),
    "README.md": ("# Shop\n", "# The shop\n"),
    "tests/test_handler.py": ("def test_it():\n    assert True\n", "def test_it():\n    assert 1 == 1\n"),
    "other/report.py": ("def total(rows):\n    return sum(rows)\n", "def total(rows):\n    return orders.customer_id\n"),
}
"""Path → contents that it may have; None: it is not there."""

FILES = st.sampled_from([(path, text) for path, texts in CHOICES.items() for text in texts])
STEPS = st.one_of(
    st.tuples(st.just("edit"), st.lists(FILES, min_size=1, max_size=2)),
    st.tuples(st.just("base"), st.lists(FILES, min_size=1, max_size=1)),
    st.tuples(st.sampled_from(["rebase", "merge", "revert", "empty", "amend", "squash", "title"]), st.just([])),
)


def go(history, step) -> bool:
    """Take a step. True: the change is the same as before, whatever its commits are called now."""
    kind, files = step
    match kind:
        case "edit":
            history.commit(dict(files))
        case "base":
            history.commit(dict(files), branch="main")
        case "rebase":
            history.rebase()
        case "merge":
            history.merge_main()
        case "revert":
            if history.git("rev-list", "main..pr").split():
                history.git("read-tree", "-u", "--reset", "pr~1")
                history.commit({})
        case "squash":
            history.git("reset", "-q", "--soft", history.git("merge-base", "main", "pr").strip())
            history.git("commit", "-q", "--allow-empty", "-m", "all in one")
        case "amend":
            history.git("commit", "-q", "--amend", "--allow-empty", "-m", "other words")
        case _:
            history.commit({})
    return kind in ("empty", "amend", "squash", "title")


def said(evaluation) -> dict:
    """All that a reader learns, but for commits, times, and how it was found out."""
    left_out = ("base", "head", "notes", "timings", "budget", "model", "go_if", "investigator")
    return {k: v for k, v in evaluation.to_report().items() if k not in left_out}


@pytest.mark.slow
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(STEPS, min_size=3, max_size=7))
def test_step_by_step_the_verdict_is_that_of_the_whole(history_at, steps):
    with tempfile.TemporaryDirectory() as folder:
        history = history_at(Path(folder) / "repo")
        evaluations = []
        for step in [("edit", [("migrations/0002_by_customer.sql", CHOICES["migrations/0002_by_customer.sql"][0])]), *steps]:
            is_same = go(history, step)
            history.production.asked.clear()
            made = history.evaluate(next(iter(evaluations), None), evaluations, title=str(len(evaluations)))
            asked = dict(history.production.asked)

            assert said(made) == said(history.evaluate(title=str(len(evaluations)))), step
            if is_same and evaluations and made.verdict is not None and made.conclusion.value == "evaluated":
                assert made.reused_from is not None, step
                assert asked == {}, step
            evaluations.insert(0, made)


def chain(path: str) -> dict:
    """What the model below sees in a setting: answers that take 2.5 s are given up after 1 s."""
    cites = {"kind": "file", "file": path, "line": 2}
    return {
        "title": f"Answers are given up early ({path})",
        "impact": "high",
        "resource": API,
        "metric": f"Errors of {path}",
        "links": [
            {"role": "trigger", "claim": "replies have 1 s", "evidence": [cites]},
            {"role": "mechanism", "claim": "it is given up", "evidence": [{"kind": "file", "file": "app/client.py", "line": 5}]},
            {"role": "exposure", "claim": "many", "evidence": [{"kind": "metric", "resource": API, "metric": "Invocations", "statistic": "mean"}]},
            {
                "role": "harm",
                "claim": "calls take 2.5 s",
                "comparison": {"observed": 2.5, "operator": ">", "limit": 1, "unit": "s"},
                "evidence": [{"kind": "metric", "resource": API, "metric": "Duration.p99", "statistic": "p95"}],
            },
        ],
    }  # fmt: skip


def a_steady_model(request, number):
    """Sees what is wrong with each setting that the change which it is shown holds, and says so each time."""
    shown = request["messages"][0]["content"][0]["text"]
    seen: list[dict] = []
    for path in (STOCK, QUOTES):
        hunks = shown.partition(f"--- {path}\n")[2].partition("\n--- ")[0].partition("</data")[0]
        if "reply_timeout_s: 1\n" in f"{hunks}\n":
            claim = chain(path)
            claim["links"][0]["evidence"][0]["line"] = 3 if "# quotes" in hunks else 2
            seen.append(claim)
    return says(use("record_verdict", claims=seen, summary="looked"))


MODEL_FILES = [(path, text) for path in (STOCK, QUOTES, "other/report.py", "README.md") for text in CHOICES[path]]
MODEL_STEPS = st.one_of(
    st.tuples(st.just("edit"), st.lists(st.sampled_from(MODEL_FILES), min_size=1, max_size=2)),
    st.tuples(st.just("base"), st.lists(st.sampled_from([f for f in MODEL_FILES if f[0] not in (STOCK, QUOTES)]), min_size=1, max_size=1)),
    st.tuples(st.sampled_from(["rebase", "merge", "empty", "amend", "squash", "title"]), st.just([])),
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(MODEL_STEPS, min_size=2, max_size=5))
def test_with_a_model_that_is_asked_about_less_the_verdict_is_that_of_the_whole(history_at, served, steps):
    with tempfile.TemporaryDirectory() as folder, served(a_steady_model) as service, served(a_steady_model) as whole:
        history = history_at(Path(folder) / "repo")
        evaluations = []
        for step in [("edit", [(STOCK, CHOICES[STOCK][0])]), *steps]:
            is_same = go(history, step) or step[0] in ("rebase", "merge", "base")
            before = len(service.requests)
            made = history.evaluate(next(iter(evaluations), None), evaluations, service=service)

            at_once = history.evaluate(service=whole)
            assert (made.verdict, statuses(made)) == (at_once.verdict, statuses(at_once)), step
            if is_same and evaluations:
                assert len(service.requests) == before, step
            evaluations.insert(0, made)


def statuses(evaluation) -> dict[str, str]:
    return {e.trajectory.title: e.status.value for e in evaluation.ledger}


def test_the_contents_that_files_may_have_differ():
    assert all(a != b for texts in CHOICES.values() for a, b in itertools.combinations(texts, 2))
