"""Rows of the catalogs as tables and indexes; a partitioned table stands for its partitions together."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from context_graph.providers.postgres_rates import Rates, TableRates
from gonogo.context import Index, Table
from gonogo.word import Json


def tables_of(
    relations: Sequence[Mapping[str, Any]], sizes: Mapping[int, float], rates: Rates, columns: Mapping[int, Sequence[Json]]
) -> Iterator[Table]:
    """Every table, partition and materialised view. A partitioned table has the sums of its partitions: it holds no rows itself."""
    children: dict[int, list[Mapping[str, Any]]] = {}
    for row in relations:
        if row["parent"] is not None:
            children.setdefault(row["parent"], []).append(row)
    for row in relations:
        leaves = list(_leaves(row, children))
        of = [rates.tables.get(leaf["relation"]) for leaf in leaves]
        estimates = [leaf["row_estimate"] for leaf in leaves]
        dead = _sum(of, "dead_tuples")
        more: dict[str, Json] = {} if dead is None else {"dead_tuples": dead}
        inserts = _sum(of, "inserts_per_second")
        if inserts is not None:
            more["inserts_per_second"] = inserts
        if row["kind"] == "p":
            more["partitions"] = len(leaves)
        yield Table(
            schema=row["schema"],
            name=row["name"],
            row_estimate=None if any(e is None or e < 0 for e in estimates) else sum(estimates),
            total_bytes=sum(sizes[leaf["relation"]] for leaf in leaves)
            if all(lf["relation"] in sizes for lf in leaves)
            else None,
            writes_per_second=_sum(of, "writes_per_second"),
            reads_per_second=_sum(of, "reads_per_second"),
            columns=list(columns[row["relation"]]) if row["relation"] in columns else None,
            more=more,
        )


def indexes_of(rows: Sequence[Mapping[str, Any]], rates: Rates) -> Iterator[Index]:
    """Every index. One on a partitioned table has no counters of its own: its scans are unknown."""
    for row in rows:
        more: dict[str, Json] = {"is_unique": row["is_unique"]}
        if not row["is_valid"]:
            more["is_valid"] = False
        if row["relation"] in rates.scans:
            more["scans"] = rates.scans[row["relation"]]
        yield Index(
            schema=row["schema"],
            table=row["table"],
            name=row["name"],
            definition=row["definition"] or "",
            scans_per_hour=rates.scans_per_hour.get(row["relation"]),
            bytes=None if row["kind"] == "I" else float(row["bytes"]),
            more=more,
        )


def _leaves(row: Mapping[str, Any], children: Mapping[int, Sequence[Mapping[str, Any]]]) -> Iterator[Mapping[str, Any]]:
    if row["kind"] != "p":
        yield row
    for child in children.get(row["relation"], ()) if row["kind"] == "p" else ():
        yield from _leaves(child, children)


def _sum(of: Sequence[TableRates | None], name: str) -> float | None:
    found = [getattr(one, name) if one is not None else None for one in of]
    return None if not found or any(f is None for f in found) else float(f"{sum(f for f in found if f is not None):.6g}")
