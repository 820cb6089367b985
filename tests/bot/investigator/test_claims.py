"""What a model may bring about with its claims: it adds trajectories and evidence; facts alone decide their status."""

import pytest

from bot.investigator.testing import says, use

API = "arn:aws:lambda:eu-west-1:1:function:checkout"
DATABASE = "arn:aws:rds:eu-west-1:1:db:orders"
LOCKING = {"migrations/0002_by_customer.sql": "CREATE INDEX orders_customer ON orders (customer_id);\n"}
CONFIRMED = "Building orders_customer blocks writes to orders"
SHORTER = {"app/stock.yaml": "stock:\n  reply_timeout_s: 1\n"}
"""A setting that the playbooks do not know."""
TRIGGER = {"role": "trigger", "claim": "replies have 1 s", "evidence": [{"kind": "file", "file": "app/stock.yaml", "line": 2}]}
MECHANISM = {
    "role": "mechanism",
    "claim": "the call is given up",
    "evidence": [{"kind": "file", "file": "app/client.py", "line": 5}],
}
EXPOSURE = {
    "role": "exposure",
    "claim": "9,000 calls in five minutes",
    "evidence": [{"kind": "metric", "resource": API, "metric": "Invocations", "statistic": "mean"}],
}
READING = {"kind": "metric", "resource": API, "metric": "Duration.p99", "statistic": "p95"}
HARM = {
    "role": "harm",
    "claim": "calls take 2.5 s",
    "comparison": {"observed": 2.5, "operator": ">", "limit": 1, "unit": "s"},
    "evidence": [READING],
}


def claimed(*links, **more):
    return {
        "title": "Stock is not fetched in time",
        "impact": "high",
        "resource": API,
        "metric": "Errors",
        "links": list(links),
        **more,
    }


def handing_over(*claims):
    return lambda request, number: says(use("record_verdict", claims=list(claims), summary="one chain"))


def of_the_model(done):
    return [e for e in done.evaluation.ledger if e.trajectory.playbook == "model"]


def test_a_chain_whose_every_figure_is_read_again_is_confirmed(check):
    done = check(handing_over(claimed(TRIGGER, MECHANISM, EXPOSURE, HARM)), SHORTER)

    (entry,) = of_the_model(done)
    assert entry.status.value == "confirmed", entry.model_dump_json(indent=1)
    assert done.evaluation.verdict.value == "no-go"


@pytest.mark.parametrize(
    "links",
    [
        (MECHANISM, EXPOSURE, HARM),
        (TRIGGER, EXPOSURE, HARM),
        (TRIGGER, MECHANISM, HARM),
        (TRIGGER, MECHANISM, EXPOSURE),
        (TRIGGER, MECHANISM, EXPOSURE, HARM | {"comparison": None}),
        (TRIGGER, MECHANISM, EXPOSURE, HARM | {"comparison": {"observed": 9_000, "operator": ">", "limit": 1}}),
        (TRIGGER, MECHANISM, EXPOSURE, HARM | {"comparison": {"observed": 2.5, "operator": ">", "limit": 0.001}}),
        (TRIGGER, MECHANISM, EXPOSURE, HARM | {"comparison": {"observed": 2.5, "operator": "<", "limit": 1_000}}),
        (TRIGGER, MECHANISM, EXPOSURE, HARM | {"evidence": []}),
        (TRIGGER, MECHANISM, EXPOSURE, HARM | {"evidence": [READING | {"statistic": "max"}]}),
        (TRIGGER, MECHANISM, EXPOSURE, HARM | {"evidence": [READING | {"resource": DATABASE}]}),
        (TRIGGER | {"evidence": [{"kind": "file", "file": "app/client.py", "line": 4}]}, MECHANISM, EXPOSURE, HARM),
        (TRIGGER, MECHANISM | {"question": "Is it retried?"}, EXPOSURE, HARM),
    ],
    ids=[
        "no trigger", "no mechanism", "no exposure", "no harm", "nothing compared", "a figure that no citation has",
        "a limit that no line has", "the wrong way round", "no citation", "one spike", "of another resource",
        "a line that did not change", "an open question",
    ],
)  # fmt: skip
def test_a_chain_with_something_missing_stays_a_question(check, links):
    done = check(handing_over(claimed(*links)), SHORTER)

    (entry,) = of_the_model(done)
    assert entry.status.value == "plausible"
    assert any(link.question for link in entry.trajectory.links)
    assert [link.role.value for link in entry.trajectory.links] == ["trigger", "mechanism", "exposure", "harm"]
    assert done.evaluation.verdict.value == "go"


