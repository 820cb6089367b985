"""Acceptances in comments: where they stand, what they are about, and why one accepts nothing."""

from datetime import date

import pytest

from gonogo.acceptance import Acceptance, AcceptedHere
from gonogo.finding import Finding, RuleId
from heuristics.acceptances import acceptances_in, acceptances_of, accepted

RULE = "postgres/vacuum-full"


def only(text: str, **named: object) -> Acceptance:
    (found,) = acceptances_in("a.sql", text, **named)  # pyright: ignore[reportArgumentType]
    return found


@pytest.mark.parametrize(
    "line",
    [
        "VACUUM FULL t; -- gonogo: accept postgres/vacuum-full because it is night",
        "timeout: 3  # gonogo: accept postgres/vacuum-full because it is night",
        "const a = 1 // gonogo: accept postgres/vacuum-full because it is night",
        "a { b: 1 } /* gonogo: accept postgres/vacuum-full because it is night */",
        "<a/> <!-- gonogo: accept postgres/vacuum-full because it is night -->",
        "{% a %} {# gonogo: accept postgres/vacuum-full because it is night #}",
        "VACUUM FULL t; --gonogo:accept postgres/vacuum-full because it is night",
    ],
)
def test_a_comment_at_the_end_of_a_line_is_about_that_line(line: str) -> None:
    found = only(f"first\n{line}\n")

    assert (found.rules, found.reason, found.accepts_line, found.problem) == ((RULE,), "it is night", 2, "")


def test_a_comment_on_a_line_of_its_own_is_about_the_next_line_that_is_none() -> None:
    found = only(f"-- gonogo: accept {RULE} because it is night\n-- and nobody looks\nVACUUM FULL t;\n")

    assert found.accepts_line == 3


def test_an_empty_line_ends_what_a_comment_is_about() -> None:
    found = only(f"-- gonogo: accept {RULE} because it is night\n\nVACUUM FULL t;\n")

    assert found.problem == "no line stands below it"


def test_one_comment_may_accept_several_rules_until_a_day() -> None:
    found = only("# gonogo: accept a/b, lock-on-live-table until 2027-03-31 because it is closed\nx\n")

    assert (found.rules, found.until) == (("a/b", "lock-on-live-table"), date(2027, 3, 31))


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("accept postgres/vacuum-full", "it has no reason"),
        ("accept postgres/vacuum-full because ", "it has no reason"),
        ("accept because it is night", "it can't be read"),
        ("accept everything/here because it is night", "is no rule and no playbook"),
        ("accept postgres/vacuum-full until 2026-01-01 because it is night", "it held until 2026-01-01"),
        ("accept postgres/vacuum-full until 2026-13-01 because it is night", "is no date"),
    ],
)
def test_an_acceptance_that_says_too_little_accepts_nothing_and_says_why(said: str, problem: str) -> None:
    found = only(f"x -- gonogo: {said}\n", today=date(2026, 6, 1), known={RULE})

    assert problem in found.problem
    assert accepted(Finding(rule=RuleId(RULE), file="a.sql", line=1, message=""), [found]) is None


def test_the_words_outside_of_a_comment_accept_nothing() -> None:
    assert acceptances_in("a.sql", "SELECT 'gonogo: accept postgres/vacuum-full because it is night';\n") == ()


def test_an_entry_of_the_configuration_is_about_its_files() -> None:
    entries = acceptances_of([AcceptedHere(rule=RULE, file="infra/*.json", reason="it is closed")])

    assert accepted(Finding(rule=RuleId(RULE), file="infra/a.json", line=9, message=""), entries)
    assert not accepted(Finding(rule=RuleId(RULE), file="app/a.json", line=9, message=""), entries)


def test_a_comment_of_the_head_is_not_about_a_line_that_was_removed() -> None:
    found = only(f"x -- gonogo: accept {RULE} because it is night\n")

    assert not accepted(Finding(rule=RuleId(RULE), file="a.sql", line=1, side="base", message=""), [found])
