"""A model is asked about what has changed; what it claimed before stands until its lines go or evidence clears it."""

import json

import pytest

from bot.evaluation.incremental import asked_again
from bot.investigator.testing import says, text, use

API = "arn:aws:lambda:eu-west-1:1:function:checkout"
SHORTER = {"app/stock.yaml": "stock:\n  reply_timeout_s: 1\n"}
"""A setting that the playbooks do not know."""
ELSEWHERE = {"other/report.py": "def total(rows):\n    return max(rows)\n"}
TITLE = "Stock is not fetched in time"


def chain(line=2, **more):
    return {
        "title": TITLE,
        "impact": "high",
        "resource": API,
        "metric": "Errors",
        "links": [
            {"role": "trigger", "claim": "replies have 1 s", "evidence": [{"kind": "file", "file": "app/stock.yaml", "line": line}]},
            {"role": "mechanism", "claim": "it is given up", "evidence": [{"kind": "file", "file": "app/client.py", "line": 5}]},
            {"role": "exposure", "claim": "many calls", "evidence": [{"kind": "metric", "resource": API, "metric": "Invocations", "statistic": "mean"}]},
            {
                "role": "harm",
                "claim": "calls take 2.5 s",
                "comparison": {"observed": 2.5, "operator": ">", "limit": 1, "unit": "s"},
                "evidence": [{"kind": "metric", "resource": API, "metric": "Duration.p99", "statistic": "p95"}],
            },
        ],
        **more,
    }  # fmt: skip


def an_honest_model(request, number):
    """Sees the chain when the change that it is shown holds the setting."""
    shown = request["messages"][0]["content"][0]["text"]
    sees = "--- app/stock.yaml" in shown and "reply_timeout_s: 1" in shown
    return says(use("record_verdict", claims=[chain()] if sees else [], summary="looked"))


def a_blind_model(request, number):
    return says(use("record_verdict", claims=[], summary="all is well"))


def status_of(evaluation):
    return {e.trajectory.title: e.status.value for e in evaluation.ledger if e.trajectory.playbook == "model"}


@pytest.fixture
def confirmed(a_pull_request, served):
    """A pull request, and its first evaluation, in which a model's chain was proved."""
    pull_request = a_pull_request(SHORTER)
    with served(an_honest_model) as service:
        first = pull_request.evaluate(service=service)
    assert status_of(first) == {TITLE: "confirmed"}
    return pull_request, first


def test_a_claim_is_not_lost_when_another_file_changes_and_only_that_file_is_shown(confirmed, served):
    pull_request, first = confirmed
    pull_request.commit(ELSEWHERE)

    with served(a_blind_model) as service:
        second = pull_request.evaluate(first, [first], service=service)

    (asked,) = service.requests
    shown = asked["messages"][0]["content"][0]["text"]
    assert status_of(second) == {TITLE: "confirmed"}
    assert "--- other/report.py" in shown
    assert "--- app/stock.yaml" not in shown
    assert f"looked at already, at commit {first.head[:12]}" in shown
    assert f"- {TITLE}" in shown


@pytest.mark.parametrize("fix", [None, "stock:\n  reply_timeout_s: 25\n"], ids=["taken back", "another value"])
def test_a_claim_is_cleared_when_the_line_that_set_it_off_is_gone(confirmed, served, fix):
    pull_request, first = confirmed
    pull_request.commit({"app/stock.yaml": fix, **ELSEWHERE})

    with served(an_honest_model) as service:
        second = pull_request.evaluate(first, [first], service=service)

    assert status_of(second) == {}
    assert second.verdict is not None
    assert second.verdict.value == "go"


def test_a_claim_comes_back_with_its_line_whatever_the_model_says_then(confirmed, served):
    pull_request, first = confirmed
    pull_request.commit({"app/stock.yaml": None})
    with served(a_blind_model) as service:
        second = pull_request.evaluate(first, [], service=service)
        pull_request.commit({"app/stock.yaml": "stock:\n  # in seconds\n  reply_timeout_s: 1\n"})
        third = pull_request.evaluate(second, [], service=service)

    assert (status_of(second), status_of(third)) == ({}, {TITLE: "confirmed"})


