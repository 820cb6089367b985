"""One PostgreSQL statement in, the operations it consists of out; what cannot be read is a visible operation too."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from heuristics.sql.postgres import alter, create
from heuristics.sql.postgres.body import executed_by
from heuristics.sql.postgres.data import data_operation, first_words
from heuristics.sql.postgres.drop import drop_operations
from heuristics.sql.postgres.expressions import dotted, literal, relation_name, strings_in, tables_in
from heuristics.sql.postgres.grammar import NotParsed, parse
from heuristics.sql.postgres.rename import rename_operation
from heuristics.sql.words import LOCK_MODES, Action, Operation, Statement

if TYPE_CHECKING:
    from postgast import pg_query_pb2 as pb

_DEEPEST_BODY = 5


def read_postgres(statement: Statement) -> tuple[Operation, ...]:
    """The operations of one statement, in written order."""
    return tuple(_read(statement.sql, statement, depth=0))


def _read(sql: str, statement: Statement, *, depth: int) -> Iterator[Operation]:
    try:
        tree = parse(sql)
    except NotParsed as refused:
        known = first_words(sql, statement)
        if known is not None:
            yield known
            return
        yield Operation(
            statement=replace(statement, is_analysed=False, note=str(refused)), action=Action.NOT_ANALYSED, in_function=depth > 0
        )
        return
    for operation in _operations(tree, statement, in_function=depth > 0):
        yield replace(operation, in_function=True) if depth else operation
    if tree.HasField("do_stmt"):
        yield from _inside(sql, statement, depth=depth)


def read_called(definition: str, statement: Statement) -> tuple[Operation, ...]:
    """What a plpgsql function runs when this statement calls it; `definition` is its CREATE FUNCTION."""
    return tuple(replace(op, in_function=True) for op in _inside(definition, statement, depth=1))


def _inside(sql: str, statement: Statement, *, depth: int) -> Iterator[Operation]:
    """The statements of a DO block; dynamic SQL that is not a literal is visible as not analysed."""
    if depth >= _DEEPEST_BODY:
        yield Operation(
            statement=replace(statement, is_analysed=False, note="blocks are nested too deep"), action=Action.NOT_ANALYSED
        )
        return
    try:
        inner = executed_by(sql)
    except NotParsed as refused:
        yield Operation(statement=replace(statement, is_analysed=False, note=str(refused)), action=Action.NOT_ANALYSED)
        return
    for text in inner:
        if text is None:
            note = "it runs SQL that is put together while it runs"
            yield Operation(
                statement=replace(statement, is_analysed=False, note=note), action=Action.NOT_ANALYSED, in_function=True
            )
        else:
            yield from _read(text, statement, depth=depth + 1)


def _operations(tree: "pb.Node", statement: Statement, *, in_function: bool) -> Iterator[Operation]:
    kind = tree.WhichOneof("node")
    match kind:
        case "alter_table_stmt":
            yield from alter.alter_operations(tree.alter_table_stmt, statement, in_function=in_function)
        case "index_stmt":
            yield create.create_index(tree.index_stmt, statement)
        case "create_stmt":
            yield create.create_table(tree.create_stmt, statement)
        case "create_table_as_stmt":
            yield create.create_as(tree.create_table_as_stmt, statement)
        case "view_stmt":
            yield create.create_view(tree.view_stmt, statement)
        case "create_domain_stmt":
            yield create.create_domain(tree.create_domain_stmt, statement)
        case "alter_domain_stmt":
            yield create.alter_domain(tree.alter_domain_stmt, statement)
        case "create_enum_stmt" | "composite_type_stmt":
            yield create.create_type(tree, statement)
        case "create_function_stmt":
            yield create.create_function(tree.create_function_stmt, statement)
        case "drop_stmt":
            yield from drop_operations(tree.drop_stmt, statement)
        case "rename_stmt" | "alter_object_schema_stmt":
            yield rename_operation(tree, statement)
        case "alter_enum_stmt":
            yield _enum(tree.alter_enum_stmt, statement)
        case "insert_stmt" | "update_stmt" | "delete_stmt" | "merge_stmt" | "copy_stmt" | "select_stmt":
            yield from data_operation(tree, statement)
        case "reindex_stmt" | "vacuum_stmt" | "cluster_stmt" | "refresh_mat_view_stmt" | "truncate_stmt" | "lock_stmt":
            yield from _maintenance(tree, statement)
        case _:
            yield _other(tree, statement, kind=str(kind))


def _enum(node: "pb.AlterEnumStmt", statement: Statement) -> Operation:
    renames = bool(node.old_val)
    return Operation(
        statement=statement,
        action=Action.RENAME_ENUM_VALUE if renames else Action.ADD_ENUM_VALUE,
        name=dotted(node.type_name),
        object_kind="type",
        value=node.old_val if renames else node.new_val,
        new_name=node.new_val if renames else None,
        if_not_exists=node.skip_if_new_val_exists,
    )


def _maintenance(tree: "pb.Node", statement: Statement) -> Iterator[Operation]:
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    if tree.HasField("reindex_stmt"):
        node = tree.reindex_stmt
        kind = pb.ReindexObjectType.Name(node.kind).removeprefix("REINDEX_OBJECT_").lower()
        named = relation_name(node.relation) if node.HasField("relation") else (node.name or None)
        yield Operation(
            statement=statement,
            action=Action.REINDEX,
            table=named if kind == "table" else None,
            name=named if kind != "table" else None,
            value=kind,
            object_kind="index" if kind == "index" else "table",
            is_concurrent=_has_option(node.params, "concurrently"),
        )
    elif tree.HasField("vacuum_stmt"):
        node = tree.vacuum_stmt
        action = Action.VACUUM if node.is_vacuumcmd else Action.ANALYZE
        if node.is_vacuumcmd and _has_option(node.options, "full"):
            action = Action.VACUUM_FULL
        tables = [relation_name(r.vacuum_relation.relation) for r in node.rels]
        for table in tables or [None]:
            yield Operation(statement=statement, action=action, table=table)
    elif tree.HasField("cluster_stmt"):
        node = tree.cluster_stmt
        table = relation_name(node.relation) if node.HasField("relation") else None
        yield Operation(statement=statement, action=Action.CLUSTER, table=table, name=node.indexname or None)
    elif tree.HasField("refresh_mat_view_stmt"):
        node = tree.refresh_mat_view_stmt
        yield Operation(
            statement=statement,
            action=Action.REFRESH_MATVIEW,
            table=relation_name(node.relation),
            object_kind="matview",
            is_concurrent=node.concurrent,
        )
    elif tree.HasField("truncate_stmt"):
        node = tree.truncate_stmt
        for relation in node.relations:
            yield Operation(
                statement=statement,
                action=Action.TRUNCATE,
                table=relation_name(relation.range_var),
                is_cascade=node.behavior == pb.DROP_CASCADE,
            )
    else:
        node = tree.lock_stmt
        for relation in node.relations:
            yield Operation(
                statement=statement,
                action=Action.LOCK_TABLE,
                table=relation_name(relation.range_var),
                value=LOCK_MODES[node.mode - 1],
            )


def _has_option(options: "object", name: str) -> bool:
    from collections.abc import Iterable  # noqa: PLC0415

    assert isinstance(options, Iterable)
    for item in options:  # pyright: ignore[reportUnknownVariableType] - protobuf containers carry no item type here
        element = item.def_elem  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        if element.defname == name:  # pyright: ignore[reportUnknownMemberType]
            value = literal(element.arg)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
            return value not in ("false", "off", "0")
    return False


_ON_TABLE = {
    "create_trig_stmt": Action.CREATE_TRIGGER,
    "rule_stmt": Action.CREATE_RULE,
    "create_policy_stmt": Action.CREATE_POLICY,
    "alter_policy_stmt": Action.CREATE_POLICY,
}
_UNLOCKED = {
    "create_schema_stmt": Action.CREATE_SCHEMA,
    "grant_stmt": Action.GRANT,
    "grant_role_stmt": Action.GRANT,
    "create_seq_stmt": Action.CREATE_SEQUENCE,
    "alter_seq_stmt": Action.ALTER_SEQUENCE,
}
_MUST_STAND_ALONE = {
    "createdb_stmt": "CREATE DATABASE",
    "dropdb_stmt": "DROP DATABASE",
    "alter_system_stmt": "ALTER SYSTEM",
    "create_subscription_stmt": "CREATE SUBSCRIPTION",
    "create_table_space_stmt": "CREATE TABLESPACE",
    "drop_table_space_stmt": "DROP TABLESPACE",
}


def _other(tree: "pb.Node", statement: Statement, *, kind: str) -> Operation:
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    match kind:
        case "create_trig_stmt":
            node = tree.create_trig_stmt
            return Operation(
                statement=statement,
                action=Action.CREATE_TRIGGER,
                table=relation_name(node.relation),
                name=node.trigname,
                value=dotted(node.funcname),
                is_replace=node.replace,
            )
        case "rule_stmt":
            return Operation(
                statement=statement,
                action=Action.CREATE_RULE,
                table=relation_name(tree.rule_stmt.relation),
                name=tree.rule_stmt.rulename,
            )
        case "create_policy_stmt" | "alter_policy_stmt":
            node = tree.create_policy_stmt if kind == "create_policy_stmt" else tree.alter_policy_stmt
            return Operation(
                statement=statement, action=Action.CREATE_POLICY, table=relation_name(node.table), name=node.policy_name
            )
        case "comment_stmt":
            return _comment(tree.comment_stmt, statement)
        case "create_stats_stmt":
            table = next((relation_name(r.range_var) for r in tree.create_stats_stmt.relations), None)
            return Operation(statement=statement, action=Action.CREATE_STATISTICS, table=table)
        case "create_publication_stmt" | "alter_publication_stmt":
            tables = tables_in(tree)
            return Operation(
                statement=statement,
                action=Action.CREATE_PUBLICATION,
                table=tables[0] if tables else None,
                reads=tables,
                name=kind,
            )
        case "variable_set_stmt":
            return _setting(tree.variable_set_stmt, statement)
        case "transaction_stmt":
            word = pb.TransactionStmtKind.Name(tree.transaction_stmt.kind).removeprefix("TRANS_STMT_").lower()
            return Operation(statement=statement, action=Action.TRANSACTION, value=word, object_kind="other")
        case "do_stmt":
            return Operation(statement=statement, action=Action.OTHER, value="do", object_kind="other")
        case "call_stmt":
            return Operation(
                statement=statement,
                action=Action.OTHER,
                value="call",
                object_kind="other",
                details={"calls": dotted(tree.call_stmt.funccall.funcname)},
            )
        case "alter_type_stmt":
            return Operation(statement=statement, action=Action.OTHER, value=kind, object_kind="type")
        case "create_seq_stmt" | "alter_seq_stmt":
            relation = tree.create_seq_stmt.sequence if kind == "create_seq_stmt" else tree.alter_seq_stmt.sequence
            return Operation(statement=statement, action=_UNLOCKED[kind], name=relation_name(relation), object_kind="sequence")
        case "grant_stmt":
            return Operation(statement=statement, action=Action.GRANT, reads=tables_in(tree), object_kind="other")
        case "create_schema_stmt":
            return Operation(
                statement=statement, action=Action.CREATE_SCHEMA, name=tree.create_schema_stmt.schemaname, object_kind="schema"
            )
        case _:
            alone = _MUST_STAND_ALONE.get(kind)
            details = {"must_stand_alone": alone} if alone else {}
            return Operation(
                statement=statement, action=_UNLOCKED.get(kind, Action.OTHER), value=kind, object_kind="other", details=details
            )


def _comment(node: "pb.CommentStmt", statement: Statement) -> Operation:
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    kind = pb.ObjectType.Name(node.objtype)
    names = [n.string.sval for n in node.object.list.items] if node.object.HasField("list") else []
    has_table = kind in ("OBJECT_TABLE", "OBJECT_COLUMN")
    table = ".".join(names[:-1] if kind == "OBJECT_COLUMN" else names) if has_table else None
    return Operation(
        statement=statement, action=Action.COMMENT, table=table or None, object_kind="table" if has_table else "other"
    )


def _setting(node: "pb.VariableSetStmt", statement: Statement) -> Operation:
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    resets = node.kind in (pb.VAR_RESET, pb.VAR_RESET_ALL, pb.VAR_SET_DEFAULT)
    value = None if resets else ",".join(strings_in(node) or tuple(literal(a) or "" for a in node.args))
    return Operation(
        statement=statement,
        action=Action.SET_SETTING,
        name=node.name.lower() or None,
        value=value,
        object_kind="other",
        details={"scope": "local" if node.is_local else "session"},
    )
