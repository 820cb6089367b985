"""One Active Record schema call in, its SQL out; None stands for SQL that the text does not settle."""

# ruff: noqa: S608 - this SQL is what a migration would run; it is read, and never sent anywhere

import hashlib

from heuristics.sql.sources.rails_sql import Found, RailsSql, foreign_key_name, index_name, singular
from heuristics.sql.sources.ruby_values import RubyCall, RubyValue

_OWN = frozenset({"", "self", "connection", "migration", "ActiveRecord::Base.connection", "conn", "Base.connection"})


def is_schema_call(call: RubyCall, receiver: str) -> bool:
    """True for a call on this receiver that is compiled here."""
    return is_connection(receiver) and call.method in _READERS


def is_connection(receiver: str) -> bool:
    """True when a call on this receiver is a schema call."""
    return receiver in _OWN or receiver.endswith("connection")


def is_online_helper(method: str) -> bool:
    """GitLab's helpers leave the transaction by themselves."""
    return method in (
        "add_concurrent_index",
        "remove_concurrent_index",
        "remove_concurrent_index_by_name",
        "add_concurrent_foreign_key",
    )


def statements(sql: RailsSql, call: RubyCall) -> list[Found]:
    """The statements of one call."""
    return _READERS[call.method](sql, call)


def _listed(value: RubyValue) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [v for v in value if isinstance(v, str)] if isinstance(value, tuple) else []


def _options(call: RubyCall) -> dict[str, RubyValue]:
    return dict(call.options)


def _add_index(sql: RailsSql, call: RubyCall) -> list[Found]:
    table, columns = call.text(0), _listed(call.args[1]) if len(call.args) > 1 else []
    if table is None or not columns:
        return [(None, table)]
    options = _options(call)
    if call.method == "add_concurrent_index":
        options["algorithm"] = "concurrently"
    return [(sql.index_sql(table, columns, options), table)]


def _remove_index(sql: RailsSql, call: RubyCall) -> list[Found]:
    table = call.text(0)
    columns = _listed(call.args[1]) if len(call.args) > 1 else _listed(call.options.get("column"))
    name = call.option("name") or (index_name(table, columns) if table and columns else None)
    if call.method == "remove_concurrent_index_by_name":
        name = call.text(1)
    if table is None or name is None:
        return [(None, table)]
    is_concurrent = call.options.get("algorithm") == "concurrently" or "concurrent" in call.method or sql.rewrites_itself
    exists = call.options.get("if_exists") is True
    return [(sql.ddl.drop_index(name, table=table, is_concurrent=is_concurrent, if_exists=exists), table)]


def _add_column(sql: RailsSql, call: RubyCall) -> list[Found]:
    table, name, type_ = call.text(0), call.text(1), call.text(2)
    if table is None or name is None or type_ is None:
        return [(None, table)]
    exists = "IF NOT EXISTS " if call.options.get("if_not_exists") is True and not sql.ddl.is_mysql else ""
    found: list[Found] = [(sql.ddl.alter(table, f"ADD COLUMN {exists}{sql.column_sql(name, type_, _options(call))}"), table)]
    if call.options.get("index"):
        more = call.options["index"]
        found.append((sql.index_sql(table, [name], dict(more) if isinstance(more, dict) else {}), table))
    return found


def _remove_columns(sql: RailsSql, call: RubyCall) -> list[Found]:
    table = call.text(0)
    names = _listed(call.args[1:2]) if call.method == "remove_column" else _listed(call.args[1:])
    if table is None or not names:
        return [(None, table)]
    exists = "IF EXISTS " if call.options.get("if_exists") is True and not sql.ddl.is_mysql else ""
    return [(sql.ddl.alter(table, *(f"DROP COLUMN {exists}{sql.ddl.name(n)}" for n in names)), table)]


