"""What Toto may be fed: whole patches, no NaN, numbers near zero. Each rule here answers a measured fault of the bare model.

A series ends in one of three ways: ready for the network, constant (its future is that value, and no probability), or
refused by name.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forecasting.toto_config import PATCH

MIN_POINTS = 8
MAX_CONTEXT = 4096
"""Steps of history that the released models were trained on: 128 patches."""
WHOLE_PATCHES = 8
"""From so many whole patches on, an incomplete oldest patch is dropped: padding it moves the forecast by 0.4 band widths."""
MAX_FILLED = PATCH // 2
"""The model takes the last 32 readings for real whatever the mask says; with more of them missing there is nothing to go on."""

type Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class PreparedSeries:
    """One series as the network wants it.

    `target` is `[time]`, whole patches, 0 where `observed` is False; a reading is `(target * scale + centre) * unit`.
    `constant` is the value that never changed; `refused` says why there can be no forecast. Then the arrays are empty.
    """

    used_context: int
    imputed_share: float
    target: NDArray[np.float32]
    observed: NDArray[np.bool_]
    centre: float = 0.0
    scale: float = 1.0
    unit: float = 1.0
    constant: float | None = None
    refused: str | None = None
    warnings: tuple[str, ...] = ()


def prepare(values: Doubles) -> PreparedSeries:
    """Cut, fill, centre and scale one series `[time]`; NaN where there was no reading."""
    readings = np.where(np.isfinite(values), values, np.nan)
    warnings: list[str] = []
    endless = int(np.isinf(values).sum())
    if endless:
        warnings.append(f"{endless} readings are infinite and count as missing")
    kept = _cut(readings)
    if kept.size < readings.size - _leading_gap(readings):
        warnings.append(f"the oldest {readings.size - _leading_gap(readings) - kept.size} of {readings.size} steps are not used")
    present = np.isfinite(kept)
    count = int(present.sum())
    if count < MIN_POINTS:
        return _refused("no readings" if count == 0 else f"not enough data: {count} readings, {MIN_POINTS} are needed", kept)
    missing = 1 - count / kept.size
    last = ~present[-PATCH:]
    if int(last.sum()) > min(MAX_FILLED, last.size // 2):
        return _refused(f"{int(last.sum())} of the last {last.size} readings are missing", kept)
    known = kept[present]
    unit = math.ldexp(0.5, math.frexp(float(np.abs(known).max()))[1])  # a power of two: dividing by it is exact
    relative = known / unit
    if np.ptp(relative) <= 4 * np.finfo(np.float64).eps:
        constant = float(known[-1])
        said = f"constant at {constant:g} throughout: no probability can be given"
        return _plain(kept, missing, constant=constant, warnings=(*warnings, said))
    if last.any():
        warnings.append(f"{int(last.sum())} of the last {last.size} readings were missing and carried forward")
    if kept.size < PATCH:
        warnings.append(f"only {kept.size} steps of history, repeated to fill the {PATCH} that the model looks at")
    filled, observed = _filled(kept)
    centre, scale = float(relative.mean()), float(relative.std())
    target = np.where(observed, (np.nan_to_num(filled) / unit - centre) / scale, 0.0).astype(np.float32)
    return PreparedSeries(kept.size, missing, target, observed, centre, scale, unit, warnings=tuple(warnings))


def _leading_gap(readings: Doubles) -> int:
    present = np.flatnonzero(np.isfinite(readings))
    return int(present[0]) if present.size else 0


def _cut(readings: Doubles) -> Doubles:
    """From the first reading on, at most 4096 steps; whole patches when eight or more are left."""
    kept = readings[_leading_gap(readings) :]
    return kept[-min(kept.size // PATCH * PATCH, MAX_CONTEXT) :] if kept.size >= WHOLE_PATCHES * PATCH else kept


def _filled(kept: Doubles) -> tuple[Doubles, NDArray[np.bool_]]:
    """Whole patches: steps before a short series are masked; gaps of the last patch carry the reading before them forward."""
    series = kept
    if kept.size < PATCH:  # all of it is in the last patch, which has no mask
        carried = _carried_forward(kept)
        series = np.resize(carried[::-1], PATCH)[::-1]
        return series, np.ones(PATCH, np.bool_)
    padded = np.concatenate([np.full(-series.size % PATCH, np.nan), series])
    padded[-PATCH:] = _carried_forward(padded)[-PATCH:]
    return padded, np.isfinite(padded)


def _carried_forward(values: Doubles) -> Doubles:
    """Each gap takes the reading before it, a gap at the start the one after it."""
    present = np.isfinite(values)
    at = np.maximum.accumulate(np.where(present, np.arange(values.size), -1))
    first = int(np.argmax(present))
    return values[np.where(at < 0, first, at)]


def _refused(why: str, kept: Doubles) -> PreparedSeries:
    share = 1.0 if kept.size == 0 else float(np.isnan(kept).mean())
    return _plain(kept, share, refused=why)


def _plain(
    kept: Doubles, missing: float, *, constant: float | None = None, refused: str | None = None, warnings: tuple[str, ...] = ()
) -> PreparedSeries:
    nothing = np.empty(0, np.float32)
    return PreparedSeries(
        kept.size, missing, nothing, nothing.astype(np.bool_), constant=constant, refused=refused, warnings=warnings
    )


def batch(prepared: list[PreparedSeries]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """`[series, time]` of all, aligned at their last step; short ones get whole masked patches before them, which change nothing."""
    longest = max(series.target.size for series in prepared)
    target = np.zeros((len(prepared), longest), np.float32)
    observed = np.zeros((len(prepared), longest), np.bool_)
    for row, series in enumerate(prepared):
        target[row, longest - series.target.size :] = series.target
        observed[row, longest - series.target.size :] = series.observed
    return target, observed
