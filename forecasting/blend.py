"""Weighs components by what they would have said before, mixes them, and widens the mixture where it was too narrow."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from forecasting.quantiles import MIDPOINTS, Floats, Mask, pinball, weighted_quantiles

_POWER = 8.0
"""A component with twice the loss starts with 2⁻⁸ of the weight."""
_ROUNDS = 30
_PULL = 0.05
"""Pull of the weights back to where they started."""
_MOST_STEPS = 150
"""Steps of the past that weights are fitted on."""
_NOMINAL = 0.8
_NARROWEST, _WIDEST = 0.5, 2.5
_TOO_FEW = 0.7


@dataclass(frozen=True)
class Past:
    """What each component said at past instants: `said` `[origin, component, horizon, level]` and what came `[origin, horizon]`.

    `actual` is NaN where nothing was read.
    """

    said: Floats
    actual: Floats


def weights_of(past: Past) -> Floats:
    """`[component]`, adding up to 1: by loss first, then moved against the loss of the averaged quantiles."""
    count = past.said.shape[1]
    even = np.full(count, 1.0 / count)
    said, actual = _known(past)
    if actual.size < 10:
        return even
    loss = pinball(said, actual[:, None], MIDPOINTS).mean(axis=0)
    floor = 1e-300 + 1e-3 * float(np.median(loss))
    start = _normal(((loss + floor) / (loss.min() + floor)) ** -_POWER)
    rows = said.transpose(0, 2, 1).reshape(-1, count)
    came, levels = np.repeat(actual, len(MIDPOINTS)), np.tile(MIDPOINTS, actual.size)
    scale = rows.shape[0] * (loss.min() + floor) / 2
    weights = start
    for _ in range(_ROUNDS):
        slope = (np.where(came < rows @ weights, 1 - levels, -levels) @ rows) / scale
        slope = slope - slope @ weights + _PULL * np.log(weights / start)
        weights = _normal(weights * np.exp(np.clip(-slope, -1, 1)))
    return weights


def mixture(said: Floats, weights: Floats, levels: Sequence[float]) -> Floats:
    """`said` `[component, horizon, level]` → `[horizon, level]`: the quantiles of the weighted union of what they said."""
    samples = said.transpose(1, 0, 2).reshape(said.shape[1], -1)
    shares = np.repeat(weights, said.shape[2])[None, :]
    return weighted_quantiles(samples, np.broadcast_to(shares, samples.shape), levels)


def widening(past: Past, weights: Floats) -> tuple[float, float]:
    """Factors of the lower and upper half of the band that would have held past values in p10 to p90 as often as it should.

    The conformal idea (Romano et al. 2019), with caution because the origins overlap: a band is made wider only when it
    held too few, and a part of what is to spare is taken away.
    """
    said, actual = _known(past)
    if actual.size < 20:
        return 1.0, 1.0
    band = mixture(said.transpose(1, 0, 2), weights, (0.1, 0.5, 0.9))
    held = float(((actual >= band[:, 0]) & (actual <= band[:, 2])).mean())
    factors: list[float] = []
    for sign, edge in ((-1, 0), (1, 2)):
        half = sign * (band[:, edge] - band[:, 1])
        beyond = sign * (actual - band[:, 1])
        ratio = np.divide(beyond, half, out=np.where(beyond > 0, np.inf, 0.0), where=half > 0)
        needed = float(np.quantile(ratio, (1 + _NOMINAL) / 2, method="lower"))
        if needed < 1:
            factors.append(max(needed, _NARROWEST) ** 0.3)
        else:
            factors.append(min(needed, _WIDEST) ** 0.5 if held < _TOO_FEW else 1.0)
    return factors[0], factors[1]


def widened(quantiles: Floats, middle: Floats, factors: tuple[float, float]) -> Floats:
    """Each quantile moved away from the median, `[horizon, level]`."""
    apart = quantiles - middle[:, None]
    return middle[:, None] + np.where(apart < 0, apart * factors[0], apart * factors[1])


def _known(past: Past) -> tuple[Floats, Floats]:
    """`[step, component, level]` and `[step]`, evenly thinned: the steps of the past that were read."""
    is_known: Mask = np.isfinite(past.actual)
    said, actual = past.said.transpose(0, 2, 1, 3)[is_known], past.actual[is_known]
    if actual.size > _MOST_STEPS:
        kept = slice(None, None, -(-actual.size // _MOST_STEPS))
        return said[kept], actual[kept]
    return said, actual


def _normal(weights: Floats) -> Floats:
    held = np.maximum(weights, 1e-6)
    return held / held.sum()
