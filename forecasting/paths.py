"""From quantiles to sample paths, and from paths to the probability that a limit is crossed, and when.

The largest probability of a single step is far too low (measured bias −0.35), so whole paths are needed: half of them are
the forecast's quantiles in the order of past blocks (the Schaake shuffle, Clark et al. 2004), half are what followed the
past windows that looked most like the present, where these agree with the forecast. All series of a group take the same
blocks, so that these paths keep them together; the windows are each series' own, which foresees its crossings better.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from forecasting.backtest import rounding
from forecasting.components.analogue import Analogues, moved_futures, nearest_windows
from forecasting.components.history import History
from forecasting.joint import ForecastRequest, JointForecast
from forecasting.quantiles import Floats, at_levels
from forecasting.within import bounds_of, trimmed

BLOCKS = 60
"""Past blocks that are drawn, and as many analogue paths."""
_SURE = 0.85
"""What is left of the distance to one half: the paths come from a few dozen past windows, fewer independent ones than there are paths."""
LEAST, MOST = 0.05, 0.95
"""No probability is stated outside: the reliability beyond was never measured."""
LEAST_SAID, MOST_SAID = max(LEAST, 0.5 - _SURE / 2), min(MOST, 0.5 + _SURE / 2)
"""What is said when no path crosses, or all do: a bound and no estimate."""
_LONGEST_PERIODS = 7
_NEAR = 1.0
"""Widths of the band that the middle of the analogues may lie from the median."""


@dataclass(frozen=True)
class Crossing:
    """The probability that a limit is passed within the horizon, and after how many seconds for the first time.

    `first_s` holds the 10th, 50th and 90th percentile over all paths; None where the path of that rank does not cross.
    """

    limit: float
    is_above: bool
    probability: float
    first_s: tuple[float | None, float | None, float | None]


def sample_paths(request: ForecastRequest, forecast: JointForecast) -> Floats:
    """Equally likely paths `[path, series, horizon]` within bounds; NaN for a series without a forecast."""
    count, horizon = len(request.ids), request.horizon
    paths = np.full((2 * BLOCKS, count, horizon), np.nan)
    for rows in _groups(request, forecast):
        histories = {row: _aligned(request.values[row], request.period or 1) for row in rows}
        starts = _block_starts(histories[rows[0]], request)
        length = request.values.shape[1]
        for row in rows:
            margin = at_levels(forecast.quantiles[row], forecast.levels, [(i + 0.5) / BLOCKS for i in range(BLOCKS)])
            shuffled = _shuffled(margin, _blocks(histories[row], starts, horizon))
            paths[:BLOCKS, row] = shuffled
            found = nearest_windows((histories[row],), length, horizon)
            futures = None if found is None else _futures(histories[row], found, length, horizon)
            paths[BLOCKS:, row] = futures if futures is not None and _agrees(futures, margin) else shuffled
            bounds = bounds_of(request, row)
            paths[:, row] = (
                np.clip(paths[:, row], bounds.low, bounds.high)
                if bounds.low is not None or bounds.high is not None
                else paths[:, row]
            )
    return paths


def crossing(paths: Floats, limit: float, *, step_s: float, is_above: bool = True) -> Crossing:
    """`paths` `[path, horizon]` of one series against a limit; the probability is kept within 5 and 95 %."""
    nearly = rounding(abs(limit), float(np.ptp(paths)))  # a value that only rounding keeps from the limit has not passed it
    passes = paths > limit + nearly if is_above else paths < limit - nearly
    crosses = passes.any(axis=1)
    first = np.where(crosses, passes.argmax(axis=1) + 1.0, np.inf) * step_s
    ordered = np.sort(first)
    ranks = [ordered[min(len(ordered) - 1, int(level * len(ordered)))] for level in (0.1, 0.5, 0.9)]
    p10, p50, p90 = (None if np.isinf(r) else float(r) for r in ranks)
    return Crossing(limit, is_above, float(np.clip(0.5 + _SURE * (crosses.mean() - 0.5), LEAST, MOST)), (p10, p50, p90))


def _groups(request: ForecastRequest, forecast: JointForecast) -> list[list[int]]:
    """Rows that have a forecast, by group."""
    groups: dict[int, list[int]] = {}
    for row in range(len(request.ids)):
        if np.isfinite(forecast.quantiles[row]).all():
            groups.setdefault(request.groups[row] if row < len(request.groups) else 0, []).append(row)
    return list(groups.values())


def _aligned(values: Floats, period: int) -> History:
    """On the grid of the request: before its first reading a series stands at that reading."""
    read = trimmed(values)
    before = np.full(values.size - read.size, read[0] if read.size else np.nan)
    return History.of(np.concatenate([before, read]), period)


def _block_starts(history: History, request: ForecastRequest) -> list[int]:
    length = history.values.size
    longest = _LONGEST_PERIODS * request.period if request.period else length
    first = max(0, length - max(longest, 4 * request.horizon))
    last = max(first, length - request.horizon)
    return [round(float(s)) for s in np.linspace(first, last, BLOCKS)]


def _blocks(history: History, starts: Sequence[int], horizon: int) -> Floats:
    """`[block, horizon]` of what differed from the usual at that phase."""
    values = history.values - _usual(history)
    index = np.minimum(np.asarray(starts)[:, None] + np.arange(horizon)[None, :], values.size - 1)
    return values[index]


def _usual(history: History) -> Floats:
    period, length = history.period, history.values.size
    days = length // period
    if period < 4 or days < 2:
        return np.zeros(length)
    by_day = history.values[length - days * period :].reshape(days, period)
    usual = np.tile(by_day.mean(axis=0), days + 1)
    return usual[usual.size - length :]


def _shuffled(margin: Floats, blocks: Floats) -> Floats:
    """`margin` `[horizon, sample]` ascending, put `[sample, horizon]` in the order that the blocks have at each step."""
    ranks = np.argsort(np.argsort(blocks, axis=0, kind="stable"), axis=0, kind="stable")
    return np.take_along_axis(margin.T, ranks, axis=0)


def _agrees(futures: Floats, margin: Floats) -> bool:
    """Whether the analogues' middle lies near the forecast's: in a regime that the past never saw, such as growth, it does not."""
    width = float((margin[:, int(0.9 * BLOCKS)] - margin[:, int(0.1 * BLOCKS)]).mean())
    apart = float(np.abs(np.median(futures, axis=0) - margin[:, BLOCKS // 2]).mean())
    return apart <= _NEAR * width


def _futures(history: History, found: Analogues, at: int, horizon: int) -> Floats:
    """What followed the analogues, each as often as its weight says, `[BLOCKS, horizon]`."""
    share = np.cumsum(found.weights) / found.weights.sum()
    chosen = np.minimum(np.searchsorted(share, (np.arange(BLOCKS) + 0.5) / BLOCKS), found.ends.size - 1)
    return moved_futures(history, found.ends[chosen], at, horizon)
