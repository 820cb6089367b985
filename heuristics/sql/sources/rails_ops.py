"""One Active Record schema call in, its SQL out; None stands for SQL that the text does not settle."""

# ruff: noqa: S608 - this SQL is what a migration would run; it is read, and never sent anywhere

import hashlib
import re
from dataclasses import dataclass, field

from heuristics.sql.sources.ddl import Ddl
from heuristics.sql.sources.ruby_values import RubyCall, RubyValue, Sql
from heuristics.sql.sources.written import SourceFile

Found = tuple[str | None, str | None]
"""The SQL, and the table where the SQL does not name it."""

_PG = {
    "string": "varchar", "text": "text", "integer": "integer", "bigint": "bigint", "float": "double precision",
    "decimal": "numeric", "numeric": "numeric", "datetime": "timestamp", "timestamp": "timestamp", "timestamptz": "timestamptz",
    "time": "time", "date": "date", "binary": "bytea", "blob": "bytea", "boolean": "boolean", "primary_key": "bigserial",
    "virtual": "text",
}  # fmt: skip
_MY = {
    "string": "varchar", "text": "text", "integer": "int", "bigint": "bigint", "float": "float", "decimal": "decimal",
    "numeric": "decimal", "datetime": "datetime", "timestamp": "timestamp", "time": "time", "date": "date", "binary": "blob",
    "blob": "blob", "boolean": "tinyint(1)", "json": "json", "jsonb": "json", "primary_key": "bigint auto_increment",
}  # fmt: skip
_OWN = frozenset({"", "self", "connection", "migration", "ActiveRecord::Base.connection", "conn", "Base.connection"})


