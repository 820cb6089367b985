from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from forecasting.backtest import forecast_and_backtest
from forecasting.builtin import Builtin
from forecasting.joint import Bounds, ForecastRequest
from forecasting.seasonal_naive import SeasonalNaive

DAY = 96


def a_request(*rows, horizon=24, period=DAY, **more):
    values = np.stack([np.asarray(r, dtype=np.float64) for r in rows])
    return ForecastRequest(
        ids=tuple(f"s{i}" for i in range(len(rows))),
        values=values,
        step_s=900,
        start=datetime(2026, 5, 4, tzinfo=UTC),
        horizon=horizon,
        period=period,
        **more,
    )


def a_day(length=7 * DAY, *, seed=0, level=50.0, swing=20.0, noise=2.0):
    draw = np.random.default_rng(seed)
    return level + swing * np.sin(np.arange(length) / DAY * 2 * np.pi) + draw.normal(size=length) * noise


def test_quantiles_are_sorted_finite_and_within_bounds():
    said = Builtin().forecast(a_request(a_day(level=5), bounds=(Bounds(low=0.0, high=20.0),)))

    assert np.isfinite(said.quantiles).all()
    assert (np.diff(said.quantiles, axis=2) >= 0).all()
    assert said.quantiles.min() >= 0
    assert said.quantiles.max() <= 20
    assert said.diagnoses[0].clipped_share > 0


def test_the_same_request_gives_the_same_bits():
    request = a_request(a_day(), a_day(seed=1))

    assert (Builtin().forecast(request).quantiles == Builtin().forecast(request).quantiles).all()


def test_a_neighbour_in_the_call_changes_nothing():
    alone = Builtin().forecast(a_request(a_day())).quantiles[0]
    beside = Builtin().forecast(a_request(a_day(), a_day(seed=3, level=1e6))).quantiles[0]

    assert (alone == beside).all()


@pytest.mark.parametrize("offset", [1e5, 1e9, 1e12])
def test_a_huge_offset_only_moves_the_answer(offset):
    plain = Builtin().forecast(a_request(a_day(level=0))).quantiles
    moved = Builtin().forecast(a_request(a_day(level=0) + offset)).quantiles

    assert np.abs(moved - offset - plain).max() < 1e-2 * np.ptp(plain)


def test_fewer_than_eight_readings_are_refused_by_name():
    row = np.full(200, np.nan)
    row[-7:] = 3.0

    said = Builtin().forecast(a_request(row, a_day(200)))

    assert said.diagnoses[0].refused == "not enough data"
    assert np.isnan(said.quantiles[0]).all()
    assert np.isfinite(said.quantiles[1]).all()


def test_a_series_without_any_reading_does_not_spoil_the_others():
    said = Builtin().forecast(a_request(np.full(300, np.nan), a_day(300)))

    assert said.diagnoses[0].refused == "not enough data"
    assert np.isfinite(said.quantiles[1]).all()


def test_below_64_readings_only_the_range_of_the_last_ones_is_given():
    said = Builtin().forecast(a_request(np.arange(40.0)))

    assert (said.quantiles[0] == said.quantiles[0, 0]).all()
    assert "range of the last ones only" in said.diagnoses[0].warnings[0]


def test_a_constant_series_is_said_to_be_constant():
    said = Builtin().forecast(a_request(np.full(500, 7.0)))

    assert (said.quantiles == 7).all()
    assert "constant" in said.diagnoses[0].warnings


@pytest.mark.parametrize(
    "row",
    [
        np.where(np.arange(700) % 90 == 0, 5.0, 0.0),
        np.where(np.random.default_rng(0).random(700) < 0.33, np.nan, a_day(700)),
        np.concatenate([np.arange(400.0), np.arange(300.0)]),
        np.concatenate([np.full(300, np.nan), a_day(400)]),
        np.concatenate([a_day(600), np.full(100, np.nan)]),
        np.where(np.arange(700) == 350, 1e9, a_day(700)),
    ],
    ids=["zero-heavy", "gappy", "counter reset", "late start", "stale end", "one spike"],
)
@pytest.mark.parametrize("period", [DAY, None, 1, 5000])
def test_odd_series_get_a_finite_sorted_answer(row, period):
    said = Builtin().forecast(a_request(row, period=period))

    assert np.isfinite(said.quantiles).all()
    assert (np.diff(said.quantiles, axis=2) >= 0).all()


def test_a_spike_in_a_zero_heavy_series_does_not_become_the_band():
    said = Builtin().forecast(a_request(np.where(np.arange(700) % 90 == 0, 5.0, 0.0)))

    assert said.quantiles[0, :, :8].max() < 1
    assert said.quantiles.max() <= 5


def test_growth_from_day_to_day_goes_on():
    steps = np.arange(7 * DAY)
    grown = (40 + 5 * steps / DAY) * (1 + 0.5 * np.sin(steps / DAY * 2 * np.pi)) + np.random.default_rng(2).normal(
        size=steps.size
    )

    said = Builtin().forecast(a_request(grown, horizon=DAY))

    assert said.quantiles[0, :, 4].max() > grown.max() + 3


def test_it_beats_seasonal_naive_on_a_noisy_day():
    tested = forecast_and_backtest(Builtin(), a_request(a_day(noise=4)))

    assert tested.backtests[0].windows == 5
    assert tested.backtests[0].crps_ratio < 0.85
    assert 0.6 <= tested.backtests[0].coverage <= 0.95


def test_a_backtest_is_what_separate_calls_would_have_said():
    request = a_request(a_day(), a_day(seed=4))

    tested = forecast_and_backtest(Builtin(), request)

    for origin, said in zip(tested.origins, tested.past, strict=True):
        alone = Builtin().forecast(replace(request, values=request.values[:, :origin]))
        assert np.allclose(said.quantiles, alone.quantiles, rtol=1e-9)


def test_seasonal_naive_scores_one_against_itself():
    tested = forecast_and_backtest(SeasonalNaive(), a_request(a_day()))

    assert tested.backtests[0].crps_ratio == pytest.approx(1)


def test_a_short_history_has_no_backtest_window():
    tested = forecast_and_backtest(Builtin(), a_request(a_day(80)))

    assert tested.backtests[0].windows == 0
    assert tested.backtests[0].coverage is None


def test_bands_hold_far_ahead_as_well():
    held = []
    for seed in range(6):
        row = a_day(8 * DAY, seed=seed, noise=5)
        said = Builtin().forecast(a_request(row[: -2 * DAY], horizon=2 * DAY)).quantiles[0]
        far = slice(DAY, 2 * DAY)
        held.append(((row[-2 * DAY :][far] >= said[far, 0]) & (row[-2 * DAY :][far] <= said[far, 8])).mean())

    assert 0.65 < np.mean(held) < 0.95
