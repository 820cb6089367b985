"""How a forecaster did on the last part of these very series, through the same path: the proof that a forecast carries."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np

from forecasting.joint import Forecaster, ForecastRequest, JointForecast
from forecasting.quantiles import Floats, pinball
from forecasting.seasonal_naive import SeasonalNaive

ORIGINS = 5
"""Past instants, a whole horizon apart, from which the known present is forecast."""
_FEWEST_STEPS = 64


@dataclass(frozen=True)
class SeriesBacktest:
    """Scores of one series over its past windows.

    `mase` is the mean absolute error of the median over that of repeating the last season within the context; `crps_ratio`
    the CRPS over seasonal naive's in the same windows (below 1 is better); `coverage` the share of points in p10 to p90;
    `span_s` how far back the windows reach, in seconds. None where nothing could be scored.
    """

    mase: float | None
    crps_ratio: float | None
    coverage: float | None
    windows: int
    span_s: float
    crps: float | None = None
    """In the unit of the series, to compare two forecasters of one series."""


@runtime_checkable
class Rolling(Protocol):
    """A forecaster that shares work between the origins of a backtest; the answers are those of separate calls."""

    def forecast_at(self, request: ForecastRequest, origins: Sequence[int]) -> list[JointForecast]:
        """One forecast an origin, from the readings before it."""
        ...


@dataclass(frozen=True)
class Tested:
    """A forecast of now, with the backtest of each of its series and what was said in the past windows."""

    forecast: JointForecast
    backtests: tuple[SeriesBacktest, ...]
    origins: tuple[int, ...]
    past: tuple[JointForecast, ...]


def forecast_and_backtest(forecaster: Forecaster, request: ForecastRequest, *, origins: int = ORIGINS) -> Tested:
    """Forecast now and at up to `origins` past instants; windows with less than half of the history, or 64 steps, before them are left out."""
    length = request.values.shape[1]
    past = tuple(
        at for at in (length - (i + 1) * request.horizon for i in range(origins)) if at >= max(_FEWEST_STEPS, length // 2)
    )
    first, *rest = said_at(forecaster, request, (length, *past))
    naive = said_at(SeasonalNaive(), request, past)
    scores = tuple(_scored(request, row, past, rest, naive) for row in range(len(request.ids)))
    return Tested(first, scores, past, tuple(rest))


def said_at(forecaster: Forecaster, request: ForecastRequest, origins: Sequence[int]) -> list[JointForecast]:
    """What the forecaster would have said after each of these numbers of steps."""
    if isinstance(forecaster, Rolling):
        return forecaster.forecast_at(request, origins)
    return [forecaster.forecast(replace(request, values=request.values[:, :origin])) for origin in origins]


def _scored(
    request: ForecastRequest, row: int, origins: Sequence[int], said: Sequence[JointForecast], naive: Sequence[JointForecast]
) -> SeriesBacktest:
    values, horizon = request.values[row], request.horizon
    nothing = SeriesBacktest(None, None, None, 0, 0.0)
    error: list[Floats] = []
    loss: list[Floats] = []
    naive_loss: list[Floats] = []
    held: list[Floats] = []
    scale = _seasonal_error(values[: origins[-1]] if origins else values, request.period or 1)
    low, middle, high = (_index(request.levels, level) for level in (0.1, 0.5, 0.9))
    for origin, answer, baseline in zip(origins, said, naive, strict=True):
        actual, band = values[origin : origin + horizon], answer.quantiles[row]
        known = np.isfinite(actual) & np.isfinite(band).all(axis=1) & np.isfinite(baseline.quantiles[row]).all(axis=1)
        if not known.any():
            continue
        actual, band = actual[known], band[known]
        error.append(np.abs(actual - band[:, middle]))
        loss.append(pinball(band, actual, request.levels))
        naive_loss.append(pinball(baseline.quantiles[row][known], actual, request.levels))
        nearly = rounding(float(np.abs(actual).max()), float(actual.max() - actual.min()))
        held.append(((actual >= band[:, low] - nearly) & (actual <= band[:, high] + nearly)).astype(np.float64))
    if not error:
        return nothing
    crps, naive_crps = (float(np.concatenate(parts).mean()) for parts in (loss, naive_loss))
    mean_error = float(np.concatenate(error).mean())
    return SeriesBacktest(
        mase=mean_error / scale if scale > 0 else (0.0 if mean_error == 0 else None),
        crps_ratio=crps / naive_crps if naive_crps > 0 else (1.0 if crps == 0 else None),
        coverage=float(np.concatenate(held).mean()),
        windows=len(error),
        span_s=(values.size - origins[-1]) * request.step_s,
        crps=crps,
    )


def rounding(level: float, spread: float) -> float:
    """What only rounding can make of two equal numbers of a series: float64 digits of the level, a share of the spread.

    A share of the level alone would be a hundred times the band of a series that swings by 10 at 10¹².
    """
    return 16 * float(np.finfo(np.float64).eps) * level + 1e-9 * spread


def _seasonal_error(values: Floats, period: int) -> float:
    """The mean absolute change over a period (over a step without one): what MASE divides by (Hyndman & Koehler 2006)."""
    lag = period if values.size > 2 * period else 1
    changed = np.abs(values[lag:] - values[:-lag])
    known = changed[np.isfinite(changed)]
    return float(known.mean()) if known.size else 0.0


def _index(levels: Sequence[float], level: float) -> int:
    return int(np.argmin(np.abs(np.asarray(levels) - level)))
