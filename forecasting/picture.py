"""A forecast as a picture for a postmortem: history, band, limit and what would have been said before, in one SVG."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from html import escape
from importlib import import_module
from textwrap import wrap

import numpy as np

from forecasting.quantiles import Floats
from forecasting.statements import spoken

WIDTH, HEIGHT = 720, 470
_LEFT, _RIGHT, _BOTTOM = 76, 18, 64
_INK, _SOFT, _GRID = "#1f2933", "#52606d", "#e4e7eb"
_HISTORY, _BAND, _MIDDLE, _PAST, _LIMIT = "#334e68", "#9fc5e8", "#1264a3", "#c9d6e2", "#c0392b"


@dataclass(frozen=True)
class PastBand:
    """What was said at an earlier instant: `band` `[horizon, (p10, p50, p90)]` from step `at` of the history on."""

    at: int
    band: Floats


@dataclass(frozen=True)
class Drawn:
    """Everything one picture shows. `history` `[time]` ends at `now`; `band` is `[horizon, (p10, p50, p90)]`, None when there is none."""

    title: str
    statement: str
    unit: str
    history: Floats
    band: Floats | None
    now: datetime
    step_s: float
    limit: float | None = None
    past: Sequence[PastBand] = ()
    footer: str = ""


def svg(drawn: Drawn) -> str:
    """The picture, 720 wide, legible at 390; it scales to the width it is given."""
    return "\n".join(_elements(drawn)) + "\n"


def png(drawn: Drawn, *, zoom: float = 2.0) -> bytes:
    """The same picture as PNG, twice as large; needs the extra `plot`, else ModuleNotFoundError."""
    return import_module("resvg_py").svg_to_bytes(svg_string=svg(drawn), zoom=zoom)


def _elements(drawn: Drawn) -> Iterator[str]:
    lines = wrap(drawn.statement, 90)[:4]
    top = 40 + 19 * len(lines) + 34
    plane = _Plane.of(drawn, top)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" style="max-width:100%;height:auto" '
        f'role="img" aria-label="{escape(drawn.title)}: {escape(drawn.statement)}" font-family="system-ui, DejaVu Sans, Arial, sans-serif" font-size="14">'
    )
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
    yield _text(16, 28, drawn.title, size=18, weight=600)
    for row, line in enumerate(lines):
        yield _text(16, 52 + 19 * row, line, size=14, fill=_SOFT)
    yield from _legend(drawn, top - 18)
    yield from _axes(drawn, plane)
    length = drawn.history.size
    for past in drawn.past:
        yield _area(plane, past.at - length, past.band, _PAST, 0.75)
    if drawn.band is not None:
        yield _area(plane, 0, drawn.band, _BAND, 0.85)
    yield from _curves(plane, drawn.history, plane.first, _HISTORY, 1.6)
    if drawn.band is not None:
        yield from _curves(plane, np.concatenate([[_last(drawn.history)], drawn.band[:, 1]]), -1, _MIDDLE, 2.4)
    yield from _limit(drawn, plane)
    now = plane.x(-0.5)
    yield f'<line x1="{now:.1f}" y1="{plane.top}" x2="{now:.1f}" y2="{plane.bottom}" stroke="{_SOFT}" stroke-width="1.2" stroke-dasharray="3 3"/>'
    if drawn.footer:
        yield _text(16, HEIGHT - 12, drawn.footer, size=12, fill=_SOFT)
    yield "</svg>"


@dataclass(frozen=True)
class _Plane:
    """Where steps (0 is the first of the horizon) and values lie on the picture."""

    first: int
    last: int
    low: float
    high: float
    top: int
    bottom: int

    @classmethod
    def of(cls, drawn: Drawn, top: int) -> "_Plane":
        shown = [drawn.history]
        if drawn.band is not None:
            shown.append(drawn.band.ravel())
        shown += [past.band.ravel() for past in drawn.past]
        values = np.concatenate(shown)
        values = values[np.isfinite(values)]
        low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
        if drawn.limit is not None:
            low, high = min(low, drawn.limit), max(high, drawn.limit)
        if 0 < low < 0.5 * high:
            low = 0.0
        room = (high - low) * 0.06 or max(abs(high), 1.0) * 0.1
        ahead = 0 if drawn.band is None else len(drawn.band)
        return cls(-drawn.history.size, max(ahead, 1), low if low == 0 else low - room, high + room, top, HEIGHT - _BOTTOM)

    def x(self, step: float) -> float:
        return _LEFT + (step - self.first) / (self.last - 1 - self.first) * (WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        return self.bottom - (value - self.low) / (self.high - self.low) * (self.bottom - self.top)


def _axes(drawn: Drawn, plane: _Plane) -> Iterator[str]:
    for tick in nice_ticks(plane.low, plane.high, 5):
        y = plane.y(tick)
        yield f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{WIDTH - _RIGHT}" y2="{y:.1f}" stroke="{_GRID}" stroke-width="1"/>'
        yield _text(_LEFT - 8, y + 5, _short(tick), size=13, anchor="end", fill=_SOFT)
    for step, label in time_ticks(drawn.now, drawn.step_s, plane.first, plane.last):
        x = plane.x(step)
        yield f'<line x1="{x:.1f}" y1="{plane.bottom}" x2="{x:.1f}" y2="{plane.bottom + 5}" stroke="{_SOFT}" stroke-width="1"/>'
        yield _text(x, plane.bottom + 21, label, size=13, anchor="middle", fill=_SOFT)
    yield f'<line x1="{_LEFT}" y1="{plane.bottom}" x2="{WIDTH - _RIGHT}" y2="{plane.bottom}" stroke="{_SOFT}" stroke-width="1"/>'


def _legend(drawn: Drawn, y: float) -> Iterator[str]:
    shown = [(_HISTORY, "read")]
    if drawn.band is not None:
        shown += [(_MIDDLE, "p50"), (_BAND, "p10 to p90")]
    if drawn.past:
        shown.append((_PAST, "said before (backtest)"))
    if drawn.unit:
        yield _text(WIDTH - _RIGHT, y, drawn.unit, size=13, anchor="end", fill=_SOFT)
    x = float(_LEFT)
    for colour, label in shown:
        yield f'<rect x="{x:.0f}" y="{y - 10:.0f}" width="14" height="10" rx="2" fill="{colour}"/>'
        yield _text(x + 20, y, label, size=13, fill=_SOFT)
        x += 38 + 7.2 * len(label)


def _limit(drawn: Drawn, plane: _Plane) -> Iterator[str]:
    if drawn.limit is None:
        return
    y = plane.y(drawn.limit)
    yield f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{WIDTH - _RIGHT}" y2="{y:.1f}" stroke="{_LIMIT}" stroke-width="1.8" stroke-dasharray="8 5"/>'
    yield _text(
        _LEFT + 6,
        y - 6 if y - plane.top > 22 else y + 17,
        f"limit {spoken(drawn.limit, drawn.unit)}",
        size=13,
        fill=_LIMIT,
        weight=600,
    )


def _area(plane: _Plane, start: int, band: Floats, colour: str, opacity: float) -> str:
    steps = [s for s in range(len(band)) if plane.first <= start + s < plane.last and np.isfinite(band[s]).all()]
    upper = [f"{plane.x(start + s):.1f},{plane.y(float(band[s, 2])):.1f}" for s in steps]
    lower = [f"{plane.x(start + s):.1f},{plane.y(float(band[s, 0])):.1f}" for s in reversed(steps)]
    return f'<polygon points="{" ".join(upper + lower)}" fill="{colour}" fill-opacity="{opacity}"/>'


def _curves(plane: _Plane, values: Floats, start: int, colour: str, width: float) -> Iterator[str]:
    """One line for each stretch without a gap; a lone reading is a dot."""
    known = np.isfinite(values)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]]).astype(np.int8)))
    for begin, end in zip(edges[::2], edges[1::2], strict=True):
        points = " ".join(f"{plane.x(start + i):.1f},{plane.y(float(values[i])):.1f}" for i in range(begin, end))
        if end - begin == 1:
            x, _, y = points.partition(",")
            yield f'<circle cx="{x}" cy="{y}" r="1.6" fill="{colour}"/>'
        else:
            yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"/>'


def _last(history: Floats) -> float:
    known = history[np.isfinite(history)]
    return float(known[-1]) if known.size else float("nan")


def _text(x: float, y: float, text: str, *, size: int, anchor: str = "start", fill: str = _INK, weight: int = 400) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{fill}" font-weight="{weight}">{escape(text)}</text>'


def _short(value: float) -> str:
    for size, suffix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            return f"{value / (1e3 if suffix == 'k' else size):,.4g}{suffix}"
    return f"{value:,.4g}"


def nice_ticks(low: float, high: float, count: int) -> list[float]:
    """Round values between low and high, about `count` of them, 1, 2 or 5 times a power of ten apart."""
    if not high > low:
        return [low]
    rough = (high - low) / count
    power = 10.0 ** np.floor(np.log10(rough))
    apart = next(power * m for m in (1, 2, 5, 10) if power * m >= rough)
    return [float(apart * i) for i in range(int(np.ceil(low / apart)), int(np.floor(high / apart)) + 1)]


def time_ticks(now: datetime, step_s: float, first: int, last: int) -> list[tuple[float, str]]:
    """Steps at whole hours UTC, six at most, the day named where it changes."""
    span_h = (last - first) * step_s / 3600
    apart_h = next((h for h in (1, 2, 3, 6, 12, 24, 48, 96, 168) if span_h / h <= 7), 336)
    start = now.astimezone(UTC) + timedelta(seconds=first * step_s)
    at = start.replace(minute=0, second=0, microsecond=0)
    ticks: list[tuple[float, str]] = []
    while True:
        at += timedelta(hours=1)
        step = (at - now).total_seconds() / step_s
        if step > last - 1:
            return ticks
        if (at.hour + 24 * at.toordinal()) % apart_h == 0:
            ticks.append((step, f"{at:%d %b}" if at.hour == 0 or apart_h >= 24 else f"{at:%H:%M}"))
