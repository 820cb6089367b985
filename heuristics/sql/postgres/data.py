"""Statements that move rows: INSERT, UPDATE, DELETE, MERGE, COPY, SELECT, and data-changing CTEs."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from gonogo.pattern import pattern
from heuristics.sql.postgres.expressions import columns_in, functions_in, relation_name, strings_in, tables_in
from heuristics.sql.postgres.grammar import walk
from heuristics.sql.words import Action, Operation, Statement

if TYPE_CHECKING:
    from postgast import pg_query_pb2 as pb

_NAME = r"((?:\"[^\"]+\"|[\w$]+)(?:\s*\.\s*(?:\"[^\"]+\"|[\w$]+))?)"
_OPENINGS = (
    (pattern(r"insert\s+into\s+" + _NAME, re.IGNORECASE), Action.INSERT),
    (pattern(r"update\s+(?:only\s+)?" + _NAME + r"\s+(?:as\s+\w+\s+|\w+\s+)?set\b", re.IGNORECASE), Action.UPDATE),
    (pattern(r"delete\s+from\s+(?:only\s+)?" + _NAME, re.IGNORECASE), Action.DELETE),
)


def data_operation(tree: "pb.Node", statement: Statement) -> Iterator[Operation]:
    """The main statement, and one more for each CTE that changes rows."""
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    main = _one(tree, statement)
    if main is not None:
        yield main
    for message in walk(tree):
        if isinstance(message, pb.CommonTableExpr) and message.ctequery.WhichOneof("node") != "select_stmt":
            inner = _one(message.ctequery, statement)
            if inner is not None:
                yield inner


def _one(tree: "pb.Node", statement: Statement) -> Operation | None:
    match tree.WhichOneof("node"):
        case "insert_stmt":
            return _changed(tree.insert_stmt.relation, tree, statement, Action.INSERT, has_where=True)
        case "update_stmt":
            operation = _changed(
                tree.update_stmt.relation, tree, statement, Action.UPDATE, has_where=tree.update_stmt.HasField("where_clause")
            )
            return replace(operation, columns=tuple(t.res_target.name for t in tree.update_stmt.target_list))
        case "delete_stmt":
            return _changed(
                tree.delete_stmt.relation, tree, statement, Action.DELETE, has_where=tree.delete_stmt.HasField("where_clause")
            )
        case "merge_stmt":
            return _changed(tree.merge_stmt.relation, tree, statement, Action.UPDATE, has_where=True)
        case "copy_stmt" if tree.copy_stmt.is_from:
            return _changed(tree.copy_stmt.relation, tree, statement, Action.INSERT, has_where=True)
        case "select_stmt" if tree.select_stmt.HasField("into_clause"):
            target = relation_name(tree.select_stmt.into_clause.rel)
            reads = tuple(t for t in tables_in(tree) if t != target)
            return Operation(
                statement=statement,
                action=Action.CREATE_TABLE,
                table=target,
                reads=reads,
                reads_columns=columns_in(tree),
                details={"with_data": "true"},
            )
        case _:
            return Operation(
                statement=statement,
                action=Action.SELECT,
                reads=tables_in(tree),
                literals=strings_in(tree),
                object_kind="other",
                details={"calls": ",".join(functions_in(tree))},
            )


def _changed(relation: "pb.RangeVar", tree: "pb.Node", statement: Statement, action: Action, *, has_where: bool) -> Operation:
    target = relation_name(relation)
    return Operation(
        statement=statement,
        action=action,
        table=target,
        reads=tuple(t for t in tables_in(tree) if t != target),
        reads_columns=columns_in(tree),
        literals=strings_in(tree),
        has_where=has_where,
    )


def first_words(sql: str, statement: Statement) -> Operation | None:
    """A statement that is too large or too deep for the grammar, when its opening says what it changes."""
    for opening, action in _OPENINGS:
        found = opening.match(sql)
        if found is not None and (len(sql) > 20_000 or _is_deep(sql)):
            table = re.sub(r"\s*\.\s*", ".", found.group(1)).replace('"', "")
            noted = replace(statement, note="only its opening was read: it is very large")
            has_where = action is Action.INSERT or re.search(r"\bwhere\b", sql[-20_000:], re.IGNORECASE) is not None
            return Operation(statement=noted, action=action, table=table, has_where=has_where)
    return None


def _is_deep(sql: str) -> bool:
    from heuristics.sql.postgres.grammar import nesting  # noqa: PLC0415

    return nesting(sql) > 40