@pytest.mark.parametrize(
    "invented",
    [
        {"kind": "file", "file": "app/stock.yaml", "line": 2, "quote": "reply_timeout_s: 900"},
        {"kind": "file", "file": "app/none.py", "line": 1},
        {"kind": "file", "file": "app/client.py", "line": 99},
        {"kind": "metric", "resource": API, "metric": "Duration.p99", "statistic": "p95", "value": 900},
        {"kind": "metric", "resource": API, "metric": "Throttles", "statistic": "max"},
        {"kind": "log", "resource": API, "pattern": "OutOfMemory", "count": 40},
        {"kind": "log", "resource": API, "pattern": "(a+)+$"},
        {"kind": "config", "resource": API, "key": "timeout_s", "value": 3},
        {"kind": "config", "resource": API, "key": "environment_keys", "value": "STOCK_URL", "absent": True},
        {"kind": "config", "resource": API, "key": "secrets", "value": "X", "absent": True},
        {"kind": "graph", "source": API, "target": DATABASE, "relation": "writes_to"},
        {"kind": "database", "resource": DATABASE, "table": "orders", "statistic": "row_estimate", "value": 7},
        {"kind": "database", "resource": DATABASE, "index": "orders_customer", "statistic": "scans_per_hour", "value": 0},
        {"kind": "shadow", "value": "AccessExclusive"},
        {"kind": "forecast", "resource": API, "metric": "Throttles", "value": 4},
    ],
    ids=lambda c: "-".join(str(v)[:20] for v in c.values()),
)
def test_an_invented_citation_is_dropped_and_counted(check, invented):
    done = check(handing_over(claimed(TRIGGER, MECHANISM, EXPOSURE, HARM | {"evidence": [invented]})), SHORTER)

    (entry,) = of_the_model(done)
    assert entry.status.value == "plausible"
    assert entry.trajectory.links[3].evidence == ()
    assert done.evaluation.budget.citations_dropped == 1


def test_a_status_that_a_model_gives_is_not_one(check):
    done = check(handing_over(claimed(TRIGGER, status="confirmed", verdict="no-go", certainty="lock")), SHORTER)

    assert [e.status.value for e in of_the_model(done)] == ["plausible"]


def test_a_trajectory_of_a_resource_that_nobody_knows_is_left_out(check):
    done = check(handing_over(claimed(TRIGGER) | {"resource": "arn:aws:lambda:eu-west-1:1:function:made-up"}), SHORTER)

    assert of_the_model(done) == []


def test_links_may_be_put_down_one_by_one(check):
    answers = [
        says(use("propose_trajectory", **claimed())),
        says(*(use("add_link", trajectory="T1", **link) for link in (TRIGGER, MECHANISM, EXPOSURE))),
        says(use("add_link", trajectory="T1", **(HARM | {"evidence": []}))),
        says(use("cite", trajectory="T1", link=4, evidence=READING)),
        says(use("record_verdict", claims=["T1"], summary="one chain")),
    ]

    done = check(lambda request, number: answers[number], SHORTER)

    assert [e.status.value for e in of_the_model(done)] == ["confirmed"]
    assert done.evaluation.budget.steps_used == 5


@pytest.mark.parametrize(
    "evidence",
    [
        {"kind": "config", "resource": DATABASE, "key": "max_connections", "value": 200},
        {"kind": "metric", "resource": DATABASE, "metric": "DatabaseConnections", "statistic": "max"},
        {"kind": "database", "resource": DATABASE, "table": "orders", "statistic": "row_estimate"},
        {"kind": "file", "file": "app/client.py", "line": 1},
        {"kind": "file", "file": "migrations/0002_by_customer.sql", "line": 1},
        {"kind": "database", "resource": DATABASE, "table": "orders", "statistic": "row_estimate", "value": 0},
    ],
    ids=lambda c: "-".join(str(v)[:20] for v in c.values()),
)
def test_a_deterministic_hit_is_not_cleared_by_a_fact_of_another_kind(check, evidence):
    clears = [use("refute", trajectory="R1", link=at, evidence=evidence) for at in (1, 2, 3, 4)]

    done = check(lambda request, number: says(*clears) if number == 0 else says(use("record_verdict", claims=[])), LOCKING)

    assert done.status == {CONFIRMED: "confirmed"}
    assert done.evaluation.budget.citations_dropped == 4


def test_citations_for_the_playbooks_own_links_change_no_status(check):
    facts = [
        {"kind": "metric", "resource": API, "metric": "Duration.p99", "statistic": "max"},
        {"kind": "config", "resource": API, "key": "memory_mb"},
    ]
    calls = [use("cite", trajectory=f"R{r}", link=at, evidence=f) for r in (1, 2, 3) for at in (1, 2, 3, 4) for f in facts]
    head = {**LOCKING, **SHORTER}
    without = check(handing_over(), head, journal=None)

    done = check(
        lambda request, number: says(*calls[:16]) if number % 2 == 0 else says(use("record_verdict")), head, journal=None
    )

    assert done.status == without.status
