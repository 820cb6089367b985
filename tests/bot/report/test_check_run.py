"""The check run: within GitHub's limits, on lines that exist, with three buttons."""

import pytest

from bot.report import annotations
from bot.report.annotations import A_CALL, MAX_MESSAGE, MOST, batches
from bot.report.check_run import ACTIONS, check_output
from bot.report.comment import comment_text
from bot.report.conclusions import Outcome
from bot.report.published import Other
from bot.report.shown import shown
from gonogo.evaluation import Evaluation
from gonogo.evidence import FileEvidence
from gonogo.finding import Finding
from gonogo.policy import Policy

GITHUB_TAKES = 65_535
PATH = "migrations/0114_order_search_trgm.sql"


def annotations_of(evaluation: Evaluation):
    return annotations.annotations_of(evaluation, shown(evaluation))


def with_findings(evaluation: Evaluation, *findings: Finding) -> Evaluation:
    return evaluation.model_copy(update={"ledger": (), "blocking": (), "findings": findings})


def a_finding(line: int = 1, **more: str) -> Finding:
    return Finding(**({"rule": "a/rule", "file": "app.py", "message": "it looks odd"} | more), line=line)


def test_it_says_the_same_as_the_comment(no_go, published):
    shown = published(no_go)
    output = check_output(shown)

    assert output.title == "no-go: Building orders_search blocks writes to orders (high impact)"
    assert output.summary.startswith(comment_text(shown).splitlines()[0])
    assert "**To make this safe:**" in output.summary
    assert "**Go if**" in output.summary
    assert "**trigger**" in output.text
    assert "read 1/1 file" in output.text


def test_the_title_says_what_shadow_mode_would_have_said(no_go, published):
    output = check_output(published(no_go, policy=Policy(shadow=True)))

    assert output.title == "shadow mode: would have said no-go: Building orders_search blocks writes to orders (high impact)"


def test_the_title_names_other_pull_requests_of_the_same_head(go, published):
    output = check_output(published(go, others=[Other(number=115, outcome=Outcome.GO), Other(number=7, outcome=Outcome.RUNNING)]))

    assert output.title == "go (#115 go, #7 evaluating)"


def test_it_has_three_buttons_that_github_takes(no_go, published):
    assert check_output(published(no_go)).actions == ACTIONS
    assert [action.label for action in ACTIONS] == ["Re-evaluate", "Acknowledge", "Run benchmark"]
    assert all(len(a.label) <= 20 and len(a.description) <= 40 and len(a.identifier) <= 20 for a in ACTIONS)


@pytest.mark.parametrize("letter", ["x", "ü", "語", "🔴"])
def test_summary_and_text_have_a_length_that_github_takes_in_characters_and_in_bytes(no_go, published, letter):
    entry = no_go.ledger[0]
    many = tuple(
        entry.model_copy(update={"trajectory": entry.trajectory.model_copy(update={"title": f"{'abcdefghij'[n % 10] * (n + 1)} {letter * 1_900}", "make_safe": letter * 1_900})})
        for n in range(60)
    )  # fmt: skip
    output = check_output(published(no_go.model_copy(update={"ledger": many, "blocking": ()})))

    for part in (output.summary, output.text):
        assert len(part) <= len(part.encode()) <= GITHUB_TAKES
        assert part.count("<details") == part.count("</details>")
    assert len(output.title) <= 200
    assert output.summary.startswith("### 🔴 **no-go**")
    assert "did not fit here in full" in output.text


def test_a_confirmed_trajectory_is_a_failure_at_the_line_it_starts_from(no_go):
    (found,) = annotations_of(no_go)

    assert (found.path, found.line, found.level) == (PATH, 3, "failure")
    assert found.title.startswith("Building orders_search blocks writes to orders (high impact, ")
    assert "To make this safe: Build it with `CREATE INDEX CONCURRENTLY`" in found.message


def test_what_is_not_settled_is_a_warning_that_asks(risky):
    (found,) = annotations_of(risky)

    assert found.level == "warning"
    assert "How many rows and bytes has orders" in found.message


def test_a_refuted_suspicion_is_no_annotation(go):
    assert annotations_of(go) == ()


def test_lines_of_the_base_and_lines_that_are_not_there_are_not_annotated(no_go):
    findings = (a_finding(3), a_finding(4, side="base"), a_finding(0))

    assert [(a.line, a.level) for a in annotations_of(with_findings(no_go, *findings))] == [(3, "notice")]


def test_a_citation_that_does_not_hold_is_not_annotated(no_go):
    entry = no_go.ledger[0].model_copy(update={"verifications": ()})

    assert annotations_of(no_go.model_copy(update={"ledger": (entry,), "findings": ()})) == ()


def test_annotations_come_in_calls_of_fifty_and_never_without_end(no_go):
    found = annotations_of(with_findings(no_go, *(a_finding(n) for n in range(1, 3_001))))

    assert len(found) == MOST
    assert [len(call) for call in batches(found)] == [A_CALL] * 4
    assert [len(call) for call in batches(found[:51])] == [50, 1]


def test_messages_and_titles_are_cut_where_github_cuts(no_go):
    long = a_finding(rule="r" * 400, message="語" * 40_000)
    (found,) = annotations_of(with_findings(no_go, long))

    assert len(found.message.encode()) <= MAX_MESSAGE
    assert found.message.endswith("…")
    assert len(found.title) == 255


def test_a_path_that_had_to_be_cleaned_is_no_path_of_a_file(no_go):
    hidden = a_finding(file="a\u202eb.py"), a_finding(file="ghp_" + "a1B2" * 10 + ".py")

    assert annotations_of(with_findings(no_go, *hidden)) == ()


def test_nothing_in_an_annotation_pings_or_refers(no_go):
    (found,) = annotations_of(
        with_findings(no_go, a_finding(rule="@octocat #1", message="@octocat closes #12 &#64;hubot https://evil.example"))
    )

    assert "@\u200boctocat closes #\u200b12 @\u200bhubot https:\u200b//evil.example" in found.message
    assert found.title == "@\u200boctocat #\u200b1"


def test_a_check_that_is_under_way_has_no_annotations(no_go, published):
    output = check_output(published(no_go, outcome=Outcome.RUNNING))

    assert (output.title, output.annotations) == ("evaluating", ())


def test_a_merge_group_has_a_check_without_a_number(no_go, published):
    output = check_output(published(no_go, number=None))

    assert output.title.startswith("no-go: ")
    assert "/gonogo ack" not in output.text.partition("<sub>")[0]


def test_several_lines_of_a_trigger_are_annotated_once_each(no_go):
    entry = no_go.ledger[0]
    trigger = entry.trajectory.links[0]
    cited = trigger.evidence[0]
    assert isinstance(cited, FileEvidence)
    second = cited.model_copy(update={"line": 1, "quote": "-- search"})
    held = entry.verifications[0].model_copy(update={"evidence": second})
    links = (trigger.model_copy(update={"evidence": (cited, second, cited)}), *entry.trajectory.links[1:])
    both = entry.model_copy(
        update={"trajectory": entry.trajectory.model_copy(update={"links": links}), "verifications": (*entry.verifications, held)}
    )

    found = annotations_of(no_go.model_copy(update={"ledger": (both,), "blocking": (), "findings": ()}))

    assert [a.line for a in found] == [3, 1]
