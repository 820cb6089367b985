"""What one check run says when several pull requests have one head."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.jobs.check_truth import external_id_of, truth_of
from bot.storage.app_rows import EvaluationRow, EvaluationState, Outcome

HEAD = "a" * 40


def a_row(number: int, **changed: object) -> EvaluationRow:
    row = EvaluationRow(
        id=f"e{number}",
        subject=f"pr:{number}",
        generation=3,
        pull_request_id=number,
        repository_id=1,
        installation_id=1,
        number=number,
        head_sha=HEAD,
        base_ref="main",
        base_sha="b" * 40,
        before_sha=None,
        trigger="opened",
        delivery=None,
        state=EvaluationState.CONCLUDED,
        outcome=Outcome.GO,
        cancelled_because=None,
        attempt=1,
        lease_owner=None,
        lease_until=None,
        is_draft=False,
        is_fork=False,
        is_shadow=False,
        is_gated=False,
        created_at=datetime(2026, 5, 4, tzinfo=UTC),
        started_at=None,
        concluded_at=None,
        judged_at=None,
        fingerprint=None,
        reused_from=None,
        summary="",
        impact=None,
        policy=None,
        policy_error=None,
        steps=0,
        input_tokens=0,
        output_tokens=0,
        rest_calls=0,
        cost=0,
        error=None,
    )
    return replace(row, **changed)


@pytest.mark.parametrize(
    ("first", "second", "worst"),
    [
        ("success", "failure", "failure"),
        ("failure", "success", "failure"),
        ("success", "neutral", "neutral"),
        ("neutral", "action_required", "action_required"),
        ("cancelled", "success", "cancelled"),
        ("success", "success", "success"),
    ],
)
def test_the_check_says_the_worst_of_two(first, second, worst):
    rows = [a_row(1), a_row(2)]

    truth = truth_of(rows, {"e1": first, "e2": second})

    assert truth.conclusion == worst
    assert {truth.shown.id, *(other.id for other in truth.others)} == {"e1", "e2"}


def test_a_go_is_not_shown_while_another_with_this_head_is_evaluated():
    truth = truth_of([a_row(1), a_row(2)], {"e1": "success", "e2": None})

    assert (truth.conclusion, truth.shown.id) == (None, "e2")


def test_a_no_go_is_shown_at_once():
    truth = truth_of([a_row(1), a_row(2)], {"e1": "failure", "e2": None})

    assert (truth.conclusion, truth.shown.id) == ("failure", "e1")


def test_the_check_names_the_pull_request_and_generation_whose_verdict_it_shows():
    assert external_id_of(a_row(12)) == "gonogo:12:3"
    assert external_id_of(replace(a_row(1), pull_request_id=None)) == f"gonogo:group:{HEAD}"
