import re

import pytest

from gonogo.pattern import pattern


def test_a_pattern_answers_as_a_compiled_one():
    later, compiled = pattern(r"(?P<name>\w+)=(\d+)", re.IGNORECASE), re.compile(r"(?P<name>\w+)=(\d+)", re.IGNORECASE)
    text = "a=1, B=22"

    assert later.findall(text) == compiled.findall(text)
    assert [m.span() for m in later.finditer(text)] == [m.span() for m in compiled.finditer(text)]
    assert later.sub(r"\2", text) == compiled.sub(r"\2", text)
    assert later.split(text) == compiled.split(text)
    assert (later.pattern, later.flags, later.groups) == (compiled.pattern, compiled.flags, compiled.groups)
    assert later.groupindex == compiled.groupindex


def test_positions_are_those_of_a_compiled_pattern():
    found = pattern("b").search("abab", 2)

    assert found is not None
    assert found.start() == 3
    assert pattern("b").match("abab", 1) is not None
    assert pattern("b").fullmatch("abab", 1, 2) is not None


def test_a_pattern_is_a_pattern_for_who_asks():
    later = pattern("b+")

    assert isinstance(later, re.Pattern)
    assert re.sub(later, "-", "abba") == "a-a"


def test_a_pattern_of_bytes_reads_bytes():
    assert pattern(rb"\d+").findall(b"7 and 8") == [b"7", b"8"]


def test_a_wrong_pattern_is_told_at_its_first_use():
    wrong = pattern("(")

    with pytest.raises(re.error):
        wrong.search("x")


def test_a_pattern_has_no_other_attribute():
    assert not hasattr(pattern("x"), "searched")
