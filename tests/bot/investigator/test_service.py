"""Whatever the model's service says or does, the evaluation ends in time with a valid ledger."""

import pytest

from bot.investigator.spending import Spending
from bot.investigator.testing import Fails, last_words, says, text, tools_of, use

API = "arn:aws:lambda:eu-west-1:1:function:checkout"
VERDICT = says(use("record_verdict", claims=[], summary="nothing more"))
LOCKING = {"migrations/0002_by_customer.sql": "CREATE INDEX orders_customer ON orders (customer_id);\n"}
CONFIRMED = "Building orders_customer blocks writes to orders"


def first(*answers, then=VERDICT):
    """These answers one after the other, then the last one for ever."""
    return lambda request, number: answers[number] if number < len(answers) else then


def test_a_model_that_finds_nothing_changes_nothing(check):
    done = check(first(), LOCKING)

    assert done.status == {CONFIRMED: "confirmed"}
    assert done.gaps == []
    assert done.evaluation.budget.steps_used == 1
    assert done.evaluation.model.id == "claude-sonnet-5-5"
    assert done.evaluation.investigator == "claude"


def test_tools_are_called_in_parallel_and_every_answer_says_where_it_is_from(check):
    calls = [use("list_changes"), use("get_configuration", resource=API, key="timeout_s"), use("log_patterns", resource=API)]

    done = check(first(says(*calls)))

    results = [b for b in done.service.requests[1]["messages"][-1]["content"] if b["type"] == "tool_result"]
    assert len(results) == 3
    assert all(part in r["content"] for r in results for part in ("query: ", "range: ", "source: "))
    assert "timeout_s = 60" in results[1]["content"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (use("read_file", raw='{"path": "app'), "no JSON object"),
        (use("read_file", raw="[1, 2]"), "no JSON object"),
        (use("read_file"), "path: Field required"),
        (use("read_file", path="app/handler.py", lines="all"), "lines: String should match"),
        (use("delete_everything", sure=True), "there is no tool delete_everything"),
        (use("query_metric", resource=API, metric="Duration.p99", statistic="p42"), "statistic: Input should be"),
        (use("query_metric", resource=API, metric="Sparkles"), "no data: looked at the metrics"),
        (use("search_code", pattern="(a+)+$"), "read as plain text"),
        (use("record_verdict", verdict="go"), "verdict: Extra inputs are not permitted"),
    ],
)
def test_a_wrong_call_is_answered_so_that_the_model_can_correct_itself(check, call, said):
    done = check(first(says(call)))

    assert said in done.service.requests[1]["messages"][-1]["content"][0]["content"]
    assert done.evaluation.conclusion.value == "evaluated"
    assert done.gaps == []


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_an_endless_loop_ends_at_the_limit_and_only_the_verdict_is_left_for_the_last_step(check, steps):
    done = check(lambda request, number: says(use("list_changes")), LOCKING, steps=steps)

    assert len(done.service.requests) == steps == done.evaluation.budget.steps_used
    assert [tools_of(r) == ["record_verdict"] for r in done.service.requests] == [False] * (steps - 1) + [True]
    assert [f"{n} of {steps} used, {steps - n} left" in last_words(r) for n, r in enumerate(done.service.requests)] == [
        True
    ] * steps
    assert done.status == {CONFIRMED: "confirmed"}


@pytest.mark.parametrize(
    "fault",
    [
        Fails(429, "rate_limit_error", retry_after="0"),
        Fails(529, "overloaded_error"),
        Fails(500),
        Fails(529, "overloaded_error", in_stream=True),
        says(use("record_verdict", claims=[]), cut_after=3),
        says(text("half a thought"), cut_after=1),
        None,
    ],
    ids=["429", "529", "500", "529 in the stream", "cut in a call", "cut in a text", "closed"],
)
def test_what_passes_is_tried_again_and_repeats_are_no_steps(check, fault):
    done = check(first(fault, fault), LOCKING)

    assert len(done.service.requests) == 3
    assert done.evaluation.budget.steps_used == 1
    assert done.gaps == []


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fails(401, "authentication_error", "invalid x-api-key"), "answered 401: invalid x-api-key"),
        (Fails(403, "permission_error"), "answered 403"),
        (Fails(404, "not_found_error", "model: claude-x"), "answered 404: model: claude-x"),
        (Fails(400, "invalid_request_error", "credit balance is too low"), "credit balance"),
    ],
    ids=lambda value: str(getattr(value, "status", "")),
)
def test_what_does_not_pass_is_told_at_once_and_the_playbooks_stand(check, fault, said):
    done = check(lambda request, number: fault, LOCKING)

    assert len(done.service.requests) == 1
    assert done.status == {CONFIRMED: "confirmed"}
    assert len(done.gaps) == 1
    assert done.gaps[0].startswith("trajectories: ")
    assert said in done.gaps[0]
    assert done.evaluation.verdict.value == "no-go"
    assert done.evaluation.investigator == "rules"


