"""What the bare model does wrong at its edges, and what the forecaster makes of it: with numpy here, with torch in .venv-toto."""

import threading
from dataclasses import replace
from datetime import UTC, datetime
from importlib.util import find_spec

import numpy as np
import pytest

from forecasting.joint import Bounds, ForecastRequest, SeriesKind
from forecasting.testing_toto import write_random_model
from forecasting.toto_forecaster import TotoForecaster
from forecasting.toto_settings import TotoSettings, open_toto
from gonogo.errors import ForecastUnavailable

RUNTIMES = ["torch"] if find_spec("toto2") else ["numpy"]


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    return write_random_model(tmp_path_factory.mktemp("weights"))


@pytest.fixture(scope="module", params=RUNTIMES)
def toto(request, weights) -> TotoForecaster:
    return open_toto(TotoSettings(folder=weights, runtime=request.param))


def some_values(series: int = 1, steps: int = 512, seed: int = 1) -> np.ndarray:
    random = np.random.default_rng(seed)
    day = np.sin(np.arange(steps) * 2 * np.pi / 96)
    return 10 + day + random.normal(0, 0.3, (series, steps))


def a_request(values: np.ndarray, *, horizon: int = 40, **changes) -> ForecastRequest:
    ids = tuple(f"series {row}" for row in range(len(values)))
    return ForecastRequest(ids, values, 300.0, datetime(2026, 11, 1, tzinfo=UTC), horizon, **changes)


def widths_apart(one: np.ndarray, other: np.ndarray) -> float:
    """The largest difference of two bands, in widths of the first."""
    return float(np.abs((one - other) / (one[..., -1:] - one[..., :1])).max())


@pytest.mark.parametrize("steps", [8, 16, 31, 32, 33, 100, 255, 256, 500, 4096, 5000])
def test_history_of_any_length_is_taken_as_whole_patches(toto, steps):
    answer = toto.forecast(a_request(some_values(2, steps)))

    assert answer.quantiles.shape == (2, 40, 9)
    assert np.isfinite(answer.quantiles).all()
    assert (np.diff(answer.quantiles, axis=2) >= 0).all()


def test_an_incomplete_oldest_patch_is_dropped_when_eight_whole_ones_are_left(toto):
    values = some_values(1, 500)

    whole, part = toto.forecast(a_request(values[:, 20:])), toto.forecast(a_request(values))

    assert np.array_equal(part.quantiles, whole.quantiles)
    assert part.diagnoses[0].used_context == 480
    assert part.diagnoses[0].warnings == ("the oldest 20 of 500 steps are not used",)


def test_a_context_beyond_what_the_model_was_trained_on_is_cut_and_said(toto):
    diagnosis = toto.forecast(a_request(some_values(1, 5000))).diagnoses[0]

    assert diagnosis.used_context == 4096
    assert diagnosis.warnings == ("the oldest 904 of 5000 steps are not used",)


def test_a_gap_in_one_series_leaves_every_series_finite(toto):
    values = some_values(4)
    values[1, 100:170] = np.nan
    values[2, 300] = np.inf

    answer = toto.forecast(a_request(values))

    assert np.isfinite(answer.quantiles).all()
    assert answer.diagnoses[1].imputed_share == pytest.approx(70 / 512)
    assert answer.diagnoses[2].warnings == ("1 readings are infinite and count as missing",)


def test_what_stands_under_the_mask_changes_nothing(toto):
    values = some_values(2).astype(np.float32)
    observed = np.ones_like(values, dtype=bool)
    observed[0, 64:200] = False
    groups = np.zeros(2, np.int64)

    zeros = toto.network.quantiles(np.where(observed, values, 0).astype(np.float32), observed, groups, 40)
    millions = toto.network.quantiles(np.where(observed, values, 1e6).astype(np.float32), observed, groups, 40)

    assert widths_apart(np.moveaxis(zeros, 0, -1), np.moveaxis(millions, 0, -1)) < 1e-4


def test_a_short_gap_at_the_end_is_filled_forward_not_with_zeros(toto):
    values = some_values()
    gappy, filled = values.copy(), values.copy()
    gappy[:, -6:] = np.nan
    filled[:, -6:] = values[:, -7:-6]

    answer = toto.forecast(a_request(gappy))

    assert widths_apart(answer.quantiles, toto.forecast(a_request(filled)).quantiles) < 1e-3
    assert "6 of the last 32 readings were missing and carried forward" in answer.diagnoses[0].warnings