def reference_sql(sql: RailsSql, table: str, name: str, options: dict[str, RubyValue]) -> list[Found]:
    """add_reference: a column, an index unless it is refused, and a foreign key when it is asked for."""
    type_ = options.get("type")
    column_options = {k: v for k, v in options.items() if k in ("null", "default", "limit")}
    names = [f"{name}_id"] + ([f"{name}_type"] if options.get("polymorphic") else [])
    found: list[Found] = [
        (
            sql.ddl.alter(
                table,
                f"ADD COLUMN {sql.column_sql(n, 'string' if n.endswith('_type') else type_ if isinstance(type_, str) else 'bigint', column_options)}",
            ),
            table,
        )
        for n in reversed(names)
    ]
    index = options.get("index", True)
    if index is not False:
        keys = list(reversed(names))
        given = dict(index) if isinstance(index, dict) else {}
        given.setdefault("name", index_name(table, keys) if len(keys) == 1 else f"index_{table}_on_{name}")
        found.append((sql.index_sql(table, keys, given), table))
    key = options.get("foreign_key")
    if key:
        more = dict(key) if isinstance(key, dict) else {}
        target = more.get("to_table")
        more["column"] = f"{name}_id"
        found += [(s, table) for s in sql.foreign_key_sql(table, target if isinstance(target, str) else _plural(name), more)]
    return found


def _plural(name: str) -> str:
    if name.endswith("y") and not name.endswith(("ay", "ey", "oy", "uy")):
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("s", "x", "ch", "sh")) else f"{name}s"


def _add_reference(sql: RailsSql, call: RubyCall) -> list[Found]:
    table, name = call.text(0), call.text(1)
    return reference_sql(sql, table, name, _options(call)) if table and name else [(None, table)]


def _remove_reference(sql: RailsSql, call: RubyCall) -> list[Found]:
    table, name = call.text(0), call.text(1)
    if table is None or name is None:
        return [(None, table)]
    names = [f"{name}_id"] + ([f"{name}_type"] if call.options.get("polymorphic") else [])
    return [(sql.ddl.alter(table, *(f"DROP COLUMN {sql.ddl.name(n)}" for n in names)), table)]


def _change_column(sql: RailsSql, call: RubyCall) -> list[Found]:
    table, name, type_ = call.text(0), call.text(1), call.text(2)
    if table is None or name is None or type_ is None:
        return [(None, table)]
    options = _options(call)
    null, using = options.get("null"), call.option("using")
    found: list[Found] = [
        (sql.ddl.alter_type(table, name, sql.type_sql(type_, options), using=using or "", is_nullable=null is not False), table)
    ]
    if not sql.ddl.is_mysql:
        if "default" in options:
            value = options["default"]
            found.append((sql.ddl.set_default(table, name, None if value is None else sql.default_sql(value)), table))
        if isinstance(null, bool):
            found.append((sql.ddl.set_not_null(table, name, is_not_null=not null), table))
    return found


def _change_null(sql: RailsSql, call: RubyCall) -> list[Found]:
    table, name = call.text(0), call.text(1)
    null = call.args[2] if len(call.args) > 2 else None
    if table is None or name is None or not isinstance(null, bool):
        return [(None, table)]
    found: list[Found] = []
    if not null and len(call.args) > 3 and call.args[3] is not None:
        column = sql.ddl.name(name)
        found.append(
            (f"UPDATE {sql.ddl.name(table)} SET {column} = {sql.default_sql(call.args[3])} WHERE {column} IS NULL", table)
        )
    if not null and sql.rewrites_itself and not sql.ddl.is_mysql:
        check = f"{table}_{name}_null"
        condition = f"CHECK ({sql.ddl.name(name)} IS NOT NULL)"
        found.append((sql.ddl.add_constraint(table, condition, name=check, is_valid=False), table))
        found.append((sql.ddl.alter(table, f"VALIDATE CONSTRAINT {sql.ddl.name(check)}"), table))
        found.append((sql.ddl.set_not_null(table, name, is_not_null=True), table))
        found.append((sql.ddl.drop_constraint(table, check), table))
        return found
    return [*found, (sql.ddl.set_not_null(table, name, is_not_null=not null), table)]


