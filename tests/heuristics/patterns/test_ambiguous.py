import time

import pytest

from heuristics.patterns.ambiguous import is_catastrophic


@pytest.mark.parametrize(
    "pattern",
    [
        r"^([A-Z0-9]+-?)+$", r"(a+)+$", r"^(\w+\s?)*$", r"(a|aa)+$", r"^(a|a)*$", r"(\w|\d)+$", r"^(\d+)*x$", r".*.*=.*", r"^(?:[a-z0-9]+[._-]?)*@",
        r"^([a-zA-Z0-9_.-]+)+@x$", r"(?:\s*,?\s*)*;$", r"(x+x+)+y",
    ],
)  # fmt: skip
def test_nested_and_overlapping_repetition_is_catastrophic(pattern) -> None:
    assert is_catastrophic(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        r"^[A-Z0-9]+(-[A-Z0-9]+)*$", r"^\d{4}-\d{2}-\d{2}$", r"^[\w.+-]+@[\w-]+\.[\w.-]+$", r"(a+)+", r"^\s*(.*?)\s*$", r"^(?>a+)+$", r"^(?:a++)+$",
        r"^([a-z]{2})+$", r"^(\d+,)*\d+$", r'"(?:[^"\\]|\\.)*"', r"^.*foo.*$", r"^((25[0-5]|2[0-4]\d|1?\d?\d)(\.|$)){4}$", "plain", "", "((", "[z-", "(?P<",
    ],
)  # fmt: skip
def test_repetition_that_can_be_read_in_one_way_only_is_not(pattern) -> None:
    assert not is_catastrophic(pattern)


@pytest.mark.parametrize(
    "pattern", ["(" * 700 + "a" + ")+" * 700, "[a-z]*" * 240 + "x", "(a|b|ab)*" * 30 + "x$", r"([a-z]+|\w+|\d*)*" * 12 + "$"]
)
def test_a_hostile_pattern_is_judged_in_no_time(pattern) -> None:
    started = time.monotonic()

    is_catastrophic(pattern)

    assert time.monotonic() - started < 2
