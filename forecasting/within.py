"""What every answer obeys: readings from the first on, quantiles in order, finite and inside what is possible."""

import numpy as np

from forecasting.joint import Bounds, ForecastRequest
from forecasting.quantiles import Floats


def trimmed(values: Floats) -> Floats:
    """The series from its first reading on; empty when there is none."""
    found = np.flatnonzero(np.isfinite(values))
    return values[int(found[0]) :] if found.size else values[:0]


def bounds_of(request: ForecastRequest, row: int) -> Bounds:
    """The bounds of a series; none when the request has none."""
    return request.bounds[row] if row < len(request.bounds) else Bounds()


def within_bounds(quantiles: Floats, request: ForecastRequest, row: int) -> tuple[Floats, float]:
    """Quantiles `[horizon, level]` sorted and clipped, and the share of them that had to be clipped."""
    bounds = bounds_of(request, row)
    ordered = np.sort(quantiles, axis=1)
    low = -np.inf if bounds.low is None else bounds.low
    high = np.inf if bounds.high is None else bounds.high
    outside = (ordered < low) | (ordered > high)
    return np.clip(ordered, low, high), float(outside.mean())