@pytest.mark.parametrize(
    "slow",
    [
        says(text("x"), after_s=60),
        says(text("x"), pings=1_000, ping_s=0.05),
        says(text("x" * 2_000), drip_s=0.02),
        Fails(429, "rate_limit_error", retry_after="120"),
    ],
    ids=["silent", "pings only", "dripping bytes", "told to wait"],
)
def test_a_model_that_does_not_answer_in_time_costs_no_more_than_the_deadline(check, slow):
    done = check(lambda request, number: slow, LOCKING, deadline_s=4.0)

    assert done.seconds < 4.0 + 3.0
    assert done.status == {CONFIRMED: "confirmed"}
    assert "out of time" in done.gaps[0]
    assert done.evaluation.budget.steps_used == 0


def test_a_whole_message_in_place_of_a_stream_is_understood(check):
    done = check(first(says(use("list_changes"), as_json=True), then=says(use("record_verdict", claims=[]), as_json=True)))

    assert done.evaluation.budget.steps_used == 2
    assert done.gaps == []


def test_a_refusal_leaves_the_playbooks_and_a_gap(check):
    done = check(first(says(text("no"), stop="refusal")), LOCKING)

    assert done.status == {CONFIRMED: "confirmed"}
    assert "refused" in done.gaps[0]


def test_an_answer_that_was_cut_at_its_limit_is_asked_to_be_shorter(check):
    done = check(first(says(text("so much to say"), stop="max_tokens")))

    assert "cut at its limit" in done.service.requests[1]["messages"][-1]["content"][0]["text"]
    assert done.gaps == []


@pytest.mark.parametrize(
    ("spending", "said"),
    [(Spending(max_tokens=100), "GONOGO_MAX_TOKENS"), (Spending(max_cost=0.001), "GONOGO_MAX_COST")],
    ids=["tokens", "money"],
)
def test_nothing_is_asked_that_might_pass_a_cap(check, spending, said):
    done = check(first(), LOCKING, spending=spending)

    assert done.service.requests == []
    assert done.status == {CONFIRMED: "confirmed"}
    assert said in done.gaps[0]


def test_a_cap_is_met_between_steps(check):
    expensive = says(use("list_changes"), usage={"input_tokens": 40_000, "output_tokens": 1_000})

    done = check(lambda request, number: expensive, LOCKING, spending=Spending(max_tokens=150_000))

    assert 1 <= len(done.service.requests) <= 3
    assert done.evaluation.model.input_tokens + done.evaluation.model.output_tokens <= 150_000
    assert "over its cap" in done.gaps[0]


def test_tokens_and_money_are_counted(check):
    usage = {"input_tokens": 1_000, "output_tokens": 500, "cache_read_input_tokens": 8_000, "cache_creation_input_tokens": 2_000}

    done = check(first(then=says(use("record_verdict", claims=[]), usage=usage)))

    assert done.evaluation.model.input_tokens == 11_000
    assert done.evaluation.model.output_tokens == 500
    assert done.evaluation.model.cost == pytest.approx((1_000 * 2 + 2_000 * 2.5 + 8_000 * 0.2 + 500 * 10) / 1e6)


def test_a_model_that_takes_no_options_is_asked_without_them(check):
    refuses = Fails(400, "invalid_request_error", "adaptive thinking is not supported on this model")

    done = check(lambda request, number: refuses if "thinking" in request else VERDICT)

    assert ["thinking" in r for r in done.service.requests] == [True, False]
    assert done.gaps == []


def test_reasoning_is_capped_a_step(check):
    newer, older = check(first()), check(first(), model="claude-haiku-4-5-20251001", journal=None)

    assert newer.service.requests[0]["thinking"] == {"type": "adaptive"}
    assert newer.service.requests[0]["output_config"] == {"effort": "low"}
    assert older.service.requests[0]["thinking"] == {"type": "enabled", "budget_tokens": 2_000}
    assert newer.service.requests[0]["max_tokens"] == 6_000


def test_what_the_requests_share_is_marked_for_the_cache_and_the_count_of_steps_stands_behind_it(check):
    done = check(first(says(use("list_changes")), says(use("list_changes", path="app/handler.py"))))

    one, two = done.service.requests[0], done.service.requests[1]
    assert "cache_control" in one["system"][-1]
    assert "cache_control" not in one["messages"][-1]["content"][-1]
    without_marks = [
        [{k: v for k, v in b.items() if k != "cache_control"} for b in r["messages"][0]["content"]] for r in (one, two)
    ]
    assert without_marks[0][:-1] == without_marks[1]
    assert last_words(one).startswith("Steps: 0 of 30 used")
    assert one["tools"] == two["tools"]
