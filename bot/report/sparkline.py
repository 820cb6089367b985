"""A series of numbers as one line of blocks."""

from collections.abc import Sequence

_BLOCKS = "▁▂▃▄▅▆▇█"
WIDTH = 32


def sparkline(values: Sequence[float], *, width: int = WIDTH) -> str:
    """The course of the values from the lowest (▁) to the highest (█), at most `width` signs; the highest of each span is drawn."""
    finite = [v for v in values if v == v and abs(v) != float("inf")]  # noqa: PLR0124  not a number differs from itself
    if not finite:
        return ""
    count = min(width, len(finite))
    spans = [finite[len(finite) * n // count : len(finite) * (n + 1) // count] for n in range(count)]
    peaks = [max(span) for span in spans]
    low, high = min(peaks), max(peaks)
    if high == low:
        return _BLOCKS[0] * count
    return "".join(_BLOCKS[min(len(_BLOCKS) - 1, int((peak - low) / (high - low) * len(_BLOCKS)))] for peak in peaks)
