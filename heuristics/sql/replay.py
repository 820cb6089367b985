"""Applies operations to a catalog, so that the next statement meets the schema that the last one left."""

from dataclasses import replace

from heuristics.sql.catalog import Catalog, Domain, Function, Index, Relation, key_of
from heuristics.sql.words import Action, Column, Constraint, Operation

_MADE_BY_CONSTRAINT = ("unique", "primary_key", "exclude")


def apply_operation(catalog: Catalog, operation: Operation, *, mark: str | None = None) -> None:
    """Change the catalog as the operation changes the schema; `mark` names the run that does it."""
    handler = _HANDLERS.get(operation.action)
    if handler is not None:
        handler(catalog, operation, mark)


def _create_table(catalog: Catalog, op: Operation, mark: str | None) -> None:
    if op.table is None or (op.if_not_exists and catalog.relation(op.table) is not None):
        return
    name = key_of(op.table)
    is_filled = op.details.get("with_data") == "true"
    relation = Relation(
        name,
        kind="partitioned" if op.details.get("partitioned") else "table",
        columns={c.name: c for c in op.defined},
        has_rows=bool(is_filled),
        parent=key_of(op.referenced_table) if op.bound is not None and op.referenced_table else None,
        bound=op.bound,
        inherits=tuple(key_of(p) for p in op.details.get("inherits", "").split(",") if p),
        of_type=op.details.get("of_type"),
        partition_key=op.key,
        created_in=mark,
        is_complete="with_data" not in op.details and not op.reads,
    )
    above = catalog.relation(relation.parent) if relation.parent else None
    if above is not None:
        relation.columns = dict(above.columns)
    for read in op.reads:
        source = catalog.relation(read)
        if source is not None and "with_data" not in op.details:
            relation.columns |= dict(source.columns)
        elif source is not None:  # AS SELECT keeps types, never NOT NULL
            named = (source.columns.get(c) for c in op.reads_columns)
            relation.columns |= {c.name: Column(name=c.name, type=c.type) for c in named if c is not None}
    catalog.relations[name] = relation
    for constraint in op.constraints:
        _add_constraint(catalog, relation, constraint, mark)


def _add_constraint(catalog: Catalog, relation: Relation, constraint: Constraint, mark: str | None) -> None:
    used = catalog.index(constraint.using_index)
    if used is not None:
        constraint = replace(constraint, columns=constraint.columns or used.columns)
    name = constraint.name or constraint.using_index or _default_name(relation.name, constraint)
    relation.constraints[name] = replace(constraint, name=name)
    if constraint.kind in ("primary_key", "not_null") and constraint.is_valid:
        for column in constraint.columns:
            _set_column(relation, column, is_not_null=True)
    if constraint.kind in _MADE_BY_CONSTRAINT:
        if used is not None:
            catalog.indexes.pop(used.name, None)
        catalog.indexes[name] = Index(
            name, relation.name, constraint.columns, is_unique=constraint.kind != "exclude", is_constraint=True, created_in=mark
        )


def _default_name(table: str, constraint: Constraint) -> str:
    bare = table.rpartition(".")[2]
    columns = "_".join(constraint.columns)
    match constraint.kind:
        case "primary_key":
            return f"{bare}_pkey"
        case "unique":
            return f"{bare}_{columns}_key"
        case "foreign_key":
            return f"{bare}_{columns}_fkey"
        case "check":
            return f"{bare}_{columns}_check" if len(constraint.columns) == 1 else f"{bare}_check"
        case "exclude":
            return f"{bare}_{columns}_excl"
        case "not_null":
            return f"{bare}_{columns}_not_null"


def _set_column(
    relation: Relation, name: str, *, is_not_null: bool | None = None, type_: str | None = None, default: str | None = None
) -> None:
    column = relation.columns.get(name, Column(name=name))
    relation.columns[name] = replace(
        column,
        is_not_null=column.is_not_null if is_not_null is None else is_not_null,
        type=column.type if type_ is None else type_,
        default=column.default if default is None else (default or None),
    )


def _drop_relation(catalog: Catalog, op: Operation, mark: str | None) -> None:
    del mark
    relation = catalog.relation(op.table)
    if relation is None:
        return
    catalog.relations.pop(relation.name, None)
    for index in [i.name for i in catalog.indexes.values() if i.table == relation.name]:
        del catalog.indexes[index]


def _add_column(catalog: Catalog, op: Operation, mark: str | None) -> None:
    if op.table is None or op.column is None:
        return
    relation = catalog.known(op.table)
    if op.if_not_exists and op.column.name in relation.columns:
        return
    for target in (relation, *catalog.descendants(relation.name)):
        target.columns[op.column.name] = op.column
    for constraint in op.constraints:
        _add_constraint(catalog, relation, constraint, mark)


