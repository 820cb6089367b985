from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from forecasting.backtest import SeriesBacktest
from forecasting.builtin import Builtin
from forecasting.forecaster import choose_forecaster, forecast_jointly
from forecasting.joint import Bounds, ForecastRequest
from forecasting.outlook import look_ahead
from forecasting.paths import BLOCKS, crossing, sample_paths
from forecasting.picture import Drawn, PastBand, nice_ticks, svg
from forecasting.quantiles import at_levels
from forecasting.statements import crossing_statement, spoken, spoken_time
from forecasting.terminal_plot import terminal_plot
from gonogo.context import Series

START = datetime(2026, 5, 4, tzinfo=UTC)
T = np.arange(2016)
NOISE = np.random.default_rng(6)


def a_series(values, metric="cpu", unit="Percent", step_s=300.0, start=START, resource="r"):
    return Series(
        resource=resource,
        metric=metric,
        unit=unit,
        start=start,
        step_s=step_s,
        values=tuple(None if np.isnan(v) else float(v) for v in values),
    )


def a_day(seed=0, noise=2.0):
    return 40 + 15 * np.sin(T / 288 * 2 * np.pi) + np.random.default_rng(seed).normal(size=T.size) * noise


def a_request(*rows, **more):
    return ForecastRequest(
        ids=tuple(map(str, range(len(rows)))), values=np.stack(rows), step_s=300, start=START, horizon=72, period=288, **more
    )


