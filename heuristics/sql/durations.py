"""Durations as servers write them."""

import re

_UNITS = {"": 1.0, "ms": 1.0, "us": 0.001, "s": 1000.0, "min": 60_000.0, "h": 3_600_000.0, "d": 86_400_000.0}


def milliseconds(text: str) -> int | None:
    """`5s`, `500`, `2min` as milliseconds; None for what is not a duration."""
    found = re.fullmatch(r"\s*(\d{1,12}(?:\.\d{1,6})?)\s*(ms|us|s|min|h|d|)\s*", text)
    return None if found is None else round(float(found.group(1)) * _UNITS[found.group(2)])
