"""What a forecast says, in one sentence with the number, the horizon and the backtest; or that it says nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from forecasting.backtest import SeriesBacktest
from forecasting.paths import LEAST_SAID, MOST_SAID, Crossing
from forecasting.prepare import Quality
from forecasting.quantiles import Floats

NOT_PREDICTABLE = "not predictable: last-day range only"
_LEAST_COVERAGE, _MOST_COVERAGE = 0.6, 0.95
_MAX_CRPS_RATIO = 1.0


@dataclass(frozen=True)
class Scenario:
    """A crossing under a what-if, or why the law has no answer."""

    label: str
    crossing: Crossing | None
    refusal: str | None = None
    is_extrapolated: bool = False


def objections_to(quality: Quality, backtest: SeriesBacktest) -> tuple[str, ...]:
    """Why this forecast may not be cited; empty when it may.

    At least two cycles, under 30 % missing and no stale end, skill over seasonal naive above 0, coverage of 60 to 95 %.
    """
    found = list(quality.objections)
    if backtest.windows == 0:
        found.append("no past window to test it on")
    if backtest.crps_ratio is not None and backtest.crps_ratio >= _MAX_CRPS_RATIO:
        found.append(f"no better than seasonal naive ({backtest.crps_ratio:.2f} ×)")
    if backtest.coverage is not None and not _LEAST_COVERAGE <= backtest.coverage <= _MOST_COVERAGE:
        found.append(f"its band held {backtest.coverage:.0%} of past points")
    return tuple(dict.fromkeys(found))


def crossing_statement(
    what: str,
    now: Crossing,
    *,
    horizon_s: float,
    unit: str,
    backtest: SeriesBacktest,
    scenarios: Sequence[Scenario] = (),
    last: float | None = None,
) -> str:
    """`P(queue depth > 10,000 within 6 h) = 12 % now, 61 % with traffic × 1.5; first crossing …; backtest: …`.

    Where the last reading is beyond the limit there is nothing to foresee: `queue depth is already past its limit of 10,000`.
    """
    if last is not None and (last > now.limit if now.is_above else last < now.limit):
        limit, read = spoken(now.limit, unit), spoken(last, unit)
        return f"{what} is already past its limit of {limit} (the last reading is {read}); {backtest_clause(backtest)}"
    sign = ">" if now.is_above else "<"
    odds = [f"{_likely(now.probability)} now"]
    for scenario in scenarios:
        if scenario.crossing is None:
            odds.append(f"no answer with {scenario.label} ({scenario.refusal})")
        else:
            extrapolated = " (extrapolated)" if scenario.is_extrapolated else ""
            odds.append(f"{_likely(scenario.crossing.probability)} with {scenario.label}{extrapolated}")
    is_late = all(s is None for s in now.first_s)
    first = "not within it" if is_late else " / ".join("later" if s is None else spoken_time(s) for s in now.first_s)
    return (
        f"P({what} {sign} {spoken(now.limit, unit)} within {spoken_time(horizon_s)}) = {', '.join(odds)}; "
        f"first crossing p10/p50/p90: {first}; {backtest_clause(backtest)}"
    )


def named_oddities(notes: Sequence[str]) -> str:
    """`; constant: every reading is 5`: what a series is, for its sentence; empty when it is nothing special."""
    return "".join(f"; {note}" for note in notes if note.startswith(("constant:", "counter:", "infinite:")))


def _likely(probability: float) -> str:
    """`12 %`; at the end of what can be said, a bound: `at most 8 %`, `at least 92 %`."""
    shown = f"{100 * probability:.0f} %"
    if probability <= LEAST_SAID + 1e-9:
        return f"at most {shown}"
    return f"at least {shown}" if probability >= MOST_SAID - 1e-9 else shown


def range_statement(what: str, band: Floats, *, horizon_s: float, unit: str, backtest: SeriesBacktest) -> str:
    """Without a limit: the band `[horizon, (p10, p50, p90)]` in words."""
    peak = int(np.argmax(band[:, 2]))
    return (
        f"{what} stays between {spoken(float(band[:, 0].min()), unit)} and {spoken(float(band[peak, 2]), unit)} (p10 to p90) within "
        f"{spoken_time(horizon_s)}, {spoken(float(band[-1, 1]), unit)} at the end (p50); {backtest_clause(backtest)}"
    )


def refusal_statement(what: str, last_day: Floats, objections: Sequence[str], *, unit: str) -> str:
    """`latency is not predictable: last-day range only, 0.1 s to 0.4 s (gappy)`."""
    known = last_day[np.isfinite(last_day)]
    if not known.size:
        return f"{what} is {NOT_PREDICTABLE}, and there is none ({'; '.join(objections)})"
    low, high = (spoken(float(v), unit) for v in (known.min(), known.max()))
    return f"{what} is {NOT_PREDICTABLE}, {low} to {high} ({'; '.join(objections)})"


def backtest_clause(backtest: SeriesBacktest) -> str:
    """`backtest: 0.62 × seasonal naive on the last 24 h, the band held 78 % of points`."""
    if backtest.windows == 0 or backtest.coverage is None:
        return "backtest: none, the history is too short"
    ratio = "no error at all" if backtest.crps_ratio is None else f"{backtest.crps_ratio:.2f} × seasonal naive"
    return (
        f"backtest: {ratio} on the last {spoken_time(backtest.span_s)}, the band held {backtest.coverage * 100:.0f} % of points"
    )


def spoken_time(seconds: float) -> str:
    """`6 h`, `45 min`, `3 days`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    if seconds <= 48 * 3600:
        return f"{seconds / 3600:.1f}".removesuffix(".0") + " h"
    return f"{seconds / 86400:.1f}".removesuffix(".0") + " days"


def spoken(value: float, unit: str) -> str:
    """`10,000`, `82.4 %`, `0.31 s`; from 10¹⁵ on, beyond what a float holds exactly, `1e+300`."""
    text = f"{value:.3g}" if not 1000 <= abs(value) < 1e15 else f"{value:,.0f}"
    shown = {
        "percent": "%",
        "count": "",
        "none": "",
        "seconds": "s",
        "milliseconds": "ms",
        "bytes": "bytes",
        "count/second": "a second",
    }.get(unit.lower(), unit)
    return f"{text} {shown}".rstrip()