@pytest.mark.parametrize("gap", [17, 40, 200])
def test_a_long_gap_at_the_end_is_refused_by_name_and_the_others_are_forecast(toto, gap):
    values = some_values(2)
    values[0, -gap:] = np.nan

    answer = toto.forecast(a_request(values))

    assert answer.diagnoses[0].refused == f"{min(gap, 32)} of the last 32 readings are missing"
    assert np.isnan(answer.quantiles[0]).all()
    assert np.isfinite(answer.quantiles[1]).all()


@pytest.mark.parametrize("level", [0.0, 1e5, 1e7, 1e9, -1e9, 1e12])
def test_a_level_far_from_zero_moves_the_band_and_nothing_else(toto, level):
    noise = np.random.default_rng(3).normal(0, 1, (1, 512))

    plain, lifted = toto.forecast(a_request(noise)), toto.forecast(a_request(noise + level))

    assert widths_apart(plain.quantiles, lifted.quantiles - level) < 1e-3


@pytest.mark.parametrize("scale", [1e-300, 1e-6, 1e6, 1e300])
def test_the_unit_does_not_matter(toto, scale):
    values = some_values()

    plain, scaled = toto.forecast(a_request(values)), toto.forecast(a_request(values * scale))

    assert widths_apart(plain.quantiles, scaled.quantiles / scale) < 1e-4


@pytest.mark.parametrize("level", [0.0, 7.0, -3.5, 1e9])
def test_a_constant_series_is_said_to_be_one_and_its_neighbours_are_forecast(toto, level):
    values = some_values(2)
    values[0] = level

    answer = toto.forecast(a_request(values))

    assert (answer.quantiles[0] == level).all()
    assert answer.diagnoses[0].warnings == (f"constant at {level:g} throughout: no probability can be given",)
    assert np.isfinite(answer.quantiles[1]).all()


def test_a_short_series_has_the_same_forecast_alone_and_beside_longer_ones(toto):
    values = some_values(3, 1024)
    values[0, :524] = np.nan  # 500 steps: the oldest patch is incomplete
    values[1, :924] = np.nan  # 100 steps: fewer than eight patches
    together = toto.forecast(a_request(values, groups=(0, 1, 2)))

    for row, first in ((0, 524), (1, 924), (2, 0)):
        alone = toto.forecast(a_request(values[row : row + 1, first:]))
        assert widths_apart(alone.quantiles[0], together.quantiles[row]) < 1e-4
        assert together.diagnoses[row].used_context == alone.diagnoses[0].used_context


def test_series_of_one_group_see_each_other_and_those_of_others_do_not(toto):
    values = some_values(3)
    values[1] *= 3

    alone = toto.forecast(a_request(values[:1])).quantiles[0]
    apart = toto.forecast(a_request(values, groups=(0, 1, 2))).quantiles[0]
    joint = toto.forecast(a_request(values)).quantiles[0]

    assert widths_apart(alone, apart) < 1e-4
    assert widths_apart(alone, joint) > 1e-3


