import dataclasses
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field, replace
from threading import Barrier

import pytest

from gonogo.record import Record


class Point(Record):
    x: int
    y: int = 0


class Named(Point):
    name: str = ""


class Box(Record, frozen=False, kw_only=True):
    size: int
    items: list[str] = field(default_factory=list)


def test_records_are_equal_by_content_and_hashable():
    assert Point(1) == Point(1, 0)
    assert len({Point(1), Point(1, 0), Point(1, 1)}) == 2


def test_a_record_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Point(1).x = 2  # pyright: ignore[reportAttributeAccessIssue]


def test_a_record_is_replaced_and_shown_as_a_dataclass():
    moved = replace(Point(1), y=3)

    assert repr(moved) == "Point(x=1, y=3)"
    assert dataclasses.asdict(moved) == {"x": 1, "y": 3}


def test_a_record_of_a_record_has_the_fields_of_both():
    named = Named(1, name="corner")

    assert [f.name for f in dataclasses.fields(named)] == ["x", "y", "name"]
    assert named != Point(1)


def test_a_record_that_is_not_frozen_has_its_own_defaults():
    one, other = Box(size=1), Box(size=1)
    one.items.append("x")

    assert other.items == []
    with pytest.raises(TypeError):
        hash(one)


def test_a_pattern_of_match_takes_a_record_apart():
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)


def test_a_wrong_call_says_what_is_missing():
    class Fresh(Record):
        x: int

    with pytest.raises(TypeError, match="'x'"):
        Fresh()  # pyright: ignore[reportCallIssue]


def test_the_first_objects_may_be_made_by_two_threads_at_once():
    for _ in range(50):

        class Fresh(Record):
            x: int

        both = Barrier(2)

        def make(value: int, fresh: type[Fresh] = Fresh, both: Barrier = both) -> Fresh:
            both.wait()
            return fresh(value)

        with ThreadPoolExecutor(2) as pool:
            assert [f.x for f in pool.map(make, (1, 2))] == [1, 2]
