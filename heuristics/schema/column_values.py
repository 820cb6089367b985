"""Which values rows of a column hold, as statistics list them: most common values, counts by value, bounds of a histogram."""

import csv
from collections.abc import Mapping, Sequence
from typing import Any, cast

from gonogo.record import Record

_LISTS = (
    "most_common_vals", "most_common_values", "most_common", "mcv", "common_values", "top_values", "value_counts", "value_frequencies",
    "value_shares", "values", "distinct_values", "distinct_vals", "unique_values", "observed_values", "labels_used", "enum_labels_used",
    "enum_counts", "distribution", "frequencies", "counts", "counts_by_value", "sample_values",
)  # fmt: skip
_WHOLE = frozenset(
    (
        "distinct_values",
        "distinct_vals",
        "unique_values",
        "labels_used",
        "enum_labels_used",
        "value_counts",
        "enum_counts",
        "counts_by_value",
    )
)
"""Lists that hold every value that occurs."""
_SHARES = ("most_common_freqs", "most_common_frequencies", "mcf", "common_frequencies", "top_frequencies", "frequencies")
_BOUNDS = ("histogram_bounds", "histogram", "bounds", "quantiles")
_VALUE_KEYS = ("value", "val", "label", "name", "key")
_COUNT_KEYS = ("count", "rows", "frequency", "freq", "share", "fraction", "ratio")
_NEARLY_ALL = 0.9995


class HeldValue(Record):
    """One value that rows hold. `share` of all rows, or `count` of rows, where it was read."""

    text: str
    share: float | None = None
    count: float | None = None

    def rows(self, total: float | None) -> float | None:
        """How many rows hold it."""
        if self.count is not None:
            return self.count
        return None if self.share is None or total is None else self.share * total


class HeldValues(Record):
    """The values that were listed; with `is_whole`, no row holds another one."""

    values: tuple[HeldValue, ...] = ()
    is_whole: bool = False
    bounds: tuple[str, ...] = ()
    """Lowest to highest of the values that are not listed."""

    def numbers(self) -> list[float]:
        """Those that are numbers, bounds included."""
        found = (number_of(text) for text in (*(v.text for v in self.values), *self.bounds))
        return [n for n in found if n is not None]


def held_values(row: Mapping[str, Any], distinct: float | None, null_fraction: float | None) -> HeldValues:
    """What the statistics of one column say about its values."""
    name = next((n for n in _LISTS if isinstance(row.get(n), list | tuple | dict | str)), None)
    bounds = next((_texts(row[n]) for n in _BOUNDS if isinstance(row.get(n), list | tuple | str)), ())
    if name is None:
        return HeldValues(bounds=bounds)
    values = _values(row[name], next((_texts(row[n]) for n in _SHARES if n != name and row.get(n) is not None), ()))
    covered = sum(v.share or 0.0 for v in values) + (null_fraction or 0.0)
    is_counted = distinct is not None and 0 <= distinct <= len(values)
    is_covered = bool(values) and all(v.share is not None for v in values) and covered >= _NEARLY_ALL
    has_more = bool(bounds) or (distinct is not None and (distinct > len(values) or distinct < 0))
    is_whole = bool(values) and not has_more and (name in _WHOLE or is_counted or is_covered)
    return HeldValues(values, is_whole, bounds)


def number_of(text: str) -> float | None:
    """The text as a number."""
    try:
        return float(text)
    except ValueError:
        return None


def _values(listed: object, shares: Sequence[str]) -> tuple[HeldValue, ...]:
    if isinstance(listed, dict):
        return tuple(_held(str(k), v) for k, v in cast("dict[object, object]", listed).items())
    rows: Sequence[object] = cast("Sequence[object]", listed) if isinstance(listed, list | tuple) else _texts(listed)
    found: list[HeldValue] = []
    for at, item in enumerate(rows):
        if isinstance(item, dict):
            known = cast("dict[str, object]", item)
            text = next((known[k] for k in _VALUE_KEYS if known.get(k) is not None), None)
            if text is not None:
                found.append(_held(_text(text), next((known[k] for k in _COUNT_KEYS if known.get(k) is not None), None)))
        elif isinstance(item, list | tuple):
            pair = cast("Sequence[object]", item)
            found += [_held(_text(pair[0]), pair[1])] if len(pair) == 2 else []
        elif item is not None:
            found.append(_held(_text(item), number_of(shares[at]) if at < len(shares) else None))
    return tuple(found)


def _held(text: str, amount: object) -> HeldValue:
    if isinstance(amount, bool) or not isinstance(amount, int | float):
        return HeldValue(text)
    return (
        HeldValue(text, share=float(amount))
        if isinstance(amount, float) and 0 <= amount <= 1
        else HeldValue(text, count=float(amount))
    )


def _texts(listed: object) -> tuple[str, ...]:
    """The elements of a list, or of an array as PostgreSQL writes it: `{EUR,"New York"}`."""
    if isinstance(listed, str):
        inner = listed.strip().removeprefix("{").removesuffix("}")
        rows = list(csv.reader([inner], escapechar="\\")) if inner else []
        return tuple(rows[0]) if rows else ()
    return tuple(_text(item) for item in cast("Sequence[object]", listed)) if isinstance(listed, list | tuple) else ()


def _text(item: object) -> str:
    return str(item).lower() if isinstance(item, bool) else str(item)