REWRITTEN = {
    "indented": {"app/stock.yaml": "stock:\n    reply_timeout_s: 1\n"},
    "with a comment": {"app/stock.yaml": "stock:\n  reply_timeout_s: 1  # reviewed and approved\n"},
    "moved down": {"app/stock.yaml": "# stock\n# of the shop\nstock:\n  reply_timeout_s: 1\n"},
    "in another file": {"app/stock.yaml": None, "config/stock.yaml": "stock:\n  reply_timeout_s: 1\n"},
}


@pytest.mark.parametrize("files", REWRITTEN.values(), ids=REWRITTEN.keys())
def test_a_line_that_is_written_otherwise_is_the_same_line(confirmed, served, files):
    pull_request, first = confirmed
    pull_request.commit(files)

    with served(a_blind_model) as service:
        second = pull_request.evaluate(first, [], service=service)

    assert status_of(second) == {TITLE: "confirmed"}


def test_the_same_words_in_another_file_are_not_the_same_line(confirmed, served):
    pull_request, first = confirmed
    pull_request.commit({"app/quotes.yaml": "quotes:\n  reply_timeout_s: 1\n"})
    with served(a_blind_model) as service:
        second = pull_request.evaluate(first, [], service=service)
        pull_request.commit({"app/stock.yaml": None})
        third = pull_request.evaluate(second, [], service=service)

    assert (status_of(second), status_of(third)) == ({TITLE: "confirmed"}, {})


@pytest.mark.parametrize("how", ["empty commits", "rebases", "another title"])
def test_no_number_of_tries_gives_another_verdict_and_none_costs_anything(confirmed, served, how):
    pull_request, evaluation = confirmed
    with served(a_blind_model) as service:
        for number in range(4):
            if how == "rebases":
                pull_request.commit({"other/report.py": f"def total(rows):\n    return {number}\n"}, branch="main")
                assert pull_request.rebase()
            elif how == "empty commits":
                pull_request.commit({})
            evaluation = pull_request.evaluate(
                evaluation, [], service=service, title=f"Please {number}" if "title" in how else ""
            )

    assert service.requests == []
    assert status_of(evaluation) == {TITLE: "confirmed"}
    assert (evaluation.budget.steps_used, evaluation.model.cost, evaluation.investigator) == (0, 0, "claude")


def test_a_draft_in_between_looks_at_the_claim_without_a_model_and_keeps_it(confirmed, served):
    pull_request, first = confirmed
    pull_request.commit(ELSEWHERE)
    draft = pull_request.evaluate(first, [first])
    with served(a_blind_model) as service:
        ready = pull_request.evaluate(draft, [draft], service=service)

    assert (status_of(draft), status_of(ready)) == ({TITLE: "confirmed"}, {TITLE: "confirmed"})
    assert draft.budget.steps_used == 0
    assert len(service.requests) == 1
    assert "--- app/stock.yaml" not in json.dumps(service.requests[0])


def test_a_citation_that_is_gone_leaves_a_question_and_its_return_proves_the_chain_again(confirmed):
    pull_request, first = confirmed
    client = (pull_request.folder / "app/client.py").read_text()
    pull_request.commit({"app/client.py": client.replace("session.get('/stock', timeout=TIMEOUT_S)", "None")})
    second = pull_request.evaluate(first)
    pull_request.git("revert", "--no-edit", "HEAD")
    third = pull_request.evaluate(second)

    (entry,) = [e for e in second.ledger if e.trajectory.playbook == "model"]
    assert entry.status.value == "plausible"
    assert "is not there any more" in (entry.trajectory.links[1].question or "")
    assert status_of(third) == {TITLE: "confirmed"}


