"""RENAME and SET SCHEMA."""

from typing import TYPE_CHECKING

from heuristics.sql.postgres.expressions import dotted, relation_name
from heuristics.sql.words import Action, ObjectKind, Operation, Statement

if TYPE_CHECKING:
    from postgast import pg_query_pb2 as pb

_KINDS: dict[str, ObjectKind] = {
    "OBJECT_TABLE": "table",
    "OBJECT_FOREIGN_TABLE": "table",
    "OBJECT_INDEX": "index",
    "OBJECT_VIEW": "view",
    "OBJECT_MATVIEW": "matview",
    "OBJECT_SEQUENCE": "sequence",
    "OBJECT_TYPE": "type",
    "OBJECT_DOMAIN": "domain",
    "OBJECT_FUNCTION": "function",
    "OBJECT_SCHEMA": "schema",
}


def rename_operation(tree: "pb.Node", statement: Statement) -> Operation:
    """A rename of anything, or a move to another schema."""
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    if tree.HasField("alter_object_schema_stmt"):
        moved = tree.alter_object_schema_stmt
        kind = _KINDS.get(pb.ObjectType.Name(moved.object_type), "other")
        table = relation_name(moved.relation) if moved.HasField("relation") else None
        return Operation(
            statement=statement,
            action=Action.SET_SCHEMA,
            table=table,
            name=None if table else _object(moved.object),
            new_name=moved.newschema,
            object_kind=kind,
        )
    node = tree.rename_stmt
    what = pb.ObjectType.Name(node.rename_type)
    table = relation_name(node.relation) if node.HasField("relation") else None
    exists = {"table_if_exists": "true"} if node.missing_ok else {}
    match what:
        case "OBJECT_COLUMN":
            kind = _KINDS.get(pb.ObjectType.Name(node.relation_type), "table")
            return Operation(
                statement=statement,
                action=Action.RENAME_COLUMN,
                table=table,
                columns=(node.subname,),
                new_name=node.newname,
                object_kind=kind,
                details=exists,
            )
        case "OBJECT_TABCONSTRAINT":
            return Operation(
                statement=statement,
                action=Action.RENAME_CONSTRAINT,
                table=table,
                name=node.subname,
                new_name=node.newname,
                details=exists,
            )
        case "OBJECT_INDEX":
            return Operation(
                statement=statement, action=Action.RENAME_INDEX, name=table, new_name=node.newname, object_kind="index"
            )
        case "OBJECT_TABLE" | "OBJECT_FOREIGN_TABLE" | "OBJECT_VIEW" | "OBJECT_MATVIEW" | "OBJECT_SEQUENCE":
            return Operation(
                statement=statement,
                action=Action.RENAME_TABLE,
                table=table,
                new_name=node.newname,
                object_kind=_KINDS[what],
                details=exists,
            )
        case "OBJECT_TYPE" | "OBJECT_DOMAIN" | "OBJECT_ATTRIBUTE":
            name = table if what == "OBJECT_ATTRIBUTE" else _object(node.object)
            return Operation(statement=statement, action=Action.RENAME_TYPE, name=name, new_name=node.newname, object_kind="type")
        case "OBJECT_TRIGGER" | "OBJECT_RULE" | "OBJECT_POLICY":
            return Operation(
                statement=statement,
                action=Action.ALTER_TABLE_OTHER,
                table=table,
                name=node.subname,
                new_name=node.newname,
                value="rename",
            )
        case _:
            named = node.subname or _object(node.object)
            return Operation(
                statement=statement, action=Action.OTHER, name=named, new_name=node.newname, object_kind="other", value=what
            )


def _object(node: "pb.Node") -> str:
    match node.WhichOneof("node"):
        case "list":
            return dotted(node.list.items)
        case "object_with_args":
            return dotted(node.object_with_args.objname)
        case "string":
            return node.string.sval
        case _:
            return ""