def test_threads_may_share_it(toto):
    requests = [a_request(some_values(2, 512, seed), horizon=100) for seed in range(4)]
    expected = [toto.forecast(request).quantiles for request in requests]
    wrong: list[int] = []

    def ask(row: int) -> None:
        answers = [toto.forecast(requests[row]).quantiles for _ in range(4)]
        wrong.extend(row for answer in answers if not np.array_equal(answer, expected[row]))

    threads = [threading.Thread(target=ask, args=(row,)) for row in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert wrong == []


def test_the_same_request_has_the_same_answer_to_the_last_bit(toto):
    request = a_request(some_values(3))

    assert np.array_equal(toto.forecast(request).quantiles, toto.forecast(request).quantiles)


def test_mostly_zeros_with_few_readings_in_the_first_patch_stay_plausible(toto):
    values = np.zeros((1, 320))
    values[0, ::37] = 1.0
    values[0, 3:31] = np.nan

    band = toto.forecast(a_request(values)).quantiles

    deviation = np.nanstd(values)
    assert band.max() <= 1 + 10.5 * deviation
    assert band.min() >= -10.5 * deviation


def test_no_value_outside_the_bounds_and_much_clipping_is_said(toto):
    values = np.abs(np.random.default_rng(9).normal(0, 0.2, (1, 512))) + 0.7

    answer = toto.forecast(a_request(np.minimum(values, 1.0), bounds=(Bounds(0.9, 1.0),)))

    assert answer.quantiles.min() >= 0.9
    assert answer.quantiles.max() <= 1.0
    assert answer.diagnoses[0].clipped_share > 0.05
    assert any("was clipped" in warning for warning in answer.diagnoses[0].warnings)


def test_levels_between_the_deciles_lie_between_and_those_beyond_have_exponential_tails(toto):
    request = a_request(some_values())
    deciles = toto.forecast(request).quantiles[0]

    wide = toto.forecast(replace(request, levels=(0.01, 0.1, 0.25, 0.5, 0.9, 0.95, 0.99))).quantiles[0]

    assert np.allclose(wide[:, [1, 3, 4]], deciles[:, [0, 4, 8]])
    assert np.allclose(wide[:, 2], (deciles[:, 1] + deciles[:, 2]) / 2)
    beta = (deciles[:, 8] - deciles[:, 4]) / np.log(5)
    assert np.allclose(wide[:, 6], deciles[:, 8] + beta * np.log(10))
    assert (np.diff(wide, axis=1) >= 0).all()


def test_long_horizons_keep_the_order_of_the_band_to_the_last_step(toto):
    band = toto.forecast(a_request(some_values(2), horizon=1000)).quantiles

    assert band.shape == (2, 1000, 9)
    assert np.isfinite(band).all()
    assert (np.diff(band, axis=2) >= 0).all()


@pytest.mark.parametrize(
    ("values", "why"),
    [
        (np.full((1, 64), np.nan), "no readings"),
        (np.full((1, 64), np.inf), "no readings"),
        (some_values(1, 7), "not enough data: 7 readings, 8 are needed"),
        (np.where(np.arange(64) > 59, 1.0, np.nan)[None], "not enough data: 4 readings, 8 are needed"),
    ],
)
def test_a_series_with_too_little_is_refused_by_name(toto, values, why):
    answer = toto.forecast(a_request(values))

    assert answer.diagnoses[0].refused == why
    assert np.isnan(answer.quantiles).all()


def test_a_counter_is_refused_since_its_rate_is_what_can_be_forecast(toto):
    answer = toto.forecast(a_request(some_values(), kinds=(SeriesKind.COUNTER,)))

    assert answer.diagnoses[0].refused == "a counter has no forecast of its own; make it a rate first"


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (a_request(some_values(17, 64)), "17 series in one call, at most 16 are taken"),
        (a_request(some_values(1, 64), horizon=1001), "a horizon of 1001 steps, 1 to 1000 are taken"),
        (a_request(some_values(1, 64), horizon=0), "a horizon of 0 steps"),
        (a_request(some_values(1, 64), levels=(0.9, 0.1)), "levels must grow"),
        (a_request(some_values(2, 64), groups=(1,)), "1 groups for 2 series"),
        (replace(a_request(some_values(2, 64)), ids=("one",)), "values have shape"),
    ],
)
def test_a_request_beyond_its_capabilities_is_refused_by_name_never_cut(toto, request_, why):
    with pytest.raises(ForecastUnavailable, match=why):
        toto.forecast(request_)


def test_it_takes_no_covariates_and_says_so(toto):
    assert toto.capabilities.notes[0] == "no covariates: the released weights were not trained for them"
    assert toto.capabilities.joint
    assert not toto.capabilities.paths


def test_a_network_that_answers_nonsense_is_refused_by_series(toto):
    class Broken:
        runtime = "broken"

        def quantiles(self, target, mask, groups, horizon):
            answer = toto.network.quantiles(target, mask, groups, horizon).copy()
            answer[3, 0, 5] = np.nan
            return answer

    answer = TotoForecaster(Broken(), "broken").forecast(a_request(some_values(2)))

    assert answer.diagnoses[0].refused == "the model's answer is not finite"
    assert np.isfinite(answer.quantiles[1]).all()
