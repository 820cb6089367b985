"""Numbers and comparisons as people write them."""

import re

from gonogo.trajectory import Comparison, Link

_UNITS = {
    "": "", "%": " %", "Percent": " %", "1/s": " per second", "Count/Second": " per second", "Milliseconds": " ms",
    "Microseconds": " µs", "Seconds": " s", "Megabytes": " MB", "Gigabytes": " GB", "Count": "",
}  # fmt: skip
_BYTES = ("Bytes", "bytes", "B")
_SIGNS = {">=": "≥", "<=": "≤", "==": "=", "!=": "≠"}


def number_text(value: float, unit: str = "") -> str:
    """Thousands grouped, no more digits than it deserves; bytes as kB, MB or GB."""
    if unit in _BYTES:
        return bytes_text(value)
    if abs(value) < 1e15 and value == int(value):
        digits = f"{int(value):,}"
    elif abs(value) >= 100:
        digits = f"{value:,.0f}"
    else:
        digits = f"{value:.3g}"
    return digits + _UNITS.get(unit, f" {unit}")


def bytes_text(value: float) -> str:
    """`8.87 GB`."""
    for size, unit in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if abs(value) >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:,.0f} bytes"


def comparison_text(comparison: Comparison) -> str:
    """`38.2 > 1 per second`; of one that does not hold, `21.9, not > 60 s`."""
    sign = _SIGNS.get(comparison.operator, comparison.operator)
    observed = number_text(comparison.observed, comparison.unit if comparison.unit in _BYTES else "")
    return f"{observed}{' ' if comparison.holds() else ', not '}{sign} {number_text(comparison.limit, comparison.unit)}"


def compared(link: Link) -> str:
    """The comparison of a link, when its claim does not already say both numbers; 'more than nothing' needs no saying."""
    if link.comparison is None:
        return ""
    observed, limit = link.comparison.observed, link.comparison.limit
    if (limit if link.comparison.holds() else observed) == 0:
        return ""
    is_said = says(link.claim, observed) and says(link.claim, limit)
    return "" if is_said else comparison_text(link.comparison)


def says(claim: str, value: float) -> bool:
    """Whether a sentence holds that number as it would be written."""
    return re.search(rf"(?<![\d.,]){re.escape(number_text(value))}(?![\d]|[.,]\d)", claim) is not None
