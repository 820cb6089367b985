"""When schedules fire, and what is no schedule."""

import pytest

from heuristics.runtime.cron import schedule_of
from heuristics.runtime.instances import Size, size_of


@pytest.mark.parametrize(
    ("text", "interval", "a_week"),
    [
        ("0 * * * *", 60, 168),
        ("*/5 * * * *", 5, 2016),
        ("0 9 * * MON-FRI", 1440, 5),
        ("cron(0 9 ? * MON-FRI *)", 1440, 5),
        ("cron(0 2 * * ? *)", 1440, 7),
        ("0 0 2 * * ?", 1440, 7),
        ("0 */10 * * * *", 10, 1008),
        ("*/30 * * * * *", 0.5, 20160),
        ("15,45 * * * *", 30, 336),
        ("0 23,1 * * *", 120, 14),
        ("rate(5 minutes)", 5, 2016),
        ("every 1.hour", 60, 168),
        ("@daily", 1440, 7),
        ("TZ=Europe/Vienna 0 2 * * *", 1440, 7),
    ],
)
def test_a_schedule_has_its_shortest_interval_and_its_starts_a_week(text, interval, a_week):
    found = schedule_of(text)

    assert found is not None
    assert (found.interval_min, found.a_week) == (interval, a_week)


@pytest.mark.parametrize(
    "text", ["", "hello", "a b c d e", "61 * * * *", "* * * *", "rate(0 minutes)", "2024 1 1 1 1", "*/0 x * * *", "(" * 9999]
)
def test_what_is_no_schedule_gives_none(text):
    assert schedule_of(text) is None


def test_two_schedules_meet_when_they_share_a_minute():
    one, two, three = (schedule_of(t) for t in ("0 2 * * *", "cron(0 2 * * ? *)", "30 2 * * *"))

    assert one is not None
    assert two is not None
    assert three is not None
    assert (one.meets(two), one.meets(three)) == (True, False)


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("db.r6g.2xlarge", Size(8, 64)),
        ("cache.t4g.small", Size(2, 2)),
        ("m5.24xlarge", Size(96, 384)),
        ("db-custom-4-15360", Size(4, 15)),
        ("n1-standard-4", Size(4, 16)),
        ("Standard_D4s_v3", Size(4, 16)),
        ("db.r6g.metal", None),
        ("big", None),
    ],
)
def test_an_instance_class_has_its_size(name, size):
    assert size_of(name) == size