def _change_column(catalog: Catalog, op: Operation, mark: str | None) -> None:
    del mark
    if op.table is None:
        return
    relation = catalog.known(op.table)
    for name in op.columns:
        match op.action:
            case Action.DROP_COLUMN:
                relation.columns.pop(name, None)
                for index in [i.name for i in catalog.indexes_of(relation.name) if name in i.columns]:
                    del catalog.indexes[index]
                for constraint in [k for k, c in relation.constraints.items() if name in c.columns]:
                    del relation.constraints[constraint]
            case Action.RENAME_COLUMN:
                column = relation.columns.pop(name, Column(name=name))
                relation.columns[op.new_name or name] = replace(column, name=op.new_name or name)
            case Action.ALTER_TYPE:
                _set_column(relation, name, type_=op.column_type or "")
            case Action.SET_NOT_NULL | Action.DROP_NOT_NULL:
                _set_column(relation, name, is_not_null=op.action is Action.SET_NOT_NULL)
            case Action.SET_DEFAULT | Action.DROP_DEFAULT:
                _set_column(relation, name, default=op.default if op.action is Action.SET_DEFAULT else "")
            case _:
                pass


def _constrain(catalog: Catalog, op: Operation, mark: str | None) -> None:
    if op.table is not None and op.constraint is not None:
        _add_constraint(catalog, catalog.known(op.table), op.constraint, mark)


def _change_constraint(catalog: Catalog, op: Operation, mark: str | None) -> None:
    del mark
    if op.table is None or op.name is None:
        return
    relation = catalog.known(op.table)
    found = relation.constraints.get(op.name)
    match op.action:
        case Action.VALIDATE_CONSTRAINT if found is not None:
            relation.constraints[op.name] = replace(found, is_valid=True)
        case Action.DROP_CONSTRAINT:
            relation.constraints.pop(op.name, None)
            catalog.indexes.pop(op.name, None)
        case Action.RENAME_CONSTRAINT if found is not None and op.new_name is not None:
            del relation.constraints[op.name]
            relation.constraints[op.new_name] = replace(found, name=op.new_name)
        case _:
            pass


def _create_index(catalog: Catalog, op: Operation, mark: str | None) -> None:
    if op.table is None:
        return
    relation = catalog.relation(op.table)
    table = relation.name if relation is not None else key_of(op.table)
    name = op.name or f"{table.rpartition('.')[2]}_{'_'.join(op.columns)}_idx"
    if catalog.index(name) is not None:
        return
    catalog.indexes[key_of(name).rpartition(".")[2]] = Index(
        name,
        table,
        op.columns,
        is_unique=op.is_unique,
        is_partitioned=relation is not None and relation.kind == "partitioned",
        has_where=op.has_where,
        created_in=mark,
    )


def _change_index(catalog: Catalog, op: Operation, mark: str | None) -> None:
    del mark
    index = catalog.index(op.name)
    if index is None:
        return
    catalog.indexes.pop(index.name, None)
    if op.action is Action.RENAME_INDEX and op.new_name is not None:
        index.name = op.new_name
        catalog.indexes[op.new_name] = index


def _rename_table(catalog: Catalog, op: Operation, mark: str | None) -> None:
    del mark
    relation = catalog.relation(op.table)
    if relation is None or op.new_name is None:
        return
    old, schema = relation.name, relation.name.rpartition(".")[0]
    if op.action is Action.SET_SCHEMA:
        new = key_of(f"{op.new_name}.{old.rpartition('.')[2]}")
    else:
        new = f"{schema}.{op.new_name}" if schema else key_of(op.new_name)
    catalog.relations[new] = catalog.relations.pop(old)
    relation.name = new
    for index in catalog.indexes.values():
        if index.table == old:
            index.table = new
    for other in catalog.relations.values():
        if other.parent == old:
            other.parent = new
        other.constraints = {
            name: replace(c, referenced_table=new) if c.referenced_table is not None and key_of(c.referenced_table) == old else c
            for name, c in other.constraints.items()
        }


def _create_view(catalog: Catalog, op: Operation, mark: str | None) -> None:
    if op.table is None:
        return
    catalog.relations[key_of(op.table)] = Relation(
        key_of(op.table),
        kind="matview" if op.action is Action.CREATE_MATVIEW else "view",
        reads=op.reads,
        reads_columns=op.reads_columns,
        has_rows=True,
        created_in=mark,
    )


def _partition(catalog: Catalog, op: Operation, mark: str | None) -> None:
    del mark
    if op.table is None or op.referenced_table is None:
        return
    match op.action:
        case Action.ATTACH_PARTITION:
            child = catalog.known(op.referenced_table)
            child.parent, child.bound = key_of(op.table), op.bound
        case Action.DETACH_PARTITION:
            catalog.known(op.referenced_table).parent = None
        case Action.INHERIT:
            child = catalog.known(op.table)
            child.inherits = (*child.inherits, key_of(op.referenced_table))
        case _:
            pass


