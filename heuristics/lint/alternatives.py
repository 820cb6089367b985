"""Safe alternatives that are held against the same schema and server as the statement that they replace."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gonogo.change import Side
from gonogo.finding import Finding
from gonogo.ports import SourceTree
from heuristics.lint.found import findings_of, is_advice
from heuristics.sql import Action, Catalog, Operation, Simulated, Statement, parsed, safe_statements, simulate

_FAILS = ("migrations/predicted-error", "postgres/concurrently-in-transaction")
NONE_IS_ONLINE = "-- no online way is known on this server: do it with lock_timeout set, while little runs"


def checked(
    finding: Finding, step: Simulated, *, before: Catalog, server_version: int | None, trees: Mapping[Side, SourceTree]
) -> Finding:
    """The finding with an alternative that is itself free of findings; without one when the statement fails anyway."""
    operation = step.operation
    if not finding.safe_alternative or operation.statement.dialect not in ("postgres", "unknown"):
        return finding
    written = [text for transaction in safe_statements(operation) for text in transaction]
    if _is_clean(written, operation, before, server_version, trees):
        return finding
    if finding.rule in _FAILS:
        return finding.model_copy(update={"safe_alternative": ""})
    for other in (_by_partition(operation, before),):
        if other and _is_clean(other, operation, before, server_version, trees):
            return finding.model_copy(update={"safe_alternative": "\n".join(f"{text};" for text in other)})
    return finding.model_copy(update={"safe_alternative": NONE_IS_ONLINE})


def _is_clean(
    written: Sequence[str],
    operation: Operation,
    before: Catalog,
    server_version: int | None,
    trees: Mapping[Side, SourceTree],
) -> bool:
    statements = [
        _statement(operation.statement, text, line) for line, text in enumerate(written, 1) if not text.startswith("--")
    ]
    operations = [op for statement in statements for op in parsed(statement)]
    played = simulate(operations, engine="postgres", server_version=server_version, catalog=before)
    return not any(
        not is_advice(found, "postgres")
        for statement in statements
        if (steps := [s for s in played if s.operation.statement == statement])
        for found in findings_of(steps, trees)
    )


def _statement(like: Statement, sql: str, line: int) -> Statement:
    return replace(like, sql=sql, source=sql, line=line, end_line=line, transaction=None, is_analysed=True, note="")


def _by_partition(operation: Operation, before: Catalog) -> list[str]:
    """An index of a partitioned table: on the parent alone, then on each partition while it is in use, then attached."""
    relation = before.relation(operation.table)
    if operation.action is not Action.CREATE_INDEX or relation is None or relation.kind != "partitioned" or not operation.columns:
        return []
    columns = ", ".join(operation.columns)
    unique = "UNIQUE " if operation.is_unique else ""
    name = operation.name or f"{relation.name.rpartition('.')[2]}_{'_'.join(operation.columns)}_idx"
    written = [f"CREATE {unique}INDEX {name} ON ONLY {relation.name} ({columns})"]
    for partition in before.partitions(relation.name):
        own = f"{partition.name.rpartition('.')[2]}_{'_'.join(operation.columns)}_idx"
        written.append(f"CREATE {unique}INDEX CONCURRENTLY {own} ON {partition.name} ({columns})")
        written.append(f"ALTER INDEX {name} ATTACH PARTITION {own}")
    return written