@dataclass(slots=True)
class RailsOps:
    """Compiles the calls of one file."""

    source: SourceFile
    rewrites_itself: bool = field(init=False)
    """A library turns unsafe calls into safe ones (safe_by_default, safe-pg-migrations)."""

    def __post_init__(self) -> None:
        tree = self.source.tree
        settings = tree.text("config/initializers/strong_migrations.rb") or ""
        is_safe = re.search(r"^\s*StrongMigrations\.safe_by_default\s*=\s*true", settings, re.MULTILINE) is not None
        gems = tree.text("Gemfile") or ""
        self.rewrites_itself = is_safe or re.search(r"^\s*gem\s+[\"']safe-pg-migrations", gems, re.MULTILINE) is not None

    @property
    def ddl(self) -> Ddl:
        """The writer of the file's dialect."""
        return Ddl(self.source.dialect)

    def owns(self, receiver: str) -> bool:
        """True when a call on this receiver is a schema call."""
        return receiver in _OWN or receiver.endswith("connection")

    def knows(self, method: str) -> bool:
        """True for a schema call that is compiled here."""
        return method in _READERS

    def is_online_helper(self, method: str) -> bool:
        """GitLab's helpers leave the transaction by themselves."""
        return method in (
            "add_concurrent_index",
            "remove_concurrent_index",
            "remove_concurrent_index_by_name",
            "add_concurrent_foreign_key",
        )

    def leaves_transaction(self, sql: str | None) -> bool:
        """A library that rewrites calls commits the transaction before it builds anything concurrently."""
        return self.rewrites_itself and sql is not None and (" CONCURRENTLY " in sql or " VALIDATE " in sql or "NOT VALID" in sql)

    def statements(self, call: RubyCall) -> list[Found]:
        """The statements of one call."""
        return _READERS[call.method](self, call)

    def type_sql(self, type_: str, options: dict[str, RubyValue]) -> str:
        """A column type with its limit or precision."""
        limit, precision, scale = options.get("limit"), options.get("precision"), options.get("scale")
        if type_ == "enum":
            name = options.get("enum_type")
            return str(name) if isinstance(name, str) else "unknown_enum"
        if self.ddl.is_mysql:
            base = _MY.get(type_, type_)
            if type_ == "integer" and isinstance(limit, int):
                return {1: "tinyint", 2: "smallint", 3: "mediumint", 8: "bigint"}.get(limit, "int")
            if type_ == "string":
                return f"varchar({limit if isinstance(limit, int) else 255})"
            if type_ == "datetime":
                return (
                    "datetime"
                    if precision is None and "precision" in options
                    else f"datetime({precision if isinstance(precision, int) else 6})"
                )
        else:
            base = _PG.get(type_, type_)
            if type_ == "integer" and isinstance(limit, int):
                return "smallint" if limit <= 2 else "bigint" if limit > 4 else "integer"
            if type_ == "string" and isinstance(limit, int):
                base = f"varchar({limit})"
            if type_ in ("datetime", "timestamp") and not ("precision" in options and precision is None):
                base = f"timestamp({precision if isinstance(precision, int) else 6})"
        if type_ in ("decimal", "numeric") and isinstance(precision, int):
            base = f"{base}({precision},{scale})" if isinstance(scale, int) else f"{base}({precision})"
        return f"{base}[]" if options.get("array") is True else base

    def column_sql(self, name: str, type_: str, options: dict[str, RubyValue]) -> str:
        """A column definition."""
        more = ""
        if type_ == "virtual":
            written = options.get("type")
            type_ = written if isinstance(written, str) else "text"
            more = f"GENERATED ALWAYS AS ({options.get('as')}){' STORED' if options.get('stored') is True else ''}"
        if options.get("primary_key") is True:
            more = "PRIMARY KEY"
        has_default = "default" in options and options["default"] is not None
        default = self.default_sql(options["default"]) if has_default else None
        is_nullable = options.get("null", True) is not False
        return self.ddl.column(name, self.type_sql(type_, options), is_nullable=is_nullable, default=default, more=more)

    def default_sql(self, value: RubyValue) -> str:
        """A default as SQL; what is not a literal is a call of its own name."""
        if isinstance(value, Sql):
            return str(value.sql)
        return "unknown_default()" if not isinstance(value, str | int | float | bool) else self.ddl.literal(value)

    def index_sql(self, table: str, columns: list[str], options: dict[str, RubyValue]) -> str:
        """add_index."""
        name = options.get("name")
        method, where, order = options.get("using"), options.get("where"), options.get("order")
        keys = [f"{c} {o.upper()}" if isinstance(order, dict) and isinstance(o := order.get(c), str) else c for c in columns]
        is_concurrent = options.get("algorithm") == "concurrently" or (self.rewrites_itself and self.ddl.dialect == "postgres")
        return self.ddl.create_index(
            table,
            keys,
            name=name if isinstance(name, str) else index_name(table, columns),
            is_unique=options.get("unique") is True,
            is_concurrent=is_concurrent,
            if_not_exists=options.get("if_not_exists") is True,
            method=method if isinstance(method, str) else str(options.get("type") or "") if self.ddl.is_mysql else "",
            where=where if isinstance(where, str) else "",
        )

    def foreign_key_sql(self, table: str, target: str, options: dict[str, RubyValue]) -> list[str]:
        """add_foreign_key."""
        column = options.get("column")
        own = column if isinstance(column, str) else f"{singular(target.rpartition('.')[2])}_id"
        key, name = options.get("primary_key"), options.get("name")
        named = name if isinstance(name, str) else foreign_key_name(table, own)
        is_valid = options.get("validate", True) is not False
        splits = self.rewrites_itself and is_valid and not self.ddl.is_mysql
        first = self.ddl.foreign_key(
            table,
            [own],
            referenced=target,
            referenced_columns=[key if isinstance(key, str) else "id"],
            name=named,
            is_valid=is_valid and not splits,
        )
        return [first, self.ddl.alter(table, f"VALIDATE CONSTRAINT {self.ddl.name(named)}")] if splits else [first]


def index_name(table: str, columns: list[str]) -> str:
    """Rails' own name for an index."""
    plain = [re.sub(r"\W+", "_", c) for c in columns]
    return f"index_{table.replace('.', '_')}_on_{'_and_'.join(plain)}"


def foreign_key_name(table: str, column: str) -> str:
    """Rails' own name for a foreign key: a digest of table and column."""
    return f"fk_rails_{hashlib.sha256(f'{table}_{column}_fk'.encode()).hexdigest()[:10]}"


