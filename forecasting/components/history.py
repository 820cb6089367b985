"""One series as components see it: no gaps, a mask that says what was read, and running averages kept once."""

from dataclasses import dataclass, field

import numpy as np

from forecasting.quantiles import Floats, Mask


@dataclass(frozen=True)
class History:
    """`values` `[time]` are finite: a gap holds the last reading before it, so that no instant knows of a later one.

    `observed` is True where there was a reading. `period` is the steps of a day, 1 when there is none.
    """

    values: Floats
    observed: Mask
    period: int
    averages: dict[float, Floats] = field(default_factory=dict[float, Floats])

    @classmethod
    def of(cls, readings: Floats, period: int) -> "History":
        """From readings with NaN for missing, the first of which is there."""
        observed = np.isfinite(readings)
        last = np.maximum.accumulate(np.where(observed, np.arange(readings.size), 0))
        return cls(readings[last], observed, max(1, period))

    def average(self, span: float) -> Floats:
        """The exponential running average of that span, in steps, at every instant."""
        found = self.averages.get(span)
        if found is None:
            found = self.averages[span] = running_average(self.values, span)
        return found


def running_average(values: Floats, span: float) -> Floats:
    """`level[t] = level[t−1] + (values[t] − level[t−1]) · 2 / (span + 1)`, starting at the first value."""
    share = 2.0 / (span + 1.0)
    if share >= 1:
        return values.copy()
    block = int(min(len(values), 512, max(1, np.log(1e-200) / np.log(1 - share))))
    kept = (1 - share) ** np.arange(1, block + 1)
    levels = np.empty_like(values)
    origin, level = values[0], 0.0  # without the offset, so that a small swing at a high level keeps its digits
    for start in range(0, len(values), block):
        part = values[start : start + block] - origin
        decay = kept[: len(part)]
        levels[start : start + block] = decay * (level + share * np.cumsum(part / decay))
        level = levels[start + len(part) - 1]
    return levels + origin