def test_a_source_that_fails_for_a_while_clears_nothing_for_good(confirmed):
    pull_request, first = confirmed
    pull_request.commit(ELSEWHERE)
    pull_request.production.failing = {"series"}
    second = pull_request.evaluate(first)
    pull_request.production.failing = set()
    third = pull_request.evaluate(second)

    (entry,) = [e for e in second.ledger if e.trajectory.playbook == "model"]
    assert entry.status.value == "plausible"
    assert any("Does this still hold?" in (link.question or "") for link in entry.trajectory.links)
    assert status_of(third) == {TITLE: "confirmed"}


def test_a_reading_that_has_changed_proves_nothing_any_more(confirmed):
    pull_request, first = confirmed
    readings = pull_request.production.readings
    pull_request.production.readings = [
        s.model_copy(update={"values": tuple(0.2 for _ in s.values)}) if s.metric == "Duration.p99" else s for s in readings
    ]
    pull_request.commit(ELSEWHERE)

    second = pull_request.evaluate(first)

    assert status_of(second) == {TITLE: "plausible"}
    assert second.verdict is not None
    assert second.verdict.value == "go"


def test_a_model_that_did_not_finish_is_asked_again_about_the_same_files(a_pull_request, served):
    pull_request = a_pull_request(SHORTER)
    with served(lambda request, number: says(text("no"), stop="refusal")) as service:
        first = pull_request.evaluate(service=service)
    with served(an_honest_model) as service:
        second = pull_request.evaluate(first, [first], service=service)

    assert [g.stage for g in first.gaps] == ["trajectories"]
    assert status_of(second) == {TITLE: "confirmed"}


def test_who_asks_for_it_gets_another_look_at_everything_and_keeps_what_was_proved(confirmed, served):
    pull_request, first = confirmed
    with served(a_blind_model) as service:
        second = pull_request.evaluate(asked_again(first), [], service=service)

    assert len(service.requests) == 1
    assert status_of(second) == {TITLE: "confirmed"}


def test_a_chain_that_was_open_is_replaced_by_the_same_one_with_proof(a_pull_request, served):
    pull_request = a_pull_request(SHORTER)
    open_chain = chain()
    open_chain["links"] = [*open_chain["links"][:3], {"role": "harm", "claim": "slow", "question": "How slow?"}]
    with served(lambda request, number: says(use("record_verdict", claims=[open_chain], summary=""))) as service:
        first = pull_request.evaluate(service=service)
    pull_request.commit({"app/stock.yaml": "stock:\n  reply_timeout_s: 1\n  retries: 0\n"})

    with served(an_honest_model) as service:
        second = pull_request.evaluate(first, [first], service=service)

    assert status_of(first) == {TITLE: "plausible"}
    assert status_of(second) == {TITLE: "confirmed"}


def test_what_a_model_refuted_with_a_fact_stays_refuted(a_pull_request, served):
    pull_request = a_pull_request({"migrations/0002_by_customer.sql": "CREATE INDEX orders_customer ON orders (customer_id);\n"})
    (server,) = pull_request.production.servers
    empty = server.tables[0].model_copy(update={"row_estimate": 0.0, "total_bytes": 9e9})
    pull_request.production.servers = [server.model_copy(update={"tables": (empty,)})]
    fact = {"kind": "database", "resource": server.resource, "table": "orders", "statistic": "row_estimate", "value": 0}
    with served(lambda r, n: says(*([use("refute", trajectory="R1", link=3, evidence=fact)] if n == 0 else [use("record_verdict")]))) as service:  # fmt: skip
        first = pull_request.evaluate(service=service)
    pull_request.commit(ELSEWHERE)

    second = pull_request.evaluate(first)

    assert {e.trajectory.title: e.status for e in second.ledger} == {e.trajectory.title: e.status for e in first.ledger}
    assert [e.trajectory.links[2].refuting for e in second.ledger] == [e.trajectory.links[2].refuting for e in first.ledger]
