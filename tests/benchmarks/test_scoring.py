import pytest

from benchmarks.scoring import score, summarise

NO_GO = {
    "id": "01-a", "category": "queue", "expected": "no-go", "expected_status": "confirmed", "hard": False,
    "expected_file": "a.tf", "expected_line": 10, "expected_resource": "q", "also_lines": [{"file": "b.py", "line": 3, "side": "base"}],
}  # fmt: skip
GO = {"id": "02-b", "category": "docs", "expected": "go", "expected_status": "none", "hard": True}


def a_report(verdict="no-go", status="confirmed", resource="q", **cited):
    evidence = [{"kind": "file", "file": "a.tf", "line": 10, **cited}]
    return {
        "verdict": verdict,
        "trajectories": [{"status": status, "resource": resource, "links": [{"evidence": evidence}]}],
        "findings": [],
    }


def test_the_right_answer_is_right_in_every_column():
    scored = score(NO_GO, a_report())

    assert (scored.is_right, scored.is_status_right, scored.file_any, scored.line_any, scored.line_decisive, scored.resource) == (
        True,
    ) * 6


@pytest.mark.parametrize(
    ("cited", "line_any"),
    [
        ({"line": 13}, True),
        ({"line": 14}, False),
        ({"line": 1, "end_line": 7}, True),
        ({"line": 1, "end_line": 30}, False),
        ({"line": None}, False),
        ({"side": "base"}, False),
        ({"file": "b.py", "line": 3, "side": "base"}, True),
        ({"file": "./a.tf"}, True),
    ],
)
def test_a_citation_counts_within_three_lines_of_its_side_and_never_as_a_whole_file(cited, line_any):
    assert score(NO_GO, a_report(**cited)).line_any is line_any


def test_a_line_cited_by_what_does_not_decide_is_not_decisive():
    scored = score(NO_GO, a_report(verdict="go", status="refuted"))

    assert (scored.is_right, scored.line_any, scored.line_decisive, scored.status) == (False, True, False, "refuted")


def test_no_report_is_wrong_even_when_nothing_was_expected():
    scored = score(GO, None, error="no report")

    assert (scored.is_right, scored.is_status_right, scored.is_status_right_loosely) == (False, False, False)


def test_a_harmless_change_with_something_reported_is_noise():
    assert score(GO, a_report(verdict="go", status="plausible")).is_noisy is True
    assert score(GO, a_report(verdict="go", status="refuted")).is_noisy is False


def test_the_summary_counts_what_was_false_and_what_was_missed():
    scores = [
        score(NO_GO | {"pair": "p"}, a_report()),
        score(NO_GO | {"id": "03-c"}, a_report(verdict="go", status="plausible")),
        score(GO | {"pair": "p"}, a_report()),
    ]

    summary = summarise(scores)

    assert summary["no_go"] == summary["no_go"] | {
        "precision": 0.5,
        "recall": 0.5,
        "false_positives": ["02-b"],
        "false_negatives": ["03-c"],
    }
    assert summary["pairs_both_right"] == {"right": 0, "of": 1, "wrong": ["/p"]}
    assert summary["by_hard"] == {"hard": {"n": 1, "verdict_accuracy": 0.0}, "plain": {"n": 2, "verdict_accuracy": 0.5}}


def test_no_cases_give_no_figures_rather_than_zero():
    summary = summarise([])

    assert (summary["verdict_accuracy"], summary["no_go"]["precision"], summary["seconds"]) == (None, None, {})
