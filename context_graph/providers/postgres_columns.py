"""Columns of tables: types and defaults from the catalog, and what the planner knows of their values where SELECT is granted."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from context_graph.manifests.secret_values import is_secret
from context_graph.providers import postgres_queries as sql
from gonogo.word import Json

MAX_ROWS = 100_000
LONGEST_VALUE = 40
"""Characters of a common value that is kept: longer ones are texts, not labels."""

Part = Callable[..., list[dict[str, Any]]]


def column_facts(relations: Sequence[Mapping[str, Any]], part: Part) -> tuple[dict[int, list[Json]], str]:
    """Relation → its columns; and, for the report, which tables' statistics are hidden (empty: none is).

    Values are kept of columns that hold few, as labels do (a status, a country); what is named like a secret is withheld.
    """
    statistics = {
        (row["schema"], row["table"], row["column"]): row for row in part("column statistics", sql.STATISTICS, limit=MAX_ROWS)
    }
    by_relation = {row["relation"]: row for row in relations}
    found: dict[int, list[Json]] = {}
    for row in part("columns", sql.COLUMNS, limit=MAX_ROWS):
        table = by_relation.get(row["relation"])
        if table is not None:
            known = statistics.get((table["schema"], table["name"], row["name"]))
            found.setdefault(row["relation"], []).append(_column(row, known))
    return found, _unread(relations)


def _column(row: Mapping[str, Any], known: Mapping[str, Any] | None) -> Json:
    column: dict[str, Json] = {"name": row["name"], "type": row["type"], "nullable": row["nullable"]}
    if row["default"] is not None:
        column["default"] = row["default"]
    if known is None:
        return column
    column |= {"null_fraction": known["null_fraction"], "n_distinct": known["n_distinct"]}
    values, shares = known["most_common_vals"], known["most_common_freqs"]
    if values and shares and all(len(v) <= LONGEST_VALUE and not is_secret(row["name"], v) for v in values if v is not None):
        column |= {"most_common_vals": values, "most_common_freqs": shares}
    return column


def _unread(relations: Sequence[Mapping[str, Any]]) -> str:
    hidden = [f"{row['schema']}.{row['name']}" for row in relations if not row["may_select"]]
    more = f" and {len(hidden) - 3:,} more" if len(hidden) > 3 else ""
    return ", ".join(hidden[:3]) + more if hidden else ""
