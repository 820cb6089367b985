"""What followed when it last looked like this: the windows of the past that are most like the present, and what came after."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from forecasting.components.history import History
from forecasting.quantiles import MIDPOINTS, Floats, Indexes, weighted_quantiles

WINDOW, COUNT = 12, 30
_SHIFT = 0.5
"""The share of a window's level that is left out when windows are compared, and that moves what followed to the present."""
_APART = 2
"""Steps between two windows at least."""
_LONGEST = 2016
"""Steps of the past that are searched."""
_SMEAR = 1
"""Steps before and after that also count as a value of a step."""


@dataclass(frozen=True)
class Analogues:
    """Past windows like the last one: where each ends (its future starts there), and how much it counts."""

    ends: Indexes
    weights: Floats


def analogues(history: History, at: int, horizon: int) -> Floats | None:
    """Quantiles `[horizon, level]` of what followed similar windows, moved to the present level; None when there are too few."""
    found = nearest_windows((history,), at, horizon)
    if found is None:
        return None
    futures = moved_futures(history, found.ends, at, horizon)
    padded = np.pad(futures, ((0, 0), (_SMEAR, _SMEAR)), mode="edge")
    samples = np.concatenate([padded[:, i : i + horizon] for i in range(2 * _SMEAR + 1)]).T
    weights = np.tile(found.weights, 2 * _SMEAR + 1)[None, :]
    return weighted_quantiles(samples, np.broadcast_to(weights, samples.shape), MIDPOINTS)


def nearest_windows(together: Sequence[History], at: int, horizon: int) -> Analogues | None:
    """Up to COUNT past instants at which all of these series together looked most as they do now.

    None when the past holds too few.
    """
    first = max(0, at - _LONGEST)
    starts = at - first - horizon - WINDOW + 1
    if starts < COUNT + 5:
        return None
    distance = np.zeros(starts)
    for history in together:
        values = history.values[first:at]
        spread = float(values.var())
        if spread <= 0:
            continue
        past = np.lib.stride_tricks.sliding_window_view(values[: values.size - horizon], WINDOW)
        unlike = (past - _SHIFT * (past @ _RECENCY)[:, None]) - (values[-WINDOW:] - _SHIFT * (values[-WINDOW:] @ _RECENCY))
        distance += unlike**2 @ _RECENCY / spread
    period = together[0].period
    if period >= 4:
        phase = np.abs((horizon + np.arange(starts, 0, -1) - 1 + period // 2) % period - period // 2)
        distance += len(together) * 0.5 * (phase / (period / 2)) ** 2
    chosen = _apart(distance, COUNT, apart=_APART)
    near = distance[chosen]
    return Analogues(chosen + WINDOW + first, 1 / (1 + near / (np.median(near) + 1e-300)))


def moved_futures(history: History, ends: Indexes, at: int, horizon: int) -> Floats:
    """`[analogue, horizon]`: what followed, moved by the difference of the levels, which fades slowly."""
    values = history.values
    level = values[at - WINDOW : at] @ _RECENCY
    past_level = values[ends[:, None] - WINDOW + np.arange(WINDOW)[None, :]] @ _RECENCY
    fading = _SHIFT * 0.9 ** (np.arange(horizon) / (horizon / 4))
    return values[ends[:, None] + np.arange(horizon)[None, :]] + fading[None, :] * (level - past_level)[:, None]


def _recency() -> Floats:
    """What each step of a window counts, the newest most; they add up to 1."""
    weights = 0.5 ** (np.arange(WINDOW - 1, -1, -1.0) / (WINDOW / 3))
    return weights / weights.sum()


_RECENCY = _recency()


def _apart(distance: Floats, count: int, *, apart: int) -> Indexes:
    """The nearest windows that start at least `apart` steps from one another."""
    is_taken = np.zeros(distance.size, dtype=np.bool_)
    chosen: list[int] = []
    candidates = min(distance.size, count * (2 * apart + 1))
    nearest = np.argpartition(distance, candidates - 1)[:candidates]
    for index in nearest[np.argsort(distance[nearest], kind="stable")]:
        if not is_taken[index]:
            chosen.append(int(index))
            is_taken[max(0, index - apart) : index + apart + 1] = True
            if len(chosen) == count:
                break
    return np.asarray(chosen, dtype=np.intp)