def test_half_of_the_paths_have_exactly_the_forecasts_quantiles():
    request = a_request(a_day())
    said = Builtin().forecast(request)

    paths = sample_paths(request, said)[:BLOCKS, 0]

    assert np.allclose(np.sort(paths, axis=0)[BLOCKS // 2], said.quantiles[0, :, 4], atol=1.0)


def test_paths_keep_related_series_together():
    shared = np.random.default_rng(8).normal(size=T.size).cumsum() * 0.3
    request = a_request(a_day(1) + shared, a_day(2) + shared)

    paths = sample_paths(request, Builtin().forecast(request))

    assert np.corrcoef(paths[:, 0].mean(axis=1), paths[:, 1].mean(axis=1))[0, 1] > 0.4


def test_paths_stay_within_bounds():
    request = a_request(np.maximum(a_day() - 40, 0), bounds=(Bounds(low=0.0, high=12.0),))

    paths = sample_paths(request, Builtin().forecast(request))

    assert paths.min() >= 0
    assert paths.max() <= 12


def test_paths_that_all_agree_are_no_certainty():
    paths = np.zeros((100, 10))

    assert crossing(paths, 1.0, step_s=60).probability == pytest.approx(0.075)
    assert crossing(paths, -1.0, step_s=60).probability == pytest.approx(0.925)


def test_the_first_crossing_is_told_by_rank_over_all_paths():
    paths = np.zeros((10, 8))
    for row in range(6):
        paths[row, row + 1 :] = 5.0

    found = crossing(paths, 1.0, step_s=60)

    assert found.probability == pytest.approx(0.585)
    assert found.first_s == (180.0, 420.0, None)


def test_a_value_that_only_rounding_keeps_from_the_limit_has_not_passed_it():
    assert crossing(np.full((20, 3), 0.3), 0.1 + 0.2, step_s=60).probability == pytest.approx(0.075)
    assert crossing(np.full((20, 3), 0.1 + 0.2), 0.3, step_s=60).probability == pytest.approx(0.075)


def test_tails_beyond_the_known_quantiles_are_exponential():
    deciles = np.linspace(0.1, 0.9, 9)
    known = -np.log(1 - deciles)

    assert at_levels(known, tuple(deciles), (0.99,))[0] == pytest.approx(-np.log(0.01), rel=1e-6)


def test_crossings_come_as_often_as_they_are_said_to():
    said, came = [], []
    for seed in range(30):
        row = a_day(seed, noise=4)
        limit = float(np.quantile(row, 0.985))
        request = a_request(row[:-72])
        said.append(crossing(sample_paths(request, Builtin().forecast(request))[:, 0], limit, step_s=300).probability)
        came.append(row[-72:].max() > limit)

    assert np.mean(said) == pytest.approx(np.mean(came), abs=0.2)


def test_the_better_forecaster_answers_each_series():
    class Flat(Builtin):
        name = "toto"

        def forecast_at(self, request, origins):
            from dataclasses import replace

            answers = super().forecast_at(request, origins)
            return [
                replace(
                    a,
                    model="toto 0",
                    quantiles=np.where(np.arange(len(request.ids))[:, None, None] == 0, a.quantiles, a.quantiles + 1e3),
                )
                for a in answers
            ]

    answer = forecast_jointly(a_request(a_day(), a_day(1)), choose_forecaster(Flat))

    assert answer is not None
    assert answer.models == ("toto 0", "builtin 1")
    assert any("which it beat in the backtest" in step for step in answer.steps)


def test_a_backend_that_fails_is_a_step_of_the_record():
    def broken():
        raise OSError("weights are torn")

    choice = choose_forecaster(broken)

    assert choice.steps[0] == "toto: not used, OSError: weights are torn"
    assert [f.name for f in choice.forecasters] == ["builtin"]


def test_a_forecast_that_may_be_cited_says_number_horizon_and_backtest_in_one_sentence():
    outlook = look_ahead([a_series(a_day(noise=4))], horizon=timedelta(hours=6), choice=choose_forecaster())

    assert outlook is not None
    said = outlook.statement(0, "cpu", "Percent")
    assert "within 6 h" in said
    assert "× seasonal naive on the last 30 h, the band held" in said
    assert said.count(". ") == 0


@pytest.mark.parametrize(
    ("values", "why"),
    [
        (a_day()[:288], "less than two days"),
        (np.where(NOISE.random(2016) < 0.4, np.nan, a_day()), "gappy"),
        (np.where(T > 2005, np.nan, a_day()), "stale"),
    ],
)
def test_a_forecast_that_may_not_be_cited_shows_the_last_day_only(values, why):
    outlook = look_ahead([a_series(values)], horizon=timedelta(hours=2), choice=choose_forecaster())

    assert outlook is not None
    assert why in outlook.statement(0, "cpu", "Percent")
    assert "not predictable: last-day range only" in outlook.statement(0, "cpu", "Percent")


def test_the_picture_is_xml_with_band_limit_backtest_and_escaped_names():
    import xml.etree.ElementTree as ET

    band = np.stack([np.arange(20.0), np.arange(20.0) + 1, np.arange(20.0) + 2], axis=1)
    drawn = Drawn(
        "a <b> & c",
        "P(x > 1) = 5 %",
        "%",
        np.where(np.arange(90) == 40, np.nan, 5.0),
        band,
        START,
        300,
        limit=30.0,
        past=(PastBand(70, band),),
    )

    root = ET.fromstring(svg(drawn))

    texts = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "a <b> & c" in texts
    assert "limit 30 %" in texts
    assert len(list(root.iter("{http://www.w3.org/2000/svg}polygon"))) == 2


@pytest.mark.parametrize("history", [np.full(50, np.nan), np.full(50, 3.0), np.arange(1.0)])
def test_a_picture_of_almost_nothing_is_still_a_picture(history):
    drawn = Drawn("x", "y", "", history, None, START, 300)

    assert svg(drawn).startswith("<svg")
    assert terminal_plot(drawn)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_the_terminal_plot_keeps_to_its_width(width):
    band = np.stack([np.zeros(20), np.ones(20), np.full(20, 2.0)], axis=1)
    lines = terminal_plot(Drawn("x", "y", "", np.arange(90.0) % 7, band, START, 300, limit=9.0), width=width).splitlines()

    assert max(map(len, lines)) <= width
    assert any("╌" in line for line in lines)
    assert any("━" in line for line in lines)


def test_ticks_are_round():
    assert nice_ticks(0, 97, 5) == [0, 20, 40, 60, 80]


@pytest.mark.parametrize(
    ("seconds", "said"), [(30, "30 s"), (2700, "45 min"), (21600, "6 h"), (86400, "24 h"), (5 * 86400, "5 days")]
)
def test_spans_are_spoken(seconds, said):
    assert spoken_time(seconds) == said


def test_the_band_of_a_series_at_a_huge_level_is_that_of_the_same_series_at_a_small_one():
    low, high = (
        look_ahead([a_series(a_day() + level, unit="count")], horizon=timedelta(hours=6), choice=choose_forecaster())
        for level in (1e3, 1e12)
    )

    assert low is not None
    assert high is not None
    assert low.objections == high.objections == ((),)
    assert low.forecasts[0] is not None
    assert high.forecasts[0] is not None
    assert np.allclose(np.array(high.forecasts[0].p90) - 1e12, np.array(low.forecasts[0].p90) - 1e3, atol=0.05)
    assert high.forecasts[0].backtest.coverage == pytest.approx(low.forecasts[0].backtest.coverage, abs=0.01)


def test_a_limit_inside_a_small_swing_at_a_huge_level_is_crossed():
    assert crossing(np.full((20, 3), 1e12 + 8), 1e12 + 5, step_s=60).probability == pytest.approx(0.925)


@pytest.mark.parametrize(("paths_over", "said"), [(0, "= at most 8 % now"), (10, "= 50 % now"), (20, "= at least 92 % now")])
def test_a_probability_at_the_end_of_what_can_be_said_is_a_bound(paths_over, said):
    paths = np.where(np.arange(20)[:, None] < paths_over, 9.0, 1.0) * np.ones((20, 3))
    backtest = SeriesBacktest(None, None, None, 0, 0.0)

    assert said in crossing_statement("x", crossing(paths, 5.0, step_s=60), horizon_s=180, unit="", backtest=backtest)


@pytest.mark.parametrize(
    ("value", "said"), [(1e300, "1e+300 ms"), (-1e300, "-1e+300 ms"), (12345.6, "12,346 ms"), (0.1234, "0.123 ms")]
)
def test_numbers_are_spoken_in_few_characters(value, said):
    assert spoken(value, "milliseconds") == said
