"""Acceptances in comments: where they stand, what they are about, and why one accepts nothing."""

from datetime import date
from time import process_time

import pytest

from gonogo.acceptance import Acceptance, AcceptedHere
from gonogo.finding import Finding, RuleId
from heuristics.acceptances import acceptances_in, acceptances_of, accepted

RULE = "postgres/vacuum-full"


def only(text: str, file: str = "a.sql", **named: object) -> Acceptance:
    (found,) = acceptances_in(file, text, **named)  # pyright: ignore[reportArgumentType]
    return found


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("a.sql", "VACUUM FULL t; -- gonogo: accept postgres/vacuum-full because it is night"),
        ("a.yml", "timeout: 3  # gonogo: accept postgres/vacuum-full because it is night"),
        ("a.ts", "const a = 1 // gonogo: accept postgres/vacuum-full because it is night"),
        ("a.css", "a { b: 1 } /* gonogo: accept postgres/vacuum-full because it is night */"),
        ("a.html", "<a/> <!-- gonogo: accept postgres/vacuum-full because it is night -->"),
        ("a.html", "{% a %} {# gonogo: accept postgres/vacuum-full because it is night #}"),
        ("a.sql", "VACUUM FULL t; --gonogo:accept postgres/vacuum-full because it is night"),
        ("a.sql", "SELECT 'it''s'; # gonogo: accept postgres/vacuum-full because it is night"),
        ("a.sql", r"SELECT 'C:\'; -- gonogo: accept postgres/vacuum-full because it is night"),
        ("a.sql", "DO $$ VACUUM FULL t; -- gonogo: accept postgres/vacuum-full because it is night\n$$;"),
        ("a.py", "x = '#' # gonogo: accept postgres/vacuum-full because it is night"),
        ("a.tf", 'a = "b" # gonogo: accept postgres/vacuum-full because it is night'),
        ("a.toml", 'a = "#" # gonogo: accept postgres/vacuum-full because it is night'),
        ("a.unknown", "a 'b' # gonogo: accept postgres/vacuum-full because it is night"),
    ],
)
def test_a_comment_at_the_end_of_a_line_is_about_that_line(file: str, line: str) -> None:
    found = only(f"\n{line}\n", file)

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


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a.sql", "DELETE FROM t WHERE y = '-- MARK';\n"),
        ("a.sql", "DELETE FROM t WHERE y = '\n-- MARK\n';\n"),
        ("a.sql", "INSERT INTO t VALUES (E'it\\'s -- MARK');\n"),
        ("a.sql", "INSERT INTO t VALUES ('it\\'s -- MARK');\n"),
        ("a.sql", "SELECT $x$ -- MARK $x$;\n"),
        ("a.sql", 'SELECT "/* MARK */";\n'),
        ("a.py", 'x = "# MARK"\n'),
        ("a.py", 'x = """\n# MARK\n"""\ny = 1\n'),
        ("a.ts", "const x = '// MARK'\n"),
        ("a.js", "const x = `\n// MARK\n`\nf()\n"),
        ("a.yml", 'a: "# MARK"\n'),
        ("a.yml", "a: x# MARK\n"),
        ("a.tf", 'a = "# MARK"\n'),
        ("a.go", 'package a\n\nvar x = "// MARK"\n'),
        ("A.java", 'class A { String x = "// MARK"; }\n'),
        ("a.rb", "x = '# MARK'\n"),
        ("a.json", '{"a": "// MARK"}\n'),
        ("a.toml", 'a = "# MARK"\n'),
        ("a.proto", 'option a = "// MARK";\n'),
        ("a.unknown", 'say "# MARK"\n'),
    ],
)
def test_the_words_in_a_string_accept_nothing(file: str, text: str) -> None:
    marked = text.replace("MARK", f"gonogo: accept {RULE} because archived")

    assert acceptances_in(file, marked) == ()


@pytest.mark.parametrize("text", ["/*" * 200_000, "$" * 200_000, "'$a$ do " * 100_000, "{#" * 200_000])
@pytest.mark.parametrize("file", ["a.sql", "a.proto", "a.toml"])
def test_text_that_opens_and_never_closes_is_read_once(file: str, text: str) -> None:
    before = process_time()

    acceptances_in(file, f"{text}\n-- gonogo: accept {RULE} because it is night\n")

    assert process_time() - before < 5


def test_a_comment_behind_a_string_with_the_words_accepts() -> None:
    found = only(f"SELECT '-- gonogo: accept a/b because x'; -- gonogo: accept {RULE} because it is night\n")

    assert (found.rules, found.reason) == ((RULE,), "it is night")


def test_the_words_outside_of_a_comment_accept_nothing() -> None:
    assert acceptances_in("a.sql", "SELECT 'gonogo: accept postgres/vacuum-full because it is night';\n") == ()


def test_an_entry_of_the_configuration_is_about_its_files() -> None:
    entries = acceptances_of([AcceptedHere(rule=RULE, file="infra/*.json", reason="it is closed")])

    assert accepted(Finding(rule=RuleId(RULE), file="infra/a.json", line=9, message=""), entries)
    assert not accepted(Finding(rule=RuleId(RULE), file="app/a.json", line=9, message=""), entries)


def test_a_comment_of_the_head_is_not_about_a_line_that_was_removed() -> None:
    found = only(f"x -- gonogo: accept {RULE} because it is night\n")

    assert not accepted(Finding(rule=RuleId(RULE), file="a.sql", line=1, side="base", message=""), [found])
