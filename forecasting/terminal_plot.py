"""The same picture in characters: history, band and limit, for a terminal of any width."""

import numpy as np

from forecasting.picture import Drawn, nice_ticks
from forecasting.quantiles import Floats
from forecasting.statements import spoken, spoken_time


def terminal_plot(drawn: Drawn, *, width: int = 100, height: int = 14) -> str:
    """Lines of at most `width` characters: `•` read, `░` p10 to p90, `━` p50, `╌` the limit, `│` now."""
    margin = 10
    columns = max(20, width - margin - 2)
    ahead = 0 if drawn.band is None else len(drawn.band)
    total = drawn.history.size + ahead
    shown = [drawn.history[np.isfinite(drawn.history)]]
    if drawn.band is not None:
        shown.append(drawn.band.ravel())
    values = np.concatenate([*shown, [drawn.limit] if drawn.limit is not None else []])
    if not values.size:
        return "no readings to draw"
    low, high = float(values.min()), float(values.max())
    if 0 < low < 0.5 * high:
        low = 0.0
    high = high if high > low else low + 1
    cells = [[" "] * columns for _ in range(height)]

    def row(value: float) -> int:
        return height - 1 - int(np.clip(round((value - low) / (high - low) * (height - 1)), 0, height - 1))

    if drawn.limit is not None:
        cells[row(drawn.limit)] = ["╌"] * columns
    edges = np.linspace(0, total, columns + 1)
    now = int(np.searchsorted(edges, drawn.history.size, side="right")) - 1
    for column in range(columns):
        start, end = int(edges[column]), max(int(edges[column]) + 1, int(edges[column + 1]))
        if column >= now and drawn.band is not None:
            part = _part(drawn.band, start - drawn.history.size, end - drawn.history.size)
            for at in range(row(float(part[:, 2].max())), row(float(part[:, 0].min())) + 1):
                cells[at][column] = "░"
            cells[row(float(part[:, 1].mean()))][column] = "━"
        elif (read := drawn.history[start:end])[np.isfinite(read)].size:
            known = read[np.isfinite(read)]
            for at in range(row(float(known.max())), row(float(known.min())) + 1):
                cells[at][column] = "•"
    if drawn.band is not None and 0 < now < columns:
        for line in cells:
            line[now] = "│" if line[now] == " " else line[now]
    labels = {row(tick): spoken(tick, "") for tick in nice_ticks(low, high, 4)}
    if drawn.limit is not None:
        labels[row(drawn.limit)] = "limit"
    lines = [f"{labels.get(at, ''):>{margin}} ┤{''.join(line)}".rstrip() for at, line in enumerate(cells)]
    past, future = spoken_time(drawn.history.size * drawn.step_s), spoken_time(ahead * drawn.step_s)
    end = f"+{future}" if ahead else "now"
    lines.append(" " * (margin + 2) + f"−{past}" + " " * max(1, columns - len(past) - len(end) - 1) + end)
    return "\n".join(lines)


def _part(band: Floats, start: int, end: int) -> Floats:
    first = min(max(0, start), len(band) - 1)
    return band[first : max(first + 1, end)]
