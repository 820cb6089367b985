"""What the clock says: the same time of earlier days, as it was, as a range of values, and moved to the present level."""

import numpy as np

from forecasting.components.history import History, running_average
from forecasting.components.level import between, damped_level, distances, thinned
from forecasting.quantiles import MIDPOINTS, Floats, sample_quantiles, weighted_quantiles

_LEVEL_SPANS = (2.0, 6.0, 20.0, 60.0)
_PERIODS = 7
"""Periods of the past that are looked at."""


def last_season(history: History, at: int, horizon: int) -> Floats:
    """The last whole period again, with the quantiles of what changed over as many periods; without a period, the last value."""
    period = min(history.period, max(1, at - 1))
    values, observed = history.values[:at], history.observed[:at]
    ahead = np.arange(1, horizon + 1)
    rounds = -(-ahead // period)
    again = values[at - 1 + ahead - period * rounds]
    known = distances(int(rounds[-1]))
    rows = np.empty((len(known), len(MIDPOINTS)))
    for row, count in enumerate(known):
        lag = min(period * count, at - 1)
        changed, was_read = values[lag:] - values[:-lag], observed[lag:] & observed[:-lag]
        rows[row] = sample_quantiles(thinned(changed[was_read] if was_read.sum() >= 8 else changed), MIDPOINTS)
    return again[:, None] + between(known, rows, int(rounds[-1]))[rounds - 1]


def same_phase(history: History, at: int, horizon: int, *, period: int, width: int, decay: float) -> Floats | None:
    """Values at the same phase of earlier periods, `width` steps around it, a period ago counting `decay` of the one after.

    None below two periods.
    """
    if period < 4 or at < 2 * period:
        return None
    back = np.arange(1, min(at // period, _PERIODS) + -(-horizon // period) + 1)
    around = np.arange(-width, width + 1)
    index = at + np.arange(horizon)[:, None, None] - back[None, :, None] * period + around[None, None, :]
    known = (index >= 0) & (index < at)
    index = np.clip(index, 0, at - 1)
    weights = decay ** (back - 1.0)[None, :, None] * (known & history.observed[index]) + 1e-9 * known + 1e-15
    return weighted_quantiles(history.values[index].reshape(horizon, -1), weights.reshape(horizon, -1), MIDPOINTS)


def seasonal_difference(history: History, at: int, horizon: int) -> Floats | None:
    """The smoothed last period, moved by how far the present is from it: growth from day to day goes on. None below two periods."""
    period = history.period
    if period < 4 or at < 2 * period + 16:
        return None
    first = max(0, at - _PERIODS * period)
    values, observed = history.values[first:at], history.observed[first:at]
    base = smoothed(values, max(1, period // 48))
    difference, was_read = values[period:] - base[:-period], observed[period:] & observed[:-period]
    ahead = np.arange(1, horizon + 1)
    again = base[values.size - 1 + ahead - period * -(-ahead // period)]
    averages = [running_average(difference, span) for span in _LEVEL_SPANS]
    return damped_level(difference, was_read, averages, horizon) + again[:, None]


def seasonal_ratio(history: History, at: int, horizon: int) -> Floats | None:
    """The same in logarithms: growth that is a share of the day's value goes on.

    None where a value is not above 0, and where all are so near to one another that it would say the same.
    """
    first = max(0, at - _PERIODS * history.period)
    values = history.values[first:at]
    if history.period < 4 or not values.size or not 1e-3 * values.max() < values.min() < values.max() / 1.05:
        return None
    logarithms = History(np.log(values), history.observed[first:at], history.period)
    said = seasonal_difference(logarithms, at - first, horizon)
    return None if said is None else np.exp(np.minimum(said, np.log(values.max()) + 2))


def smoothed(values: Floats, width: int) -> Floats:
    """The centred mean over `2 · width + 1` steps, the ends held."""
    total = np.cumsum(np.concatenate([[0.0], np.pad(values - values[0], width, mode="edge")]))
    return (total[2 * width + 1 :] - total[: -2 * width - 1]) / (2 * width + 1) + values[0]
