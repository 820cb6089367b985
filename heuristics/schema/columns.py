"""Statistics of columns as snapshots spell them: one typed row whatever names the source uses."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from gonogo.context import Table
from gonogo.record import Record
from heuristics.schema.column_values import HeldValues, held_values


class ColumnFacts(Record):
    """What is known of one column; None is unknown, never zero."""

    name: str
    type: str = ""
    is_nullable: bool | None = None
    null_fraction: float | None = None
    null_count: float | None = None
    distinct: float | None = None
    """As PostgreSQL keeps it: a count, or minus the share of rows that are distinct (-1: every row)."""
    duplicates: float | None = None
    max_length: float | None = None
    lowest: float | None = None
    highest: float | None = None
    default: str | None = None
    held: HeldValues = HeldValues()

    def nulls(self, rows: float | None) -> float | None:
        """Rows without a value; at least one when the share is above zero."""
        if self.null_count is not None:
            return self.null_count
        if self.is_nullable is False:
            return 0.0
        if self.null_fraction is None:
            return None
        return self.null_fraction * rows if rows is not None else self.null_fraction

    def distinct_values(self, rows: float | None) -> float | None:
        """How many different values there are."""
        if self.distinct is None or self.distinct >= 0:
            return self.distinct
        return None if rows is None else -self.distinct * rows


_SPELLINGS: Mapping[str, tuple[str, ...]] = {
    "null_fraction": ("null_fraction", "null_frac", "null_ratio", "null_share", "nulls_fraction"),
    "null_count": ("null_count", "nulls", "null_rows", "null_values"),
    "distinct": ("n_distinct", "distinct", "distinct_count", "distinct_values", "ndv", "cardinality"),
    "duplicates": ("duplicates", "duplicate_count", "duplicate_values", "duplicate_rows", "duplicated"),
    "max_length": ("max_length", "max_len", "longest", "max_char_length", "max_octet_length", "observed_max_length"),
    "lowest": ("min", "min_value", "minimum", "lowest"),
    "highest": ("max", "max_value", "maximum", "highest"),
}
_PERCENT = {"null_fraction": ("null_percent", "null_pct", "percent_null")}


def columns_of(table: Table | None) -> dict[str, ColumnFacts] | None:
    """Column name in lower case → facts; None when no list of columns was read."""
    listed: object = table.columns if table is not None else None
    if not isinstance(listed, list | dict | tuple):
        return None
    found = {facts.name.lower(): facts for facts in _rows(cast("object", listed))}
    return found or None


def column_facts(table: Table | None, column: str) -> ColumnFacts | None:
    """The facts of one column, when they were read."""
    return (columns_of(table) or {}).get(column.lower())


def _rows(listed: object) -> Iterator[ColumnFacts]:
    if isinstance(listed, dict):
        for name, row in cast("dict[str, Any]", listed).items():
            known = cast("dict[str, Any]", row) if isinstance(row, dict) else {"type": str(row)}
            yield _facts({"name": str(name), **known})
        return
    for row in cast("list[Any]", listed):
        if isinstance(row, str):
            yield ColumnFacts(row)
        elif isinstance(row, dict):
            known = cast("dict[str, Any]", row)
            if isinstance(known.get("name", known.get("column")), str):
                yield _facts(known)


def _facts(row: Mapping[str, Any]) -> ColumnFacts:
    numbers = {field: _first_number(row, names) for field, names in _SPELLINGS.items()}
    if numbers["null_fraction"] is None:
        percent = _first_number(row, _PERCENT["null_fraction"])
        numbers["null_fraction"] = None if percent is None else percent / 100
    default = next((row[k] for k in ("default", "column_default", "default_value") if row.get(k) is not None), None)
    held = held_values(row, numbers["distinct"], numbers["null_fraction"])
    listed = held.numbers()
    if listed and (held.bounds or held.is_whole) and len(listed) == len(held.values) + len(held.bounds):
        numbers["lowest"] = min(listed) if numbers["lowest"] is None else numbers["lowest"]
        numbers["highest"] = max(listed) if numbers["highest"] is None else numbers["highest"]
    return ColumnFacts(
        held=held,
        name=str(row.get("name", row.get("column"))),
        type=str(row.get("type") or row.get("data_type") or ""),
        is_nullable=_nullable(row),
        default=None if default is None else str(default),
        **numbers,
    )


def _nullable(row: Mapping[str, Any]) -> bool | None:
    for name in ("nullable", "is_nullable"):
        value = row.get(name)
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in ("yes", "true", "1", "no", "false", "0"):
            return value.lower() in ("yes", "true", "1")
    refused = row.get("not_null")
    return not refused if isinstance(refused, bool) else None


def _first_number(row: Mapping[str, Any], names: tuple[str, ...]) -> float | None:
    for name in names:
        value = row.get(name)
        if isinstance(value, bool):
            continue
        if isinstance(value, int | float):
            return float(value)
        if isinstance(value, str):
            try:
                return float(value)
            except ValueError:
                continue
    return None
