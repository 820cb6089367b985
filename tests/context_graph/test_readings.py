"""What a reading of production says."""

from datetime import UTC, datetime, timedelta

import pytest

from context_graph.readings import captured, configured, is_configured, list_lacks, matching, statistic_of, values_in, window_of
from gonogo.context import LogLine, Series, Window
from gonogo.resource import Resource

START = datetime(2026, 5, 4, tzinfo=UTC)
SERIES = Series(resource="a", metric="m", unit="Count", start=START, step_s=300, values=(1, None, 3, 4))


@pytest.mark.parametrize(
    ("statistic", "expected"),
    [("min", 1), ("max", 4), ("mean", 8 / 3), ("sum", 8), ("last", 4), ("p50", 3), ("p95", 3.9), ("p99", 3.98)],
)
def test_statistics_leave_gaps_out_and_interpolate(statistic, expected) -> None:
    assert statistic_of(values_in(SERIES, window_of(SERIES)), statistic) == pytest.approx(expected)


def test_a_window_includes_its_start_and_excludes_its_end() -> None:
    window = Window(start=START + timedelta(minutes=10), end=START + timedelta(minutes=15))

    assert values_in(SERIES, window) == [3]


def test_no_reading_is_none_not_zero() -> None:
    assert statistic_of([], "max") is None


def test_numbers_are_captured_with_their_separators() -> None:
    lines = [LogLine(timestamp=START, resource="a", message=f"used {n} MB") for n in ("1,024", "980", "many")]
    found = matching(lines, r"used (?P<mb>\S+) MB", Window(start=START, end=START + timedelta(seconds=1)))

    assert captured(found, "mb") == [1024, 980]


def test_absence_is_proved_by_a_list_that_was_read_only() -> None:
    resource = Resource(
        id="a", kind="k", name="a", attributes={"environment_keys": ["A"], "bindings": {"Q": "queue"}, "nested": {"x": {"y": 1}}}
    )

    assert list_lacks(resource, "environment_keys", "B") is True
    assert list_lacks(resource, "bindings", "Q") is False
    assert list_lacks(resource, "routes", "B") is None
    assert configured(resource, "nested.x.y") == 1


@pytest.mark.parametrize(
    ("stored", "asked"), [("DesiredCount", "desired_count"), ("desiredCount", "desired_count"), ("max-age", "max_age")]
)
def test_a_key_is_found_however_its_provider_spells_it(stored: str, asked: str) -> None:
    resource = Resource(id="r", kind="x.y.z", name="r", attributes={stored: 3})

    assert configured(resource, asked) == 3
    assert not is_configured(resource, "other")
