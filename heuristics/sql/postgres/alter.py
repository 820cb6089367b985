"""ALTER TABLE and its relatives: each action of the statement is one operation."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from heuristics.sql.postgres.columns import column_of, constraint_of
from heuristics.sql.postgres.expressions import (
    columns_in,
    default_is_volatile,
    dotted,
    functions_in,
    is_null,
    literal,
    relation_name,
    type_of,
)
from heuristics.sql.postgres.grammar import deparse
from heuristics.sql.words import Action, Constraint, Operation, PartitionBound, Statement

if TYPE_CHECKING:
    from postgast import pg_query_pb2 as pb

_SIMPLE = {
    "AT_DropNotNull": Action.DROP_NOT_NULL,
    "AT_SetNotNull": Action.SET_NOT_NULL,
    "AT_SetExpression": Action.SET_EXPRESSION,
    "AT_DropExpression": Action.DROP_EXPRESSION,
    "AT_SetStatistics": Action.SET_STATISTICS,
    "AT_SetOptions": Action.SET_STATISTICS,
    "AT_ResetOptions": Action.SET_STATISTICS,
    "AT_SetStorage": Action.SET_COLUMN_OPTION,
    "AT_SetCompression": Action.SET_COLUMN_OPTION,
    "AT_AddIdentity": Action.ADD_IDENTITY,
    "AT_SetIdentity": Action.ADD_IDENTITY,
    "AT_DropIdentity": Action.DROP_IDENTITY,
    "AT_DropColumn": Action.DROP_COLUMN,
}
_BY_NAME = {
    "AT_AlterConstraint": Action.ALTER_CONSTRAINT,
    "AT_ValidateConstraint": Action.VALIDATE_CONSTRAINT,
    "AT_DropConstraint": Action.DROP_CONSTRAINT,
    "AT_ClusterOn": Action.SET_TABLE_OPTIONS,
    "AT_DropCluster": Action.SET_TABLE_OPTIONS,
    "AT_SetRelOptions": Action.SET_TABLE_OPTIONS,
    "AT_ResetRelOptions": Action.SET_TABLE_OPTIONS,
    "AT_ReplaceRelOptions": Action.SET_TABLE_OPTIONS,
    "AT_SetLogged": Action.SET_LOGGED,
    "AT_SetUnLogged": Action.SET_LOGGED,
    "AT_SetTableSpace": Action.REWRITE_TABLE,
    "AT_SetAccessMethod": Action.REWRITE_TABLE,
    "AT_DropInherit": Action.NO_INHERIT,
    "AT_EnableRowSecurity": Action.ROW_SECURITY,
    "AT_DisableRowSecurity": Action.ROW_SECURITY,
    "AT_ForceRowSecurity": Action.ROW_SECURITY,
    "AT_NoForceRowSecurity": Action.ROW_SECURITY,
}
_ADD = {
    "check": Action.ADD_CHECK,
    "foreign_key": Action.ADD_FOREIGN_KEY,
    "unique": Action.ADD_UNIQUE,
    "primary_key": Action.ADD_PRIMARY_KEY,
    "exclude": Action.ADD_EXCLUSION,
    "not_null": Action.ADD_NOT_NULL_CONSTRAINT,
}
_KINDS = {
    "OBJECT_INDEX": "index",
    "OBJECT_VIEW": "view",
    "OBJECT_MATVIEW": "matview",
    "OBJECT_SEQUENCE": "sequence",
    "OBJECT_TYPE": "type",
}


def alter_operations(node: "pb.AlterTableStmt", statement: Statement, *, in_function: bool) -> Iterator[Operation]:
    """One operation for each action of an ALTER TABLE, INDEX, VIEW, SEQUENCE or TYPE."""
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    kind = _KINDS.get(pb.ObjectType.Name(node.objtype), "table")
    relation = relation_name(node.relation)
    for item in node.cmds:
        operation = _operation(item.alter_table_cmd, statement, relation=relation, kind=kind)
        yield _placed(operation, node, in_function=in_function)


def _placed(operation: Operation, node: "pb.AlterTableStmt", *, in_function: bool) -> Operation:
    return replace(
        operation,
        in_function=in_function,
        is_only=not node.relation.inh,
        details={**operation.details, **({"table_if_exists": "true"} if node.missing_ok else {})},
    )


def _operation(command: "pb.AlterTableCmd", statement: Statement, *, relation: str, kind: str) -> Operation:
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    subtype = pb.AlterTableType.Name(command.subtype)
    name, cascades, definition = command.name, command.behavior == pb.DROP_CASCADE, getattr(command, "def")
    if kind == "index":
        action = Action.ATTACH_INDEX if subtype == "AT_AttachPartition" else Action.SET_INDEX_OPTIONS
        child = relation_name(definition.partition_cmd.name) if subtype == "AT_AttachPartition" else None
        return Operation(statement=statement, action=action, name=relation, new_name=child, object_kind="index")
    if kind == "type":
        return Operation(
            statement=statement, action=Action.ALTER_TYPE_ATTRIBUTE, name=relation, object_kind="type", is_cascade=cascades
        )
    if kind == "sequence":
        return Operation(statement=statement, action=Action.ALTER_SEQUENCE, name=relation, object_kind="sequence")
    if kind == "view":
        return Operation(statement=statement, action=Action.ALTER_VIEW, table=relation, object_kind="view")
    match subtype:
        case "AT_AddColumn":
            return add_column(definition.column_def, statement, table=relation, if_not_exists=command.missing_ok)
        case "AT_AddConstraint":
            constraint = constraint_of(definition.constraint)
            if constraint is not None:
                return add_constraint(constraint, statement, table=relation)
        case "AT_AlterColumnType":
            return _alter_type(definition.column_def, statement, table=relation, name=name)
        case "AT_ColumnDefault":
            return _default(definition, statement, table=relation, name=name)
        case "AT_AttachPartition":
            partition = definition.partition_cmd
            return Operation(
                statement=statement,
                action=Action.ATTACH_PARTITION,
                table=relation,
                referenced_table=relation_name(partition.name),
                bound=bound_of(partition.bound),
            )
        case "AT_DetachPartition" | "AT_DetachPartitionFinalize":
            partition = definition.partition_cmd
            child = relation_name(partition.name)
            return Operation(
                statement=statement,
                action=Action.DETACH_PARTITION,
                table=relation,
                referenced_table=child,
                is_concurrent=partition.concurrent or subtype.endswith("Finalize"),
            )
        case "AT_AddInherit":
            parent = relation_name(definition.range_var)
            return Operation(statement=statement, action=Action.INHERIT, table=relation, referenced_table=parent)
        case _ if "Trig" in subtype:
            return Operation(statement=statement, action=Action.TOGGLE_TRIGGER, table=relation, name=name or None)
        case _:
            pass
    columns = (name,) if subtype in _SIMPLE else ()
    return Operation(
        statement=statement,
        action=_SIMPLE.get(subtype) or _BY_NAME.get(subtype, Action.ALTER_TABLE_OTHER),
        table=relation,
        columns=columns,
        name=None if columns else (name or None),
        value=name if subtype in ("AT_SetTableSpace", "AT_SetAccessMethod") else subtype.removeprefix("AT_"),
        is_cascade=cascades,
        if_exists=command.missing_ok,
    )


def add_column(definition: "pb.ColumnDef", statement: Statement, *, table: str, if_not_exists: bool) -> Operation:
    """ADD COLUMN with everything that stands inline."""
    column = column_of(definition)
    reference = next((c.referenced_table for c in column.constraints if c.kind == "foreign_key"), None)
    return Operation(
        statement=statement,
        action=Action.ADD_COLUMN,
        table=table,
        columns=(column.name,),
        column=column,
        column_type=column.type,
        constraints=column.constraints,
        referenced_table=reference,
        has_default=column.default is not None or column.is_serial or column.is_identity,
        default=column.default,
        default_is_volatile=True if column.is_serial or column.is_identity else default_is_volatile(column.default_functions),
        is_not_null=column.is_not_null,
        is_unique=any(c.kind in ("unique", "primary_key") for c in column.constraints),
        if_not_exists=if_not_exists,
    )


def add_constraint(constraint: Constraint, statement: Statement, *, table: str) -> Operation:
    """ADD CONSTRAINT of any kind."""
    return Operation(
        statement=statement,
        action=_ADD[constraint.kind],
        table=table,
        columns=constraint.columns,
        name=constraint.name,
        referenced_table=constraint.referenced_table,
        constraint=constraint,
        is_not_valid=not constraint.is_valid,
        is_unique=constraint.kind in ("unique", "primary_key"),
    )


def _alter_type(definition: "pb.ColumnDef", statement: Statement, *, table: str, name: str) -> Operation:
    using = definition.raw_default if definition.HasField("raw_default") else None
    details: dict[str, str] = {}
    if definition.coll_clause.collname:
        details["collation"] = dotted(definition.coll_clause.collname)
    if using is not None:
        cast = using.type_cast if using.HasField("type_cast") else None
        inner = cast.arg if cast is not None else using
        if inner.HasField("column_ref") and columns_in(inner) == (name,):
            details["using_type"] = type_of(cast.type_name) if cast is not None else ""
    return Operation(
        statement=statement,
        action=Action.ALTER_TYPE,
        table=table,
        columns=(name,),
        column_type=type_of(definition.type_name),
        using=deparse(using) if using is not None else None,
        details=details,
    )


def _default(definition: "pb.Node", statement: Statement, *, table: str, name: str) -> Operation:
    if definition.WhichOneof("node") is None or is_null(definition):
        return Operation(statement=statement, action=Action.DROP_DEFAULT, table=table, columns=(name,))
    return Operation(
        statement=statement,
        action=Action.SET_DEFAULT,
        table=table,
        columns=(name,),
        has_default=True,
        default=deparse(definition),
        default_is_volatile=default_is_volatile(functions_in(definition)),
    )


def bound_of(bound: "pb.PartitionBoundSpec") -> PartitionBound:
    """The bound of a partition as literals."""
    return PartitionBound(
        is_default=bound.is_default,
        lower=tuple(literal(n) or "?" for n in bound.lowerdatums),
        upper=tuple(literal(n) or "?" for n in bound.upperdatums),
        values=tuple(literal(n) or "?" for n in bound.listdatums),
    )
