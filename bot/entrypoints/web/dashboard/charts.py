"""Small pictures as SVG, without scripts and without styles of their own: the sheet colours them, in the light and in the dark.

Each is 400 units wide, so that its text is as large as the page's on a telephone; who cannot see it is told its sentence.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from markupsafe import Markup, escape

from bot.report.numbers import number_text
from forecasting.picture import nice_ticks, time_ticks
from gonogo.forecast import Forecast
from gonogo.record import Record

_WIDTH, _HEIGHT = 400.0, 190.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 48.0, 8.0, 20.0, 28.0


class Column(Record):
    """One of a row of columns."""

    label: str
    value: float


class Span(Record):
    """Half of the values lie below `low` and nearly all below `high`."""

    label: str
    low: float
    high: float


class _Scale(Record):
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float], *, from_zero: bool = True) -> "_Scale":
        low, high = min(values, default=0.0), max(values, default=1.0)
        if from_zero or 0 < low < 0.5 * high:
            low = min(low, 0.0)
        room = (high - low) * 0.08 or max(abs(high), 1.0) * 0.1
        return cls(low if low == 0 else low - room, high + room)

    def y(self, value: float) -> float:
        return _HEIGHT - _BOTTOM - (value - self.low) / (self.high - self.low) * (_HEIGHT - _BOTTOM - _TOP)


def columns(points: Sequence[Column], *, says: str) -> Markup:
    """A column a point, each with its number where there is room, else the highest with its own; `says` is the sentence for who cannot see it."""
    scale = _Scale.of([p.value for p in points])
    apart = (_WIDTH - _LEFT - _RIGHT) / max(len(points), 1)

    all_fit = all(len(number_text(p.value)) * 8 < apart for p in points)
    largest = max(points, key=lambda p: p.value, default=None)

    def drawn() -> Iterator[str]:
        yield from _levels(scale, unit="")
        for at, point in enumerate(points):
            x, y = _LEFT + apart * (at + 0.5), scale.y(point.value)
            width = min(apart * 0.62, 34)
            height = scale.y(0) - y
            yield f'<rect class="bar" x="{x - width / 2:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="2"/>'
            if point.value and (all_fit or point == largest):
                yield _text(x, y - 3, number_text(point.value), anchor="middle", is_strong=True)
        yield from _below([p.label for p in points], apart)

    return _picture(drawn(), says)


def spans(points: Sequence[Span], *, unit: str, says: str) -> Markup:
    """A dot at `low` with a line up to `high`, a point each; nothing where both are 0."""
    scale = _Scale.of([p.high for p in points])
    apart = (_WIDTH - _LEFT - _RIGHT) / max(len(points), 1)

    def drawn() -> Iterator[str]:
        yield from _levels(scale, unit=unit)
        for at, point in enumerate(points):
            if not point.high:
                continue
            x = _LEFT + apart * (at + 0.5)
            top = scale.y(point.high)
            yield f'<rect class="band" x="{x - 3:.1f}" y="{top:.1f}" width="6" height="{scale.y(point.low) - top:.1f}" rx="3"/>'
            yield f'<circle class="dot" cx="{x:.1f}" cy="{scale.y(point.low):.1f}" r="4"/>'
        yield from _below([p.label for p in points], apart)

    return _picture(drawn(), says)


def fan(forecast: Forecast) -> Markup:
    """p50 as a line in the band from p10 to p90, over the hours that the forecast reaches."""
    unit = "" if forecast.unit == "Count" else forecast.unit
    scale = _Scale.of([*forecast.p10, *forecast.p90], from_zero=False)
    count = len(forecast.p50)

    def x(step: float) -> float:
        return _LEFT + step / max(count - 1, 1) * (_WIDTH - _LEFT - _RIGHT)

    def drawn() -> Iterator[str]:
        yield from _levels(scale, unit=unit)
        upper = [f"{x(n):.1f},{scale.y(v):.1f}" for n, v in enumerate(forecast.p90)]
        lower = [f"{x(n):.1f},{scale.y(v):.1f}" for n, v in enumerate(forecast.p10)]
        yield f'<polygon class="band" points="{" ".join([*upper, *reversed(lower)])}"/>'
        yield f'<polyline class="mid" points="{" ".join(f"{x(n):.1f},{scale.y(v):.1f}" for n, v in enumerate(forecast.p50))}"/>'
        yield f'<line class="axis" x1="{_LEFT}" y1="{_HEIGHT - _BOTTOM}" x2="{_WIDTH - _RIGHT}" y2="{_HEIGHT - _BOTTOM}"/>'
        for step, label in _hours(forecast, count):
            yield _text(x(step), _HEIGHT - 10, label, anchor="middle")

    return _picture(drawn(), forecast.statement or f"{forecast.metric}: forecast from p10 to p90")


def share(value: float, *, of: float = 1.0, start: float = 0.0) -> Markup:
    """A thin bar in a table: `value` of `of`, beginning at `start`. It says nothing that the table does not."""
    total = of or 1.0
    left, width = 100 * start / total, max(100 * value / total, 0.4)
    return Markup(  # noqa: S704  numbers only
        '<svg class="stage" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">'
        f'<rect class="track" x="0" y="0" width="100" height="8" rx="1"/><rect class="bar" x="{left:.2f}" y="0" width="{width:.2f}" height="8"/></svg>'
    )


def _hours(forecast: Forecast, count: int) -> Iterator[tuple[float, str]]:
    if forecast.start is not None:
        ticks = [(step, label) for step, label in time_ticks(forecast.start, forecast.step_s, 0, count) if 0 <= step <= count - 1]
        yield from ticks[:: max(1, -(-len(ticks) // 5))]
        return
    total = timedelta(seconds=forecast.horizon_s).total_seconds() / 3600
    yield from ((part * (count - 1), f"+{part * total:.3g} h") for part in (0.25, 0.5, 0.75))


def _levels(scale: _Scale, *, unit: str) -> Iterator[str]:
    for tick in nice_ticks(scale.low, scale.high, 4):
        y = scale.y(tick)
        yield f'<line class="grid-line" x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}"/>'
        yield _text(_LEFT - 6, y + 4, _short(tick), anchor="end")
    if unit:
        yield _text(0, 11, unit, anchor="start")


def _below(labels: Sequence[str], apart: float) -> Iterator[str]:
    every = max(1, -(-len(labels) // 5))
    for at in range(len(labels) - 1, -1, -every):
        is_last = at == len(labels) - 1
        x = _WIDTH if is_last else _LEFT + apart * (at + 0.5)
        yield _text(x, _HEIGHT - 9, labels[at], anchor="end" if is_last else "middle")


def _picture(parts: Iterator[str], says: str) -> Markup:
    opening = f'<svg class="chart" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img" aria-label="{escape(says)}">'
    return Markup(f"{opening}{''.join(parts)}</svg>")  # noqa: S704  every text in it went through `escape`


def _text(x: float, y: float, text: str, *, anchor: str, is_strong: bool = False) -> str:
    strong = ' class="strong"' if is_strong else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{strong}>{escape(text)}</text>'


def _short(value: float) -> str:
    for size, suffix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{suffix}"
    return f"{value:.3g}"
