"""A level that stays for a while and then returns to its mean, with the errors that this made at each distance."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from forecasting.quantiles import MIDPOINTS, Floats, Mask, sample_quantiles

_MOST_ERRORS = 600
"""Past errors that quantiles are taken of, evenly thinned."""


@cache
def distances(horizon: int) -> tuple[int, ...]:
    """Steps ahead at which errors are measured, closer together near the start; those between are interpolated."""
    return tuple(sorted({round(horizon ** (i / 5)) for i in range(6)}))


def between(known: Sequence[int], rows: Floats, horizon: int) -> Floats:
    """`rows` `[distance, column]` at the known distances → `[horizon, column]`, linear in the logarithm of the distance."""
    if len(known) == 1:
        return np.repeat(rows, horizon, axis=0)
    return _interpolation(tuple(known), horizon) @ rows


@cache
def _interpolation(known: tuple[int, ...], horizon: int) -> Floats:
    """`[horizon, distance]`; beyond the last distance the line is not followed."""
    wanted, at = np.log(np.arange(1, horizon + 1)), np.log(np.asarray(known))
    high = np.clip(np.searchsorted(at, wanted), 1, len(known) - 1)
    part = np.clip((wanted - at[high - 1]) / (at[high] - at[high - 1]), 0, 1)
    weights = np.zeros((horizon, len(known)))
    weights[np.arange(horizon), high - 1] = 1 - part
    weights[np.arange(horizon), high] = part
    return weights


def damped_level(values: Floats, observed: Mask, averages: Sequence[Floats], horizon: int) -> Floats:
    """Quantiles `[horizon, level]` of what follows `values`, from that of the running averages which was nearest to come."""
    is_whole = bool(observed.all())
    middle = max(1, min(horizon // 4, values.size // 4))
    errors = [np.abs(values[middle:] - average[:-middle])[values.size // 4 :].mean() for average in averages]
    level = averages[int(np.argmin(errors))]
    mean = values.mean() if is_whole or not observed.any() else values[observed].mean()
    known = [d for d in distances(horizon) if d <= values.size // 2] or [1]
    kept, rows = np.empty((len(known), 1)), np.empty((len(known), len(MIDPOINTS)))
    for row, distance in enumerate(known):
        past, came = level[:-distance] - mean, values[distance:] - mean
        share = min(max(float(past @ came) / max(float(past @ past), 1e-300), 0.0), 1.0)
        error = came - share * past
        if not is_whole and (was_read := observed[distance:]).sum() >= 8:
            error = error[was_read]
        kept[row], rows[row] = share, sample_quantiles(thinned(error), MIDPOINTS)
    return mean + between(known, kept, horizon) * (level[-1] - mean) + between(known, rows, horizon)


def thinned(errors: Floats) -> Floats:
    """Some of them, evenly, when there are many."""
    return errors[:: -(-errors.size // _MOST_ERRORS)] if errors.size > _MOST_ERRORS else errors