def singular(table: str) -> str:
    """The singular of a table name, as far as simple rules go."""
    if table in _IRREGULAR:
        return _IRREGULAR[table]
    if table.endswith("ies"):
        return f"{table[:-3]}y"
    if table.endswith(("sses", "xes", "ches", "shes", "statuses")):
        return table[:-2]
    return table.removesuffix("s") if not table.endswith("ss") else table


_IRREGULAR = {"people": "person", "children": "child", "men": "man", "women": "woman", "data": "datum", "media": "medium"}


def _listed(value: RubyValue) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [v for v in value if isinstance(v, str)] if isinstance(value, tuple) else []


def _options(call: RubyCall) -> dict[str, RubyValue]:
    return dict(call.options)


def _add_index(ops: RailsOps, call: RubyCall) -> list[Found]:
    table, columns = call.text(0), _listed(call.args[1]) if len(call.args) > 1 else []
    if table is None or not columns:
        return [(None, table)]
    options = _options(call)
    if call.method == "add_concurrent_index":
        options["algorithm"] = "concurrently"
    return [(ops.index_sql(table, columns, options), table)]


def _remove_index(ops: RailsOps, call: RubyCall) -> list[Found]:
    table = call.text(0)
    columns = _listed(call.args[1]) if len(call.args) > 1 else _listed(call.options.get("column"))
    name = call.option("name") or (index_name(table, columns) if table and columns else None)
    if call.method == "remove_concurrent_index_by_name":
        name = call.text(1)
    if table is None or name is None:
        return [(None, table)]
    is_concurrent = call.options.get("algorithm") == "concurrently" or "concurrent" in call.method or ops.rewrites_itself
    exists = call.options.get("if_exists") is True
    return [(ops.ddl.drop_index(name, table=table, is_concurrent=is_concurrent, if_exists=exists), table)]


def _add_column(ops: RailsOps, call: RubyCall) -> list[Found]:
    table, name, type_ = call.text(0), call.text(1), call.text(2)
    if table is None or name is None or type_ is None:
        return [(None, table)]
    exists = "IF NOT EXISTS " if call.options.get("if_not_exists") is True and not ops.ddl.is_mysql else ""
    found: list[Found] = [(ops.ddl.alter(table, f"ADD COLUMN {exists}{ops.column_sql(name, type_, _options(call))}"), table)]
    if call.options.get("index"):
        more = call.options["index"]
        found.append((ops.index_sql(table, [name], dict(more) if isinstance(more, dict) else {}), table))
    return found


def _remove_columns(ops: RailsOps, call: RubyCall) -> list[Found]:
    table = call.text(0)
    names = _listed(call.args[1:2]) if call.method == "remove_column" else _listed(call.args[1:])
    if table is None or not names:
        return [(None, table)]
    exists = "IF EXISTS " if call.options.get("if_exists") is True and not ops.ddl.is_mysql else ""
    return [(ops.ddl.alter(table, *(f"DROP COLUMN {exists}{ops.ddl.name(n)}" for n in names)), table)]


