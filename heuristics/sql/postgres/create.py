"""CREATE of every kind, as operations."""

from typing import TYPE_CHECKING

from heuristics.sql.postgres.alter import bound_of
from heuristics.sql.postgres.columns import column_of, constraint_of
from heuristics.sql.postgres.expressions import columns_in, dotted, functions_in, relation_name, tables_in, type_of
from heuristics.sql.postgres.grammar import NotParsed, parse
from heuristics.sql.words import Action, Constraint, Operation, Statement

if TYPE_CHECKING:
    from postgast import pg_query_pb2 as pb


def create_index(node: "pb.IndexStmt", statement: Statement) -> Operation:
    """CREATE INDEX; the columns are its keys, an expression is empty."""
    keys = tuple(p.index_elem.name for p in node.index_params)
    return Operation(
        statement=statement,
        action=Action.CREATE_INDEX,
        table=relation_name(node.relation),
        name=node.idxname or None,
        columns=tuple(k for k in keys if k),
        object_kind="index",
        is_concurrent=node.concurrent,
        is_unique=node.unique,
        is_only=not node.relation.inh,
        if_not_exists=node.if_not_exists,
        index_method=node.access_method,
        has_where=node.HasField("where_clause"),
        details={"has_expression": "true"} if "" in keys else {},
    )


def create_table(node: "pb.CreateStmt", statement: Statement) -> Operation:
    """CREATE TABLE with columns, constraints, parents and partitioning."""
    columns = tuple(column_of(e.column_def) for e in node.table_elts if e.HasField("column_def"))
    own = [constraint_of(e.constraint) for e in node.table_elts if e.HasField("constraint")]
    constraints = tuple(c for c in own if c is not None)
    likes = tuple(relation_name(e.table_like_clause.relation) for e in node.table_elts if e.HasField("table_like_clause"))
    parents = tuple(relation_name(p.range_var) for p in node.inh_relations)
    is_partition = node.HasField("partbound")
    details: dict[str, str] = {}
    if parents and not is_partition:
        details["inherits"] = ",".join(parents)
    if node.HasField("of_typename"):
        details["of_type"] = dotted(node.of_typename.names)
    if node.relation.relpersistence == "t":
        details["temporary"] = "true"
    return Operation(
        statement=statement,
        action=Action.CREATE_TABLE,
        table=relation_name(node.relation),
        columns=tuple(c.name for c in columns),
        defined=columns,
        constraints=tuple(c for column in columns for c in column.constraints) + constraints,
        referenced_table=parents[0] if is_partition and parents else None,
        reads=likes,
        if_not_exists=node.if_not_exists,
        bound=bound_of(node.partbound) if is_partition else None,
        key=tuple(p.partition_elem.name for p in node.partspec.part_params) if node.HasField("partspec") else (),
        details=details | ({"partitioned": "true"} if node.HasField("partspec") else {}),
    )


def create_as(node: "pb.CreateTableAsStmt", statement: Statement) -> Operation:
    """CREATE TABLE AS, SELECT INTO and CREATE MATERIALIZED VIEW."""
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    is_view = node.objtype == pb.OBJECT_MATVIEW
    return Operation(
        statement=statement,
        action=Action.CREATE_MATVIEW if is_view else Action.CREATE_TABLE,
        table=relation_name(node.into.rel),
        object_kind="matview" if is_view else "table",
        reads=tables_in(node.query),
        reads_columns=columns_in(node.query),
        if_not_exists=node.if_not_exists,
        details={"with_data": "false" if node.into.skip_data else "true"},
    )


def create_view(node: "pb.ViewStmt", statement: Statement) -> Operation:
    """CREATE [OR REPLACE] VIEW."""
    return Operation(
        statement=statement,
        action=Action.CREATE_VIEW,
        table=relation_name(node.view),
        object_kind="view",
        is_replace=node.replace,
        reads=tables_in(node.query),
        reads_columns=columns_in(node.query),
    )


def create_domain(node: "pb.CreateDomainStmt", statement: Statement) -> Operation:
    """CREATE DOMAIN, with whether it constrains anything."""
    own = [constraint_of(n.constraint) for n in node.constraints]
    return Operation(
        statement=statement,
        action=Action.CREATE_DOMAIN,
        name=dotted(node.domainname),
        object_kind="domain",
        column_type=type_of(node.type_name),
        constraints=tuple(c for c in own if c is not None),
    )


def alter_domain(node: "pb.AlterDomainStmt", statement: Statement) -> Operation:
    """ALTER DOMAIN; `C` adds a constraint and `V` validates one (PostgreSQL's own letters)."""
    definition = getattr(node, "def")
    constraint = constraint_of(definition.constraint) if definition.HasField("constraint") else None
    action = {"C": Action.ADD_DOMAIN_CONSTRAINT, "V": Action.VALIDATE_DOMAIN_CONSTRAINT, "O": Action.ADD_DOMAIN_CONSTRAINT}.get(
        node.subtype, Action.OTHER
    )
    return Operation(
        statement=statement,
        action=action,
        name=dotted(node.type_name),
        object_kind="domain",
        constraint=constraint or Constraint(kind="not_null"),
        is_not_valid=constraint is not None and not constraint.is_valid,
        new_name=node.name or (constraint.name if constraint else None),
    )


def create_type(node: "pb.Node", statement: Statement) -> Operation:
    """CREATE TYPE: an enum with its labels, or a composite."""
    if node.HasField("create_enum_stmt"):
        labels = tuple(v.string.sval for v in node.create_enum_stmt.vals)
        return Operation(
            statement=statement,
            action=Action.CREATE_TYPE,
            name=dotted(node.create_enum_stmt.type_name),
            object_kind="type",
            literals=labels,
            value="enum",
        )
    return Operation(
        statement=statement,
        action=Action.CREATE_TYPE,
        name=relation_name(node.composite_type_stmt.typevar),
        object_kind="type",
        value="composite",
    )


def create_function(node: "pb.CreateFunctionStmt", statement: Statement) -> Operation:
    """CREATE FUNCTION with its language, its volatility, and whether its body is one constant SELECT."""
    options: dict[str, str] = {"volatility": "volatile", "language": "sql"}
    body = ""
    for item in node.options:
        element = item.def_elem
        argument = element.arg
        match element.defname:
            case "language" | "volatility":
                options[element.defname] = argument.string.sval.lower()
            case "as":
                body = argument.list.items[0].string.sval if argument.HasField("list") and argument.list.items else ""
            case _:
                pass
    options["is_inlined"] = "true" if options["language"] == "sql" and _is_constant(body) else "false"
    return Operation(
        statement=statement,
        action=Action.CREATE_FUNCTION,
        name=dotted(node.funcname),
        object_kind="function",
        is_replace=node.replace,
        value=body,
        details=options,
    )


def _is_constant(body: str) -> bool:
    try:
        tree = parse(body)
    except NotParsed:
        return False
    return tree.HasField("select_stmt") and not tree.select_stmt.from_clause and not functions_in(tree)