def _types(catalog: Catalog, op: Operation, mark: str | None) -> None:
    del mark
    name = key_of(op.name or "")
    match op.action:
        case Action.CREATE_TYPE if op.value == "enum":
            catalog.enums[name] = op.literals
        case Action.CREATE_TYPE:
            catalog.composites.add(name)
        case Action.ADD_ENUM_VALUE:
            catalog.enums[name] = (*catalog.enums.get(name, ()), op.value or "")
        case Action.CREATE_DOMAIN:
            own = {c.name or f"{name}_check_{i}": c.is_valid for i, c in enumerate(op.constraints)}
            catalog.domains[name] = Domain(op.column_type or "", own)
        case Action.ADD_DOMAIN_CONSTRAINT:
            domain = catalog.domains.setdefault(name, Domain(""))
            domain.constraints[op.new_name or f"{name}_check"] = not op.is_not_valid
        case Action.DROP_TYPE:
            catalog.enums.pop(name, None)
            catalog.domains.pop(name, None)
        case _:
            pass


def _functions(catalog: Catalog, op: Operation, mark: str | None) -> None:
    del mark
    name = key_of(op.name or "")
    if op.action is Action.DROP_FUNCTION:
        catalog.functions.pop(name, None)
        return
    catalog.functions[name] = Function(
        op.details.get("volatility", "volatile"), op.details.get("language", "sql"), op.details.get("is_inlined") == "true"
    )


def _trigger(catalog: Catalog, op: Operation, mark: str | None) -> None:
    del mark
    if op.table is None or op.name is None:
        return
    if op.action is Action.DROP_TRIGGER:
        catalog.triggers.pop(f"{key_of(op.table)}.{op.name}", None)
    else:
        catalog.triggers[f"{key_of(op.table)}.{op.name}"] = (key_of(op.table), key_of(op.value or ""))


def _rows(catalog: Catalog, op: Operation, mark: str | None) -> None:
    del mark
    relation = catalog.relation(op.table)
    if relation is None:
        return
    if op.action is Action.INSERT:
        for target in (relation, *catalog.descendants(relation.name)):
            target.has_rows = True
    elif op.action is Action.TRUNCATE or (op.action is Action.DELETE and not op.has_where):
        relation.has_rows = False


def _setting(catalog: Catalog, op: Operation, mark: str | None) -> None:
    del mark
    if op.name is None:
        return
    if op.value is None:
        catalog.settings.pop(op.name, None)
    else:
        catalog.settings[op.name] = op.value


_HANDLERS = {
    Action.CREATE_TABLE: _create_table,
    Action.DROP_TABLE: _drop_relation,
    Action.DROP_VIEW: _drop_relation,
    Action.ADD_COLUMN: _add_column,
    Action.DROP_COLUMN: _change_column,
    Action.RENAME_COLUMN: _change_column,
    Action.ALTER_TYPE: _change_column,
    Action.SET_NOT_NULL: _change_column,
    Action.DROP_NOT_NULL: _change_column,
    Action.SET_DEFAULT: _change_column,
    Action.DROP_DEFAULT: _change_column,
    Action.ADD_FOREIGN_KEY: _constrain,
    Action.ADD_CHECK: _constrain,
    Action.ADD_UNIQUE: _constrain,
    Action.ADD_PRIMARY_KEY: _constrain,
    Action.ADD_EXCLUSION: _constrain,
    Action.ADD_NOT_NULL_CONSTRAINT: _constrain,
    Action.VALIDATE_CONSTRAINT: _change_constraint,
    Action.DROP_CONSTRAINT: _change_constraint,
    Action.RENAME_CONSTRAINT: _change_constraint,
    Action.CREATE_INDEX: _create_index,
    Action.DROP_INDEX: _change_index,
    Action.RENAME_INDEX: _change_index,
    Action.RENAME_TABLE: _rename_table,
    Action.SET_SCHEMA: _rename_table,
    Action.CREATE_VIEW: _create_view,
    Action.CREATE_MATVIEW: _create_view,
    Action.ATTACH_PARTITION: _partition,
    Action.DETACH_PARTITION: _partition,
    Action.INHERIT: _partition,
    Action.CREATE_TYPE: _types,
    Action.ADD_ENUM_VALUE: _types,
    Action.CREATE_DOMAIN: _types,
    Action.ADD_DOMAIN_CONSTRAINT: _types,
    Action.DROP_TYPE: _types,
    Action.CREATE_FUNCTION: _functions,
    Action.DROP_FUNCTION: _functions,
    Action.CREATE_TRIGGER: _trigger,
    Action.DROP_TRIGGER: _trigger,
    Action.INSERT: _rows,
    Action.TRUNCATE: _rows,
    Action.DELETE: _rows,
    Action.SET_SETTING: _setting,
}
