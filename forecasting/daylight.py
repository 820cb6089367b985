"""The day's pattern follows the clock of those who cause it: twice a year it moves by an hour on a grid in UTC."""

import numpy as np

from forecasting.quantiles import Floats

_HOUR_S = 3600.0
_MUCH_BETTER = 0.6
"""An hour's shift is believed when it leaves less than this share of the error."""


def aligned_to_the_clock(values: Floats, period: int, step_s: float) -> tuple[Floats, list[str]]:
    """Days before a change of the clock, moved by the hour so that they fit the days after it; and a note when they were.

    Each day is held against the last one at −1, 0 and +1 h. The change is believed only when every day from it on fits
    unmoved and every day before it fits one and the same shift much better. Steps that a shift leaves without a reading
    are NaN.
    """
    hour = round(_HOUR_S / step_s)
    days = values.size // period
    if hour < 1 or days < 4:
        return values, []
    first = values.size - days * period
    best = [_best_shift(values, first + day * period, period, hour) for day in range(days - 1)] + [0]
    moved = [day for day in range(days) if best[day]]
    if not moved:
        return values, []
    last, sign = moved[-1], best[moved[-1]] or 0
    is_whole = all(b in (sign, None) for b in best[: last + 1]) and last >= 1 and last < days - 1
    if not is_whole:
        return values, []
    end = first + (last + 1) * period
    shifted = np.full(end, np.nan)
    if sign > 0:
        shifted[:-hour] = values[hour:end]
    else:
        shifted[hour:] = values[: end - hour]
    before = days - 1 - last
    note = f"clock change: the day's pattern moved by an hour {before} day{'s' if before != 1 else ''} ago; days before it were moved along"
    return np.concatenate([shifted, values[end:]]), [note]


def _best_shift(values: Floats, start: int, period: int, hour: int) -> int | None:
    """−1, 0 or +1: how many hours later this day's readings lie than those of the last day; None when it cannot be told."""
    last = values[-period:]
    errors: dict[int, float] = {}
    for sign in (-1, 0, 1):
        begin = start + sign * hour
        if begin < 0 or begin + period > values.size:
            return None
        day = values[begin : begin + period]
        known = np.isfinite(day) & np.isfinite(last)
        if known.sum() < period // 2:
            return None
        difference = (day - day[known].mean() - (last - last[known].mean()))[known]
        errors[sign] = float(difference @ difference)
    sign = min(errors, key=lambda s: errors[s])
    return sign if errors[sign] < _MUCH_BETTER * errors[0] else 0
