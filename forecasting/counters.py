"""Counters only ever grow until they start again at 0; what a forecaster wants is how fast."""

import numpy as np

from forecasting.quantiles import Floats

_NAMES = ("_total", "_count", "_sum", "_bucket", ".total")
_MOST_FALLS = 0.02


def is_counter(metric: str, values: Floats) -> bool:
    """Named like a counter (Prometheus naming) and never falling but for a few starts anew from far below."""
    if not metric.partition("{")[0].lower().endswith(_NAMES):
        return False
    known = values[np.isfinite(values)]
    if known.size < 8 or known.min() < 0:
        return False
    changed = np.diff(known)
    falls = changed < 0
    return bool((changed > 0).any() and falls.mean() <= _MOST_FALLS and (known[1:][falls] <= 0.5 * known[:-1][falls]).all())


def rate_of_counter(values: Floats, step_s: float) -> tuple[Floats, int]:
    """`[time]` → rate a second over the step before each reading, and the number of resets.

    After a reset the counter has counted what it shows, as Prometheus' `rate` takes it. A growth over a gap is spread
    over the gap's last step only when the gap is one step long; longer gaps stay unknown. The first reading has no rate.
    """
    rates = np.full(values.size, np.nan)
    at = np.flatnonzero(np.isfinite(values))
    grown = np.diff(values[at])
    is_reset = grown < 0
    grown = np.where(is_reset, values[at][1:], grown)
    steps = np.diff(at)
    is_near = steps <= 2
    rates[at[1:][is_near]] = grown[is_near] / (steps[is_near] * step_s)
    return rates, int(is_reset.sum())
