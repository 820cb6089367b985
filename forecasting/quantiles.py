"""Quantiles of weighted samples, many rows at once, and the loss that scores them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

type Floats = NDArray[np.float64]
type Mask = NDArray[np.bool_]
type Indexes = NDArray[np.intp]

MIDPOINTS = tuple((i + 0.5) / 10 for i in range(10))
"""Levels that components answer with: ten equally likely values, so that a mixture is their weighted union."""

FINE = tuple(round(0.05 * i, 2) for i in range(1, 20))
"""Levels that an answer is kept at before those that were asked for are read off."""


def weighted_quantiles(samples: Floats, weights: Floats, levels: Sequence[float]) -> Floats:
    """`samples` and `weights` `[row, sample]` → `[row, level]`; a sample stands in the middle of its share of the weight."""
    rows, count = samples.shape
    start: Indexes = np.arange(rows, dtype=np.intp)[:, None] * count
    order: Indexes = np.argsort(samples, axis=1) + start
    values = samples.ravel()[order]
    shares = np.broadcast_to(weights, samples.shape).ravel()[order]
    total = np.cumsum(shares, axis=1)
    position = (total - shares / 2) / total[:, -1:]
    apart: Floats = 2.0 * np.arange(rows, dtype=np.float64)[:, None]  # one row after the other, so that one search does for all
    wanted: Floats = np.asarray(levels, dtype=np.float64)[None, :]
    found: Indexes = np.searchsorted((position + apart).ravel(), (wanted + apart).ravel())
    above: Indexes = found.reshape(rows, -1) - start
    high, low = start + np.minimum(above, count - 1), start + np.maximum(above - 1, 0)
    flat, at = values.ravel(), position.ravel()
    gap = at[high] - at[low]
    part = np.clip(np.divide(wanted - at[low], gap, out=np.zeros_like(gap), where=gap > 0), 0, 1)
    return flat[low] + part * (flat[high] - flat[low])


def sample_quantiles(samples: Floats, levels: Sequence[float]) -> Floats:
    """`[..., sample]` of equal weight → `[..., level]`; a sample stands in the middle of its share."""
    ordered = np.sort(samples, axis=-1)
    last = ordered.shape[-1] - 1
    position = np.clip(np.asarray(levels) * ordered.shape[-1] - 0.5, 0, last)
    low = np.floor(position).astype(np.intp)
    part = position - low
    return ordered[..., low] * (1 - part) + ordered[..., np.minimum(low + 1, last)] * part


def pinball(quantiles: Floats, actual: Floats, levels: Sequence[float]) -> Floats:
    """`quantiles` `[..., level]`, `actual` `[...]` → twice the mean loss over the levels: the CRPS, as far as these levels see it."""
    wanted = np.asarray(levels)
    miss = actual[..., None] - quantiles
    return 2 * np.maximum(wanted * miss, (wanted - 1) * miss).mean(axis=-1)


def at_levels(quantiles: Floats, known: Sequence[float], wanted: Sequence[float]) -> Floats:
    """`[..., known level]` → `[..., wanted level]`: linear between, exponential beyond the outermost.

    Beyond the top the excess of the level p is `scale × ln((1 − known) / (1 − p))`, with the scale that the distance of
    the outermost level to the median gives; likewise below.
    """
    levels = np.asarray(known)
    flat = quantiles.reshape(-1, levels.size)
    middle = _column(flat, levels, 0.5)
    low, high = levels[0], levels[-1]
    below = np.maximum(middle - flat[:, 0], 0) / np.log(0.5 / low) if low < 0.5 else np.zeros(len(flat))
    above = np.maximum(flat[:, -1] - middle, 0) / np.log(0.5 / (1 - high)) if high > 0.5 else np.zeros(len(flat))
    columns: list[Floats] = []
    for level in wanted:
        if level < low:
            columns.append(flat[:, 0] - below * np.log(low / level))
        elif level > high:
            columns.append(flat[:, -1] + above * np.log((1 - high) / (1 - level)))
        else:
            columns.append(_column(flat, levels, level))
    return np.stack(columns, axis=1).reshape(*quantiles.shape[:-1], len(wanted))


def _column(flat: Floats, levels: Floats, level: float) -> Floats:
    at = int(np.clip(np.searchsorted(levels, level), 1, max(levels.size - 1, 1)))
    if levels.size == 1:
        return flat[:, 0]
    part = float(np.clip((level - levels[at - 1]) / (levels[at] - levels[at - 1]), 0, 1))
    return flat[:, at - 1] * (1 - part) + flat[:, at] * part
