from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

from forecasting.counters import is_counter, rate_of_counter
from forecasting.daylight import aligned_to_the_clock
from forecasting.prepare import on_grid, prepare
from gonogo.context import Series

START = datetime(2026, 5, 4, tzinfo=UTC)


def a_series(values, *, metric="cpu", unit="Percent", step_s=300.0, start=START):
    return Series(resource="r", metric=metric, unit=unit, start=start, step_s=step_s, values=tuple(values))


def prepared(values, **more):
    return prepare([a_series(values, **more)], horizon=timedelta(hours=2))


def names(values, **more):
    return [note.partition(":")[0] for note in prepared(values, **more).qualities[0].notes]


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ([None] * 700, "all missing"),
        ([1.0] * 5, "not enough data"),
        ([float(i % 7) for i in range(40)], "short"),
        ([4.0] * 700, "constant"),
        ([float(i % 7) if i % 3 else None for i in range(700)], "gappy"),
        ([float(i % 7) if i < 690 else None for i in range(700)], "stale"),
        ([float(i % 50 == 0) for i in range(700)], "zero-heavy"),
        ([1e12 + i % 7 for i in range(700)], "huge offset"),
        ([float("inf") if i == 9 else float(i % 7) for i in range(700)], "infinite"),
    ],
)
def test_each_oddity_has_its_name(values, name):
    assert name in names(values)


def test_a_counter_becomes_a_rate_and_a_reset_is_no_fall():
    counted = [float(i * 600 if i < 400 else (i - 400) * 600) for i in range(700)]

    found = prepared(counted, metric="http_requests_total", unit="Count")

    assert found.qualities[0].notes[0] == "counter: turned into a rate a second, 1 reset taken into account"
    known = found.request.values[0][np.isfinite(found.request.values[0])]
    assert np.median(known) == pytest.approx(2.0)
    assert known.min() >= 0


def test_a_gauge_that_is_named_like_a_counter_stays_one():
    assert not is_counter("workers_total", np.array([3.0, 4, 2, 5, 3, 4, 2, 5, 3]))


def test_a_rate_over_a_long_gap_is_unknown():
    rates, resets = rate_of_counter(np.array([0.0, 60, np.nan, np.nan, np.nan, 300, 360]), 60)

    assert resets == 0
    assert rates[1] == 1
    assert np.isnan(rates[5])
    assert rates[6] == 1


def test_readings_of_different_steps_and_starts_share_one_utc_grid():
    east = timezone(timedelta(hours=2))
    fine = a_series([1.0, 3.0] * 300, step_s=60, start=datetime(2026, 5, 4, 2, tzinfo=east))
    coarse = a_series([7.0] * 100, step_s=300, start=START + timedelta(minutes=100))

    request = prepare([fine, coarse], horizon=timedelta(hours=2)).request

    assert request.step_s == 300
    assert request.start == START
    assert request.values.shape == (2, 120)
    assert np.isnan(request.values[1, :20]).all()
    assert request.values[1, 20] == 7


def test_a_maximum_stays_a_maximum_on_a_coarser_grid():
    rows = on_grid(np.arange(10.0), np.arange(10.0), 0, 5, 2, of_peaks=True)

    assert rows.tolist() == [4, 9]


def test_a_mean_keeps_its_digits_at_a_huge_level():
    assert on_grid(np.arange(4.0), 1e15 + np.array([0.0, 2, 4, 6]), 0, 2, 2).tolist() == [1e15 + 1, 1e15 + 5]


def test_a_long_horizon_is_forecast_on_a_coarser_grid():
    request = prepare([a_series([float(i % 9) for i in range(4000)])], horizon=timedelta(days=2)).request

    assert request.horizon <= 144
    assert request.horizon * request.step_s == 2 * 86400


def a_week(switch_day, hour_steps):
    steps = np.arange(7 * 96)
    phase = np.where(steps >= switch_day * 96, steps + hour_steps, steps)
    return 50 + 30 * np.sin(phase / 96 * 2 * np.pi) ** 3 + np.random.default_rng(1).normal(size=steps.size) * 0.5


@pytest.mark.parametrize("hour", [4, -4])
def test_days_before_a_change_of_the_clock_are_moved_along(hour):
    week = a_week(4, hour)

    moved, notes = aligned_to_the_clock(week, 96, 900)

    assert "clock change" in notes[0]
    last, before = week[-96:], moved[2 * 96 : 3 * 96]
    assert np.nanmax(np.abs(last - before)) < 5


def test_days_without_a_change_are_left_alone():
    week = a_week(8, 4)

    moved, notes = aligned_to_the_clock(week, 96, 900)

    assert notes == []
    assert (moved == week).all()