def _change_default(sql: RailsSql, call: RubyCall) -> list[Found]:
    table, name = call.text(0), call.text(1)
    value = call.options.get("to") if "to" in call.options else call.args[2] if len(call.args) > 2 else None
    if table is None or name is None:
        return [(None, table)]
    return [(sql.ddl.set_default(table, name, None if value is None else sql.default_sql(value)), table)]


def _rename_column(sql: RailsSql, call: RubyCall) -> list[Found]:
    table, old, new = call.text(0), call.text(1), call.text(2)
    return [(sql.ddl.rename_column(table, old, new) if table and old and new else None, table)]


def _rename_table(sql: RailsSql, call: RubyCall) -> list[Found]:
    old, new = call.text(0), call.text(1)
    return [(sql.ddl.rename_table(old, new) if old and new else None, old)]


def _rename_index(sql: RailsSql, call: RubyCall) -> list[Found]:
    table, old, new = call.text(0), call.text(1), call.text(2)
    if table is None or old is None or new is None:
        return [(None, table)]
    if sql.ddl.is_mysql:
        return [(sql.ddl.alter(table, f"RENAME INDEX {sql.ddl.name(old)} TO {sql.ddl.name(new)}"), table)]
    return [(f"ALTER INDEX {sql.ddl.name(old)} RENAME TO {sql.ddl.name(new)}", table)]


def _add_foreign_key(sql: RailsSql, call: RubyCall) -> list[Found]:
    table, target = call.text(0), call.text(1)
    options = _options(call)
    if call.method == "add_concurrent_foreign_key":
        options["column"] = options.get("column")
        options["validate"] = False
        sqls = sql.foreign_key_sql(table or "?", target or "?", options)
        name = options.get("name")
        named = name if isinstance(name, str) else foreign_key_name(table or "?", str(options["column"]))
        return [(s, table) for s in (*sqls, sql.ddl.alter(table or "?", f"VALIDATE CONSTRAINT {sql.ddl.name(named)}"))]
    return [(s, table) for s in sql.foreign_key_sql(table, target, options)] if table and target else [(None, table)]


def _key_of(call: RubyCall) -> str | None:
    table, target = call.text(0), call.text(1) or call.option("to_table")
    column = call.option("column") or (f"{singular(target)}_id" if target else None)
    return call.option("name") or (foreign_key_name(table, column) if table and column else None)


def _remove_foreign_key(sql: RailsSql, call: RubyCall) -> list[Found]:
    table, name = call.text(0), _key_of(call)
    if table is None or name is None:
        return [(None, table)]
    return [(sql.ddl.drop_constraint(table, name, kind="foreign_key"), table)]


def _validate(sql: RailsSql, call: RubyCall) -> list[Found]:
    table = call.text(0)
    name = _key_of(call) if call.method == "validate_foreign_key" else call.option("name") or call.text(1)
    if table is None or name is None:
        return [(None, table)]
    return [(sql.ddl.alter(table, f"VALIDATE CONSTRAINT {sql.ddl.name(name)}"), table)]


def _add_check(sql: RailsSql, call: RubyCall) -> list[Found]:
    table, condition = call.text(0), call.text(1)
    if table is None or condition is None:
        return [(None, table)]
    name = call.option("name") or f"chk_rails_{hashlib.sha256(f'{table}_{condition}_chk'.encode()).hexdigest()[:10]}"
    is_valid = call.options.get("validate", True) is not False
    splits = sql.rewrites_itself and is_valid and not sql.ddl.is_mysql
    found: list[Found] = [
        (sql.ddl.add_constraint(table, f"CHECK ({condition})", name=name, is_valid=is_valid and not splits), table)
    ]
    return [*found, (sql.ddl.alter(table, f"VALIDATE CONSTRAINT {sql.ddl.name(name)}"), table)] if splits else found


def _remove_constraint(sql: RailsSql, call: RubyCall) -> list[Found]:
    table, name = call.text(0), call.option("name") or (call.text(1) if call.method == "remove_constraint" else None)
    return [(sql.ddl.drop_constraint(table, name) if table and name else None, table)]


