"""DROP of every kind, one operation for each object that it names."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from heuristics.sql.postgres.expressions import dotted
from heuristics.sql.words import Action, ObjectKind, Operation, Statement

if TYPE_CHECKING:
    from postgast import pg_query_pb2 as pb

_RELATIONS: dict[str, tuple[Action, ObjectKind]] = {
    "OBJECT_TABLE": (Action.DROP_TABLE, "table"),
    "OBJECT_FOREIGN_TABLE": (Action.DROP_TABLE, "table"),
    "OBJECT_VIEW": (Action.DROP_VIEW, "view"),
    "OBJECT_MATVIEW": (Action.DROP_VIEW, "matview"),
}
_NAMED: dict[str, tuple[Action, ObjectKind]] = {
    "OBJECT_INDEX": (Action.DROP_INDEX, "index"),
    "OBJECT_SEQUENCE": (Action.DROP_SEQUENCE, "sequence"),
    "OBJECT_TYPE": (Action.DROP_TYPE, "type"),
    "OBJECT_DOMAIN": (Action.DROP_TYPE, "domain"),
    "OBJECT_FUNCTION": (Action.DROP_FUNCTION, "function"),
    "OBJECT_PROCEDURE": (Action.DROP_FUNCTION, "function"),
    "OBJECT_ROUTINE": (Action.DROP_FUNCTION, "function"),
    "OBJECT_SCHEMA": (Action.DROP_SCHEMA, "schema"),
}
_ON_TABLE = {"OBJECT_TRIGGER": Action.DROP_TRIGGER, "OBJECT_RULE": Action.CREATE_RULE, "OBJECT_POLICY": Action.CREATE_POLICY}


def drop_operations(node: "pb.DropStmt", statement: Statement) -> Iterator[Operation]:
    """One operation for each object of a DROP statement."""
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    kind = pb.ObjectType.Name(node.remove_type)
    cascades = node.behavior == pb.DROP_CASCADE
    for item in node.objects:
        name = _name(item)
        if kind in _RELATIONS:
            action, object_kind = _RELATIONS[kind]
            yield Operation(
                statement=statement,
                action=action,
                table=name,
                object_kind=object_kind,
                is_cascade=cascades,
                if_exists=node.missing_ok,
            )
        elif kind in _ON_TABLE:
            table, _, own = name.rpartition(".")
            yield Operation(
                statement=statement,
                action=_ON_TABLE[kind],
                table=table or None,
                name=own,
                if_exists=node.missing_ok,
                value="drop",
            )
        else:
            action, object_kind = _NAMED.get(kind, (Action.OTHER, "other"))
            yield Operation(
                statement=statement,
                action=action,
                name=name,
                object_kind=object_kind,
                is_concurrent=node.concurrent,
                is_cascade=cascades,
                if_exists=node.missing_ok,
                value=f"drop {kind.removeprefix('OBJECT_').lower()}" if object_kind == "other" else None,
            )


def _name(item: "pb.Node") -> str:
    match item.WhichOneof("node"):
        case "list":
            return dotted(item.list.items)
        case "type_name":
            return dotted(item.type_name.names)
        case "object_with_args":
            return dotted(item.object_with_args.objname)
        case "string":
            return item.string.sval
        case _:
            return ""
