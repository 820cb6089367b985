"""What was read lately, whatever the phase of the day: quantiles of the past, the newer the heavier."""

import numpy as np

from forecasting.components.history import History
from forecasting.quantiles import MIDPOINTS, Floats, weighted_quantiles

HALF_LIVES = (4.0, 12.0, 48.0)
"""Steps after which a reading counts half."""
_LONGEST = 8
"""Half-lives that are looked at."""


def recent(history: History, at: int, horizon: int, half_life: float) -> Floats:
    """The same quantiles at every step of the horizon."""
    start = max(0, at - int(_LONGEST * half_life))
    values, observed = history.values[start:at], history.observed[start:at]
    if observed.sum() < 8:
        start = 0
        values, observed = history.values[:at], history.observed[:at]
    age = np.arange(values.size - 1, -1, -1, dtype=np.float64)
    weights = np.where(observed, 0.5 ** (age / half_life), 1e-12)
    row = weighted_quantiles(values[None, :], weights[None, :], MIDPOINTS)
    return np.repeat(row, horizon, axis=0)