def _add_unique(sql: RailsSql, call: RubyCall) -> list[Found]:
    table, columns = call.text(0), _listed(call.args[1]) if len(call.args) > 1 else []
    index = call.option("using_index")
    if table is None or not (columns or index):
        return [(None, table)]
    body = f"UNIQUE USING INDEX {sql.ddl.name(index)}" if index else f"UNIQUE ({sql.ddl.names(columns)})"
    return [(sql.ddl.add_constraint(table, body, name=call.option("name") or f"uniq_{table}_{'_'.join(columns)}"), table)]


def _timestamps(sql: RailsSql, call: RubyCall) -> list[Found]:
    table = call.text(0)
    if table is None:
        return [(None, table)]
    options = {"null": False} | _options(call)
    return [
        (sql.ddl.alter(table, f"ADD COLUMN {sql.column_sql(n, 'datetime', options)}"), table)
        for n in ("created_at", "updated_at")
    ]


def _drop_table(sql: RailsSql, call: RubyCall) -> list[Found]:
    exists, cascades = call.options.get("if_exists") is True, call.options.get("force") == "cascade"
    tables = _listed(tuple(a for a in call.args))
    return [(sql.ddl.drop_table(t, if_exists=exists, is_cascade=cascades), t) for t in tables] or [(None, None)]


def _execute(sql: RailsSql, call: RubyCall) -> list[Found]:
    del sql
    return [(call.text(0), None)]


def _extension(sql: RailsSql, call: RubyCall) -> list[Found]:
    del sql
    name = call.text(0)
    return [(f'CREATE EXTENSION IF NOT EXISTS "{name}"' if name else None, None)]


def _enum(sql: RailsSql, call: RubyCall) -> list[Found]:
    name, ddl = call.text(0), sql.ddl
    if name is None:
        return [(None, None)]
    match call.method:
        case "create_enum":
            labels = ", ".join(
                ddl.literal(v) for v in (call.args[1] if len(call.args) > 1 and isinstance(call.args[1], tuple) else ())
            )
            return [(f"CREATE TYPE {ddl.name(name)} AS ENUM ({labels})", None)]
        case "add_enum_value":
            return [(f"ALTER TYPE {ddl.name(name)} ADD VALUE {ddl.literal(call.text(1))}", None)]
        case "rename_enum_value":
            old, new = call.option("from"), call.option("to")
            return [
                (
                    f"ALTER TYPE {ddl.name(name)} RENAME VALUE {ddl.literal(old)} TO {ddl.literal(new)}" if old and new else None,
                    None,
                )
            ]
        case _:
            return [(f"DROP TYPE {ddl.name(name)}", None)]


_READERS = {
    "add_index": _add_index,
    "add_concurrent_index": _add_index,
    "remove_index": _remove_index,
    "remove_concurrent_index": _remove_index,
    "remove_concurrent_index_by_name": _remove_index,
    "add_column": _add_column,
    "remove_column": _remove_columns,
    "remove_columns": _remove_columns,
    "add_reference": _add_reference,
    "add_belongs_to": _add_reference,
    "remove_reference": _remove_reference,
    "remove_belongs_to": _remove_reference,
    "change_column": _change_column,
    "change_column_null": _change_null,
    "change_column_default": _change_default,
    "rename_column": _rename_column,
    "rename_table": _rename_table,
    "rename_index": _rename_index,
    "add_foreign_key": _add_foreign_key,
    "add_concurrent_foreign_key": _add_foreign_key,
    "remove_foreign_key": _remove_foreign_key,
    "validate_foreign_key": _validate,
    "validate_constraint": _validate,
    "validate_check_constraint": _validate,
    "add_check_constraint": _add_check,
    "remove_check_constraint": _remove_constraint,
    "remove_constraint": _remove_constraint,
    "remove_unique_constraint": _remove_constraint,
    "add_unique_constraint": _add_unique,
    "add_timestamps": _timestamps,
    "drop_table": _drop_table,
    "execute": _execute,
    "exec_query": _execute,
    "exec_update": _execute,
    "enable_extension": _extension,
    "create_enum": _enum,
    "add_enum_value": _enum,
    "rename_enum_value": _enum,
    "drop_enum": _enum,
}
