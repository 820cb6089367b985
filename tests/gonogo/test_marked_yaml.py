"""YAML of strangers: read with the line of each value; what would crash or swell a reader is one mistake with its line."""

from itertools import pairwise
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gonogo.marked_yaml import MAX_CHARACTERS, MAX_DEPTH, MAX_VALUES, read_marked

NAMES = "abcdefghi"
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{inner}: &{inner} [{', '.join([f'*{outer}'] * 9)}]\n" for outer, inner in pairwise(NAMES)
)

HOSTILE = {
    "a bomb of aliases": (BOMB, 5, "more than 20,000 values"),
    "lists in lists": ("a:\n " + "[" * 100 + "]" * 100, 2, "nested deeper than 40 levels"),
    "lists in lists that the parser itself refuses": ("a:\n " + "[" * 90_000 + "]" * 90_000, 2, ""),
    "mappings in mappings": ("\n".join(" " * n + "a:" for n in range(200)), MAX_DEPTH + 1, "nested deeper"),
    "aliases in aliases": (
        "".join(f"a{n + 1}: &a{n + 1} [*a{n}]\n" if n else "a1: &a1 [x]\n" for n in range(200)),
        40,
        "nested deeper",
    ),
    "an alias of itself": ("a: &x [*x]", 1, "stands for nothing"),
    "an alias of nothing": ("a: b\nc: *d", 2, "stands for nothing"),
    "a huge whole number": ("a:\n  " + "9" * 50_000, 2, "a number of 50,000 characters is too long"),
    "a huge hexadecimal": ("a: 0x" + "f" * 100, 1, "too long"),
    "a long sexagesimal": ("a: 1" + ":59" * 1000, 1, "too long"),
    "a day that is none": ("a: 2026-02-31", 1, "cannot be read as timestamp"),
    "a tag that runs code": (
        "a: !!python/object/apply:os.system ['x']",
        1,
        "the tag !!python/object/apply:os.system is not read",
    ),
    "a tag of ones own": ("a: b\nc: !secret x", 2, "the tag !secret is not read"),
    "binary": ("a: !!binary aGk=", 1, "the tag !!binary is not read"),
    "a key twice": ("a: 1\nb: 2\na: 3", 3, "'a' is given twice, on line 1 as well"),
    "a list as a key": ("? [a]\n: b", 1, "a key has to be text"),
    "an alias as a key": ("a: &x b\n*x : c", 2, "a key has to be text"),
    "two documents": ("a: 1\n---\nb: 2", 2, "a second document"),
    "a tabulator": ("a:\n\t- b", 2, "not valid YAML"),
    "a control character": ("a: 1\nb: \x00", 2, "the character U+0000"),
    "half a surrogate pair": ("a: \ud800", 1, "the character U+D800"),
    "an open quote": ("a: 'b\n\n", 3, "not valid YAML"),
    "another version": ("%YAML 9.9\n---\na: 1", 1, "not valid YAML"),
    "too many values": ("a: [" + "1, " * (MAX_VALUES + 1) + "]", 1, "more than 20,000 values"),
    "too many characters": ("a" * (MAX_CHARACTERS + 1), None, "200,000 are read at the most"),
}


@pytest.mark.parametrize(("text", "line", "why"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_one_mistake_at_its_line_and_soon(text, line, why):
    began = perf_counter()

    marked = read_marked(text)

    assert [(m.line, why in m.message) for m in marked.mistakes] == [(line, True)]
    assert perf_counter() - began < 10


def test_every_path_has_its_line():
    marked = read_marked("# top\na:\n  b: 1\n  c:\n    - x\n    - y: 2\n      z: 3\nd: {e: 4}\n")

    assert marked.value == {"a": {"b": 1, "c": ["x", {"y": 2, "z": 3}]}, "d": {"e": 4}}
    lines = {("a",): 2, ("a", "b"): 3, ("a", "c"): 4, ("a", "c", 0): 5, ("a", "c", 1): 6, ("a", "c", 1, "z"): 7, ("d", "e"): 8}
    assert {path: marked.line_of(path) for path in lines} == lines


def test_what_is_missing_is_at_the_line_of_what_is_around_it():
    marked = read_marked("a:\n  - b: 1\n")

    assert marked.line_of(("a", 0, "missing")) == 2
    assert marked.line_of(("nowhere",)) == 1
    assert read_marked("just text").line_of(("a",)) is None


def test_aliases_and_merge_keys_of_a_plain_file_are_read():
    marked = read_marked("a: &x {p: 1, q: 2}\nb: *x\nc: {<<: *x, q: 3}\nd: &s text\ne: *s\n")

    assert marked.value == {"a": {"p": 1, "q": 2}, "b": {"p": 1, "q": 2}, "c": {"p": 1, "q": 3}, "d": "text", "e": "text"}
    assert marked.mistakes == ()


def test_keys_stay_as_they_were_written():
    assert read_marked("off: 1\nyes: 2\n3: 4\nnull: 5\n1.50: 6\n").value == {"off": 1, "yes": 2, "3": 4, "null": 5, "1.50": 6}


def test_mistakes_of_single_values_are_told_together():
    assert [m.line for m in read_marked("a: 2026-02-31\nb: !x y\nc: 1\nc: 2\n").mistakes] == [1, 2, 4]


@settings(deadline=None, max_examples=300)
@given(st.text(alphabet=st.sampled_from("ab:-[]{}#&*!|>'\"%@`,? \n\t0.<~é\x00\ud800"), max_size=80))
def test_no_text_makes_it_fail(text):
    marked = read_marked(text)

    assert marked.is_whole or marked.mistakes


@settings(deadline=None, max_examples=200)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(10**18), 10**18) | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
        max_leaves=20,
    )
)
def test_it_reads_what_another_reader_reads(value):
    import yaml

    text = yaml.safe_dump(value, allow_unicode=True)
    marked = read_marked(text)

    assert marked.mistakes or marked.value == yaml.safe_load(text)
