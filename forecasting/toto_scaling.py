"""How Toto scales a series before the network and back after it; a copy of the package's causal scaler in float64."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forecasting.toto_config import PATCH

FALLBACK_MIN_OBS = 8
"""Readings below which the first patches are scaled by the first eight readings instead of their own few (DataDog/toto#101)."""
CAP = 10.0
"""Standard deviations that a quantile may lie outside the context; the package's own 1e4 lets a spike of 1e5 through."""

_SMALLEST = 1e-6

type Floats = NDArray[np.float32]
type Doubles = NDArray[np.float64]
type Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class SeriesScale:
    """`scaled` is `[series, time]`; the others are `[series, 1]`: centre and scale of the horizon, and what no quantile may leave."""

    scaled: Floats
    centre: Floats
    scale: Floats
    lowest: Floats
    highest: Floats


def scale_series(target: Floats, observed: Mask) -> SeriesScale:
    """Each patch by mean and deviation of everything up to its end; asinh of that. Missing readings are 0."""
    centre, scale = _causal(target.astype(np.float64), observed)
    centre, scale = _with_fallback(target, centre, scale, observed)
    centre32 = np.repeat(centre, PATCH, axis=1).astype(np.float32)
    scale32 = np.repeat(scale, PATCH, axis=1).astype(np.float32)
    scaled = np.arcsinh(np.where(observed, (target - centre32) / scale32, np.float32(0)))
    reach = np.float32(CAP) * scale32[:, -1:]
    has_any = observed.any(axis=1, keepdims=True)
    highest = np.where(has_any, np.where(observed, target, -np.inf).max(axis=1, keepdims=True), 0)
    lowest = np.where(has_any, np.where(observed, target, np.inf).min(axis=1, keepdims=True), 0)
    return SeriesScale(
        scaled.astype(np.float32, copy=False),
        centre32[:, -1:],
        scale32[:, -1:],
        (lowest - reach).astype(np.float32),
        (highest + reach).astype(np.float32),
    )


def cap_and_sort(answer: Floats, scaling: SeriesScale) -> Floats:
    """`[9, series, patch, 32]` of the network → `[9, series, time]` in the unit of the target, capped, sorted along the first axis."""
    with np.errstate(over="ignore"):
        values = np.sinh(answer) * scaling.scale[:, :, None] + scaling.centre[:, :, None]
    values = np.clip(values, scaling.lowest[:, :, None], scaling.highest[:, :, None])
    return np.sort(values.reshape(*values.shape[:2], -1), axis=0)


def _causal(data: Doubles, observed: Mask) -> tuple[Doubles, Doubles]:
    """`[series, patch]` of running mean and deviation at the end of each patch."""
    count = np.maximum(np.cumsum(observed, axis=1), 1)
    mean = np.cumsum(np.where(observed, data, 0.0), axis=1) / count
    before = np.concatenate([np.zeros_like(mean[:, :1]), mean[:, :-1]], axis=1)
    squares = np.cumsum((data - before) * (data - mean) * observed, axis=1)
    deviation = np.sqrt(np.maximum(squares / np.maximum(count - 1, 1), 0.0))
    ends = slice(PATCH - 1, None, PATCH)
    return mean[:, ends], np.maximum(deviation[:, ends], _SMALLEST)


def _with_fallback(target: Floats, centre: Doubles, scale: Doubles, observed: Mask) -> tuple[Doubles, Doubles]:
    """Patches that have seen fewer than eight readings take mean and deviation of the first eight."""
    seen = np.cumsum(observed, axis=1)
    few = seen[:, PATCH - 1 :: PATCH] < FALLBACK_MIN_OBS
    if not few.any():
        return centre, scale
    first = observed & (seen <= FALLBACK_MIN_OBS)
    count = np.maximum(first.sum(axis=1, keepdims=True), 1)
    values = target.astype(np.float64)
    mean = np.where(first, values, 0.0).sum(axis=1, keepdims=True) / count
    squares = np.where(first, (values - mean) ** 2, 0.0).sum(axis=1, keepdims=True)
    deviation = np.maximum(np.sqrt(squares / np.maximum(count - 1, 1)), _SMALLEST)
    return np.where(few, mean, centre), np.where(few, deviation, scale)
