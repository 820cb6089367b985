"""From readings as a source gives them to one common grid that a forecaster may be asked about, each oddity by its name."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from forecasting.counters import is_counter, rate_of_counter
from forecasting.daylight import aligned_to_the_clock
from forecasting.joint import DECILES, Bounds, ForecastRequest, SeriesKind
from forecasting.quantiles import Floats
from gonogo.context import Series

DAY_S = 86_400.0
MOST_STEPS_AHEAD = 144
"""A longer horizon is forecast on a coarser grid."""
MOST_STEPS_BACK = 4_032
MAX_MISSING = 0.3
MAX_TAIL_GAP = 3
"""Steps without a reading at the end from which on a forecast is not cited."""


@dataclass(frozen=True)
class Quality:
    """What is odd about one series: names with how each was handled, and the reasons not to cite its forecast."""

    notes: tuple[str, ...]
    objections: tuple[str, ...]
    missing_share: float
    cycles: float
    """Whole and part days of readings."""


@dataclass(frozen=True)
class Prepared:
    """A request on one grid, and what was found about each of its series, in the same order."""

    request: ForecastRequest
    qualities: tuple[Quality, ...]
    now: datetime
    """The instant the first forecast step begins."""


def prepare(
    series: Sequence[Series], *, horizon: timedelta, bounds: Sequence[Bounds] = (), groups: Sequence[int] = ()
) -> Prepared:
    """Resample to one UTC grid that ends with the newest reading, turn counters into rates, and look at the quality.

    The step is the coarsest of the series', or coarser, so that the horizon has at most 144 steps. A reading of a step is
    the mean of those in it (the highest, for a series of maxima or high percentiles), so its unit and what a limit means
    stay as they were. Needs at least one series; one without any reading is kept and refused by name.
    """
    step_s = _step(series, horizon.total_seconds())
    last = max(_epoch(s.start) + s.step_s * len(s.values) for s in series)
    end = np.ceil(last / step_s) * step_s
    oldest = min(_epoch(s.start) for s in series)
    length = int(min(np.ceil((end - oldest) / step_s), MOST_STEPS_BACK))
    start = end - length * step_s
    period = round(DAY_S / step_s) if DAY_S / step_s >= 4 else None
    rows: list[Floats] = []
    kinds: list[SeriesKind] = []
    qualities: list[Quality] = []
    for one in series:
        values, kind, notes = _readings(one)
        row = on_grid(
            _epoch(one.start) + one.step_s * np.arange(values.size, dtype=np.float64),
            values,
            start,
            step_s,
            length,
            of_peaks=_is_of_peaks(one.metric),
        )
        if period is not None:
            row, moved = aligned_to_the_clock(row, period, step_s)
            notes += moved
        rows.append(row)
        kinds.append(kind)
        qualities.append(_quality(row, notes, step_s))
    request = ForecastRequest(
        ids=tuple(f"{s.resource} {s.metric}" for s in series),
        values=np.stack(rows),
        step_s=step_s,
        start=datetime.fromtimestamp(start, UTC),
        horizon=max(1, round(horizon.total_seconds() / step_s)),
        levels=DECILES,
        groups=tuple(groups) or (0,) * len(series),
        bounds=tuple(bounds) or tuple(_natural_bounds(row, s.unit) for row, s in zip(rows, series, strict=True)),
        kinds=tuple(kinds),
        period=period,
    )
    return Prepared(request, tuple(qualities), datetime.fromtimestamp(end, UTC))


def on_grid(times_s: Floats, values: Floats, start_s: float, step_s: float, length: int, *, of_peaks: bool = False) -> Floats:
    """Irregular readings (epoch seconds, any order) → `[length]`: step i holds those in [start + i·step, start + (i+1)·step).

    A step without a reading is NaN.
    """
    index = np.floor((times_s - start_s) / step_s + 1e-9).astype(np.int64)
    kept = (index >= 0) & (index < length) & np.isfinite(values)
    index, values = index[kept], values[kept]
    if of_peaks:
        row = np.full(length, -np.inf)
        np.maximum.at(row, index, values)
        return np.where(np.isfinite(row), row, np.nan)
    count = np.bincount(index, minlength=length).astype(np.float64)
    centre = float(values.mean()) if values.size else 0.0
    total = np.bincount(index, weights=values - centre, minlength=length)
    return np.divide(total, count, out=np.full(length, np.nan), where=count > 0) + centre


def _step(series: Sequence[Series], horizon_s: float) -> float:
    coarsest = max(s.step_s for s in series)
    return coarsest * max(1, int(np.ceil(horizon_s / coarsest / MOST_STEPS_AHEAD)))


def _epoch(instant: datetime) -> float:
    return instant.astimezone(UTC).timestamp()


def _readings(series: Series) -> tuple[Floats, SeriesKind, list[str]]:
    values = np.array([np.nan if v is None else v for v in series.values], dtype=np.float64)
    notes: list[str] = []
    endless = np.isinf(values)
    if endless.any():
        values = np.where(endless, np.nan, values)
        notes.append(f"infinite: {int(endless.sum())} readings were left out")
    if is_counter(series.metric, values):
        rates, resets = rate_of_counter(values, series.step_s)
        notes.append(f"counter: turned into a rate a second, {resets} reset{'s' if resets != 1 else ''} taken into account")
        return rates, SeriesKind.RATE, notes
    unit = series.unit.lower()
    is_share = unit in {"percent", "%", "ratio"}
    is_rate = "/s" in unit or ("second" in series.metric.lower() and "per" in series.metric.lower())
    return values, SeriesKind.RATIO if is_share else SeriesKind.RATE if is_rate else SeriesKind.GAUGE, notes


def _is_of_peaks(metric: str) -> bool:
    name = metric.partition("{")[0].lower()
    return name.endswith((".max", ".maximum", ".p90", ".p95", ".p99", ".p99.9", "_max"))


def _natural_bounds(row: Floats, unit: str) -> Bounds:
    """Never below 0 when it never was; never above 100 % when it is a share and never was."""
    known = row[np.isfinite(row)]
    if not known.size or known.min() < 0:
        return Bounds()
    is_share = unit.lower() in {"percent", "%"} and known.max() <= 100
    return Bounds(low=0.0, high=100.0 if is_share else None)


def _quality(row: Floats, notes: Sequence[str], step_s: float) -> Quality:
    read = np.isfinite(row)
    found = list(notes)
    if not read.any():
        return Quality((*found, "all missing: there is no reading in the window"), ("all missing",), 1.0, 0.0)
    first = int(np.argmax(read))
    inside, known = row[first:], row[read]
    missing = float(1 - read[first:].mean())
    tail = int(np.argmax(read[::-1]))
    cycles = inside.size * step_s / DAY_S
    objections: list[str] = []
    if known.size < 8:
        found.append(f"not enough data: {known.size} readings, at least 8 are needed")
        objections.append("not enough data")
    elif known.size < 64:
        found.append(f"short: {known.size} readings, so only the range of the last ones is given")
        objections.append("short")
    if cycles < 2:
        objections.append("less than two days of history")
    if missing >= MAX_MISSING:
        found.append(f"gappy: {missing:.0%} of the steps have no reading")
        objections.append("gappy")
    if tail >= MAX_TAIL_GAP:
        found.append(f"stale: the last {tail} steps have no reading")
        objections.append("stale")
    if known.min() == known.max():
        found.append(f"constant: every reading is {known[0]:g}")
    elif float((known == 0).mean()) > 0.5:
        found.append(f"zero-heavy: {float((known == 0).mean()):.0%} of the readings are 0")
    elif abs(float(np.median(known))) > 1e6 * float(known.std()):
        found.append("huge offset: the level is over a million times the spread; it is taken off while computing")
    return Quality(tuple(found), tuple(objections), missing, cycles)