def reference_sql(ops: RailsOps, table: str, name: str, options: dict[str, RubyValue]) -> list[Found]:
    """add_reference: a column, an index unless it is refused, and a foreign key when it is asked for."""
    type_ = options.get("type")
    column_options = {k: v for k, v in options.items() if k in ("null", "default", "limit")}
    names = [f"{name}_id"] + ([f"{name}_type"] if options.get("polymorphic") else [])
    found: list[Found] = [
        (
            ops.ddl.alter(
                table,
                f"ADD COLUMN {ops.column_sql(n, 'string' if n.endswith('_type') else type_ if isinstance(type_, str) else 'bigint', column_options)}",
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
        found.append((ops.index_sql(table, keys, given), table))
    key = options.get("foreign_key")
    if key:
        more = dict(key) if isinstance(key, dict) else {}
        target = more.get("to_table")
        more["column"] = f"{name}_id"
        found += [(sql, table) for sql in ops.foreign_key_sql(table, target if isinstance(target, str) else _plural(name), more)]
    return found


def _plural(name: str) -> str:
    if name.endswith("y") and not name.endswith(("ay", "ey", "oy", "uy")):
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("s", "x", "ch", "sh")) else f"{name}s"


def _add_reference(ops: RailsOps, call: RubyCall) -> list[Found]:
    table, name = call.text(0), call.text(1)
    return reference_sql(ops, table, name, _options(call)) if table and name else [(None, table)]


def _remove_reference(ops: RailsOps, call: RubyCall) -> list[Found]:
    table, name = call.text(0), call.text(1)
    if table is None or name is None:
        return [(None, table)]
    names = [f"{name}_id"] + ([f"{name}_type"] if call.options.get("polymorphic") else [])
    return [(ops.ddl.alter(table, *(f"DROP COLUMN {ops.ddl.name(n)}" for n in names)), table)]


def _change_column(ops: RailsOps, call: RubyCall) -> list[Found]:
    table, name, type_ = call.text(0), call.text(1), call.text(2)
    if table is None or name is None or type_ is None:
        return [(None, table)]
    options = _options(call)
    null, using = options.get("null"), call.option("using")
    found: list[Found] = [
        (ops.ddl.alter_type(table, name, ops.type_sql(type_, options), using=using or "", is_nullable=null is not False), table)
    ]
    if not ops.ddl.is_mysql:
        if "default" in options:
            value = options["default"]
            found.append((ops.ddl.set_default(table, name, None if value is None else ops.default_sql(value)), table))
        if isinstance(null, bool):
            found.append((ops.ddl.set_not_null(table, name, is_not_null=not null), table))
    return found


def _change_null(ops: RailsOps, call: RubyCall) -> list[Found]:
    table, name = call.text(0), call.text(1)
    null = call.args[2] if len(call.args) > 2 else None
    if table is None or name is None or not isinstance(null, bool):
        return [(None, table)]
    found: list[Found] = []
    if not null and len(call.args) > 3 and call.args[3] is not None:
        column = ops.ddl.name(name)
        found.append(
            (f"UPDATE {ops.ddl.name(table)} SET {column} = {ops.default_sql(call.args[3])} WHERE {column} IS NULL", table)
        )
    if not null and ops.rewrites_itself and not ops.ddl.is_mysql:
        check = f"{table}_{name}_null"
        condition = f"CHECK ({ops.ddl.name(name)} IS NOT NULL)"
        found.append((ops.ddl.add_constraint(table, condition, name=check, is_valid=False), table))
        found.append((ops.ddl.alter(table, f"VALIDATE CONSTRAINT {ops.ddl.name(check)}"), table))
        found.append((ops.ddl.set_not_null(table, name, is_not_null=True), table))
        found.append((ops.ddl.drop_constraint(table, check), table))
        return found
    return [*found, (ops.ddl.set_not_null(table, name, is_not_null=not null), table)]


def _change_default(ops: RailsOps, call: RubyCall) -> list[Found]:
    table, name = call.text(0), call.text(1)
    value = call.options.get("to") if "to" in call.options else call.args[2] if len(call.args) > 2 else None
    if table is None or name is None:
        return [(None, table)]
    return [(ops.ddl.set_default(table, name, None if value is None else ops.default_sql(value)), table)]


def _rename_column(ops: RailsOps, call: RubyCall) -> list[Found]:
    table, old, new = call.text(0), call.text(1), call.text(2)
    return [(ops.ddl.rename_column(table, old, new) if table and old and new else None, table)]


def _rename_table(ops: RailsOps, call: RubyCall) -> list[Found]:
    old, new = call.text(0), call.text(1)
    return [(ops.ddl.rename_table(old, new) if old and new else None, old)]


def _rename_index(ops: RailsOps, call: RubyCall) -> list[Found]:
    table, old, new = call.text(0), call.text(1), call.text(2)
    if table is None or old is None or new is None:
        return [(None, table)]
    if ops.ddl.is_mysql:
        return [(ops.ddl.alter(table, f"RENAME INDEX {ops.ddl.name(old)} TO {ops.ddl.name(new)}"), table)]
    return [(f"ALTER INDEX {ops.ddl.name(old)} RENAME TO {ops.ddl.name(new)}", table)]


def _add_foreign_key(ops: RailsOps, call: RubyCall) -> list[Found]:
    table, target = call.text(0), call.text(1)
    options = _options(call)
    if call.method == "add_concurrent_foreign_key":
        options["column"] = options.get("column")
        options["validate"] = False
        sqls = ops.foreign_key_sql(table or "?", target or "?", options)
        name = options.get("name")
        named = name if isinstance(name, str) else foreign_key_name(table or "?", str(options["column"]))
        return [(s, table) for s in (*sqls, ops.ddl.alter(table or "?", f"VALIDATE CONSTRAINT {ops.ddl.name(named)}"))]
    return [(s, table) for s in ops.foreign_key_sql(table, target, options)] if table and target else [(None, table)]


def _key_of(call: RubyCall) -> str | None:
    table, target = call.text(0), call.text(1) or call.option("to_table")
    column = call.option("column") or (f"{singular(target)}_id" if target else None)
    return call.option("name") or (foreign_key_name(table, column) if table and column else None)


def _remove_foreign_key(ops: RailsOps, call: RubyCall) -> list[Found]:
    table, name = call.text(0), _key_of(call)
    if table is None or name is None:
        return [(None, table)]
    return [(ops.ddl.drop_constraint(table, name, kind="foreign_key"), table)]


def _validate(ops: RailsOps, call: RubyCall) -> list[Found]:
    table = call.text(0)
    name = _key_of(call) if call.method == "validate_foreign_key" else call.option("name") or call.text(1)
    if table is None or name is None:
        return [(None, table)]
    return [(ops.ddl.alter(table, f"VALIDATE CONSTRAINT {ops.ddl.name(name)}"), table)]


def _add_check(ops: RailsOps, call: RubyCall) -> list[Found]:
    table, condition = call.text(0), call.text(1)
    if table is None or condition is None:
        return [(None, table)]
    name = call.option("name") or f"chk_rails_{hashlib.sha256(f'{table}_{condition}_chk'.encode()).hexdigest()[:10]}"
    is_valid = call.options.get("validate", True) is not False
    splits = ops.rewrites_itself and is_valid and not ops.ddl.is_mysql
    found: list[Found] = [
        (ops.ddl.add_constraint(table, f"CHECK ({condition})", name=name, is_valid=is_valid and not splits), table)
    ]
    return [*found, (ops.ddl.alter(table, f"VALIDATE CONSTRAINT {ops.ddl.name(name)}"), table)] if splits else found


def _remove_constraint(ops: RailsOps, call: RubyCall) -> list[Found]:
    table, name = call.text(0), call.option("name") or (call.text(1) if call.method == "remove_constraint" else None)
    return [(ops.ddl.drop_constraint(table, name) if table and name else None, table)]


def _add_unique(ops: RailsOps, call: RubyCall) -> list[Found]:
    table, columns = call.text(0), _listed(call.args[1]) if len(call.args) > 1 else []
    index = call.option("using_index")
    if table is None or not (columns or index):
        return [(None, table)]
    body = f"UNIQUE USING INDEX {ops.ddl.name(index)}" if index else f"UNIQUE ({ops.ddl.names(columns)})"
    return [(ops.ddl.add_constraint(table, body, name=call.option("name") or f"uniq_{table}_{'_'.join(columns)}"), table)]


def _timestamps(ops: RailsOps, call: RubyCall) -> list[Found]:
    table = call.text(0)
    if table is None:
        return [(None, table)]
    options = {"null": False} | _options(call)
    return [
        (ops.ddl.alter(table, f"ADD COLUMN {ops.column_sql(n, 'datetime', options)}"), table)
        for n in ("created_at", "updated_at")
    ]


def _drop_table(ops: RailsOps, call: RubyCall) -> list[Found]:
    exists, cascades = call.options.get("if_exists") is True, call.options.get("force") == "cascade"
    tables = _listed(tuple(a for a in call.args))
    return [(ops.ddl.drop_table(t, if_exists=exists, is_cascade=cascades), t) for t in tables] or [(None, None)]


def _execute(ops: RailsOps, call: RubyCall) -> list[Found]:
    del ops
    return [(call.text(0), None)]


def _extension(ops: RailsOps, call: RubyCall) -> list[Found]:
    del ops
    name = call.text(0)
    return [(f'CREATE EXTENSION IF NOT EXISTS "{name}"' if name else None, None)]


def _enum(ops: RailsOps, call: RubyCall) -> list[Found]:
    name, ddl = call.text(0), ops.ddl
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
