"""One Alembic operation in, its SQL out; None stands for SQL that the text does not settle."""

from collections.abc import Iterator

from gonogo.record import Record
from heuristics.sql.sources.alembic_types import type_sql
from heuristics.sql.sources.ddl import Ddl
from heuristics.sql.sources.python_values import Call, SqlText, Symbol, Value
from heuristics.sql.sources.written import SourceFile

Found = tuple[str | None, str | None]
"""The SQL, and the table where the SQL does not name it."""


class AlembicOps(Record, frozen=False):
    """Compiles the operations of one file."""

    source: SourceFile

    @property
    def ddl(self) -> Ddl:
        """The writer of the file's dialect."""
        return Ddl(self.source.dialect)

    def statements(self, call: Call, name: str, *, table: str | None) -> Iterator[Found]:
        """The statements of one call; `table` is that of the batch it stands in."""
        shift = 0 if table is None else -1
        reader = _READERS.get(name)
        if reader is None:
            yield None, table
            return
        yield from reader(self, call, table, shift)

    def table(self, call: Call, batch: str | None, position: int, keyword: str = "table_name") -> str | None:
        """The table with its schema, from the batch or from the call."""
        if batch is not None:
            return batch
        name = call.text(keyword, position)
        schema = call.text("schema") or call.text("source_schema")
        return f"{schema}.{name}" if schema and name else name


def _create_index(ops: AlembicOps, call: Call, batch: str | None, shift: int) -> Iterator[Found]:
    table = ops.table(call, batch, 1)
    keys = _keys(call.get("columns", 2 + shift))
    if table is None or keys is None:
        yield None, table
        return
    name = call.text("index_name", 0)
    where = call.text("postgresql_where") or call.text("sqlite_where") or ""
    method = call.text("postgresql_using") or call.text("mysql_prefix") or ""
    yield (
        ops.ddl.create_index(
            table,
            keys,
            name=name,
            is_unique=call.get("unique", 3 + shift) is True,
            is_concurrent=call.get("postgresql_concurrently") is True and ops.source.dialect != "sqlite",
            if_not_exists=call.get("if_not_exists") is True,
            method=method,
            where=where or ("true" if "postgresql_where" in call.keywords else ""),
        ),
        table,
    )


def _drop_index(ops: AlembicOps, call: Call, batch: str | None, shift: int) -> Iterator[Found]:
    del shift
    table = ops.table(call, batch, 1)
    name = call.text("index_name", 0)
    schema = call.text("schema")
    if name is None:
        yield None, table
        return
    full = f"{schema}.{name}" if schema and not ops.ddl.is_mysql else name
    is_concurrent = call.get("postgresql_concurrently") is True
    yield ops.ddl.drop_index(full, table=table, is_concurrent=is_concurrent, if_exists=call.get("if_exists") is True), table


def _add_column(ops: AlembicOps, call: Call, batch: str | None, shift: int) -> Iterator[Found]:
    table, column = ops.table(call, batch, 0), call.get("column", 1 + shift)
    text = column_sql(ops, column) if isinstance(column, Call) else None
    if table is None or text is None or not isinstance(column, Call):
        yield None, table
        return
    exists = "IF NOT EXISTS " if call.get("if_not_exists") is True else ""
    yield ops.ddl.alter(table, f"ADD COLUMN {exists}{text}"), table
    name = column.text("name", 0) or ""
    if column.get("index") is True or column.get("unique") is True:
        is_unique = column.get("unique") is True
        if column.get("index") is True:
            yield ops.ddl.create_index(table, [name], name=f"ix_{table.replace('.', '_')}_{name}", is_unique=is_unique), table
        else:
            yield ops.ddl.alter(table, f"ADD UNIQUE ({ops.ddl.name(name)})"), table
    for reference in _references(column):
        target, _, key = (reference.text("column", 0) or "").rpartition(".")
        if target:
            keyname = reference.text("name")
            yield ops.ddl.foreign_key(table, [name], referenced=target, referenced_columns=[key], name=keyname), table


def column_sql(ops: AlembicOps, column: Call) -> str | None:
    """A `sa.Column(...)` as a column definition, without its foreign keys."""
    name = column.text("name", 0)
    position = 1 if column.args and isinstance(column.args[0], str) else 0
    rest = [a for a in column.args[position:] if not (isinstance(a, Call) and a.last in _MARKS)]
    written = column.get("type_", default=rest[0] if rest else None)
    if name is None or not isinstance(written, Call | Symbol):
        return None
    type_ = type_sql(written, ops.source.dialect) or f"{_unknown(written)}"
    marks = [a for a in column.args if isinstance(a, Call)]
    more = ""
    for mark in marks:
        if mark.last == "Computed":
            stored = "" if mark.get("persisted", 1) is False else " STORED"
            more = f"GENERATED ALWAYS AS ({mark.text('sqltext', 0) or 'NULL'}){stored}"
        elif mark.last == "Identity":
            more = f"GENERATED {'ALWAYS' if mark.get('always', 0) is True else 'BY DEFAULT'} AS IDENTITY"
        elif mark.last == "CheckConstraint" and (check := mark.text("sqltext", 0)):
            more = f"CHECK ({check})"
    is_key = column.get("primary_key") is True
    default = default_sql(column.get("server_default"))
    if is_key:
        more = f"{more} PRIMARY KEY".strip()
    is_nullable = column.get("nullable", default=not is_key) is not False
    return ops.ddl.column(name, type_, is_nullable=is_nullable, default=default, more=more)


def default_sql(value: Value) -> str | None:
    """A server default as SQL; a call that is not known keeps its name, so that it reads as a function."""
    match value:
        case None | False:
            return None
        case SqlText(sql=sql):
            return sql
        case str():
            return "'" + value.replace("'", "''") + "'"
        case Call():
            inner = value.get("sqltext", 0)
            if isinstance(inner, SqlText):
                return inner.sql
            return f"{value.last}()"
        case Symbol():
            return None if value.last in ("Identity", "FetchedValue") else f"{value.last.lower()}()"
        case _:
            return str(value)


_MARKS = frozenset({"ForeignKey", "Computed", "Identity", "CheckConstraint", "Sequence", "UniqueConstraint"})


def _unknown(written: Call | Symbol) -> str:
    """A type of the application's own, under its own name: it may be anything."""
    return f'"{written.last}"'


def _references(column: Call) -> list[Call]:
    return [a for a in column.args if isinstance(a, Call) and a.last == "ForeignKey"]


def _keys(value: Value) -> list[str] | None:
    if not isinstance(value, tuple):
        return None
    keys = [v.sql if isinstance(v, SqlText) else v for v in value]
    written = [_call_key(k) if isinstance(k, Call) else k for k in keys]
    return [k for k in written if isinstance(k, str)] if all(isinstance(k, str) for k in written) else None


def _call_key(call: Call) -> Value:
    """`sa.desc("x")`, `sa.func.lower(sa.column("x"))` as a key."""
    inner = call.get("column", 0)
    if isinstance(inner, str):
        return f"{inner} DESC" if call.last == "desc" else inner
    if isinstance(inner, SqlText):
        return f"{inner.sql} DESC" if call.last == "desc" else inner.sql
    return None


def _drop_column(ops: AlembicOps, call: Call, batch: str | None, shift: int) -> Iterator[Found]:
    table, column = ops.table(call, batch, 0), call.text("column_name", 1 + shift)
    exists = "IF EXISTS " if call.get("if_exists") is True else ""
    if table is None or column is None:
        yield None, table
        return
    yield ops.ddl.alter(table, f"DROP COLUMN {exists}{ops.ddl.name(column)}"), table


def _alter_column(ops: AlembicOps, call: Call, batch: str | None, shift: int) -> Iterator[Found]:
    table, column = ops.table(call, batch, 0), call.text("column_name", 1 + shift)
    if table is None or column is None:
        yield None, table
        return
    ddl = ops.ddl
    type_ = call.get("type_")
    existing = type_sql(call.get("existing_type"), ops.source.dialect)
    nullable = call.get("nullable")
    if isinstance(type_, Call | Symbol):
        written = type_sql(type_, ops.source.dialect) or _unknown(type_)
        keeps_null = nullable is not False and call.get("existing_nullable") is not False
        yield ddl.alter_type(table, column, written, using=call.text("postgresql_using") or "", is_nullable=keeps_null), table
    if "server_default" in call.keywords:
        default = call.get("server_default")
        yield ddl.set_default(table, column, default_sql(default)), table
    if isinstance(nullable, bool) and not (ddl.is_mysql and type_ is not None):
        yield ddl.set_not_null(table, column, is_not_null=not nullable, type_=existing), table
    if (new := call.text("new_column_name")) is not None:
        yield ddl.rename_column(table, column, new), table


def _create_foreign_key(ops: AlembicOps, call: Call, batch: str | None, shift: int) -> Iterator[Found]:
    table = ops.table(call, batch, 1, "source_table")
    referent = call.text("referent_table", 2 + shift)
    own, other = _texts(call.get("local_cols", 3 + shift)), _texts(call.get("remote_cols", 4 + shift))
    if table is None or referent is None or own is None:
        yield None, table
        return
    schema = call.text("referent_schema")
    yield (
        ops.ddl.foreign_key(
            table,
            own,
            referenced=f"{schema}.{referent}" if schema else referent,
            referenced_columns=other or [],
            name=call.text("constraint_name", 0),
            is_valid=call.get("postgresql_not_valid") is not True,
        ),
        table,
    )


def _texts(value: Value) -> list[str] | None:
    return [v for v in value if isinstance(v, str)] if isinstance(value, tuple) else None


def _create_check(ops: AlembicOps, call: Call, batch: str | None, shift: int) -> Iterator[Found]:
    table, condition = ops.table(call, batch, 1), call.text("condition", 2 + shift)
    if table is None or condition is None:
        yield None, table
        return
    is_valid = call.get("postgresql_not_valid") is not True
    yield ops.ddl.add_constraint(table, f"CHECK ({condition})", name=call.text("constraint_name", 0), is_valid=is_valid), table


def _create_unique(ops: AlembicOps, call: Call, batch: str | None, shift: int) -> Iterator[Found]:
    table, columns = ops.table(call, batch, 1), _texts(call.get("columns", 2 + shift))
    if table is None or not columns:
        yield None, table
        return
    yield ops.ddl.add_constraint(table, f"UNIQUE ({ops.ddl.names(columns)})", name=call.text("constraint_name", 0)), table


def _create_primary_key(ops: AlembicOps, call: Call, batch: str | None, shift: int) -> Iterator[Found]:
    table, columns = ops.table(call, batch, 1), _texts(call.get("columns", 2 + shift))
    if table is None or not columns:
        yield None, table
        return
    yield ops.ddl.add_constraint(table, f"PRIMARY KEY ({ops.ddl.names(columns)})", name=call.text("constraint_name", 0)), table


def _drop_constraint(ops: AlembicOps, call: Call, batch: str | None, shift: int) -> Iterator[Found]:
    del shift
    table, name = ops.table(call, batch, 1), call.text("constraint_name", 0)
    if table is None or name is None:
        yield None, table
        return
    kind = call.text("type_", 2) or ""
    yield ops.ddl.drop_constraint(table, name, kind=kind, if_exists=call.get("if_exists") is True), table


def _create_table(ops: AlembicOps, call: Call, batch: str | None, shift: int) -> Iterator[Found]:
    del shift
    table = ops.table(call, batch, 0)
    if table is None:
        yield None, None
        return
    body: list[str] = []
    after: list[Found] = []
    for item in call.args[1:]:
        if not isinstance(item, Call):
            continue
        text = _table_element(ops, item)
        if text is not None:
            body.append(text)
        name = item.text("name", 0) or ""
        if item.last == "Column" and item.get("index") is True:
            after.append(
                (ops.ddl.create_index(table, [name], name=f"ix_{table}_{name}", is_unique=item.get("unique") is True), table)
            )
    if not body and len(call.args) > 1:
        yield None, table
        return
    yield ops.ddl.create_table(table, body, if_not_exists=call.get("if_not_exists") is True), table
    yield from after


def _table_element(ops: AlembicOps, item: Call) -> str | None:
    ddl = ops.ddl
    name = item.text("name")
    named = f"CONSTRAINT {ddl.name(name)} " if name else ""
    columns = [a for a in item.args if isinstance(a, str)]
    match item.last:
        case "Column":
            text = column_sql(ops, item)
            if text is None:
                return None
            for reference in _references(item):
                target, _, key = (reference.text("column", 0) or "").rpartition(".")
                text += f" REFERENCES {ddl.name(target)} ({ddl.name(key)})" if target else ""
            return f"{text} UNIQUE" if item.get("unique") is True and item.get("index") is not True else text
        case "PrimaryKeyConstraint":
            return f"{named}PRIMARY KEY ({ddl.names(columns)})" if columns else None
        case "UniqueConstraint":
            return f"{named}UNIQUE ({ddl.names(columns)})" if columns else None
        case "CheckConstraint":
            return f"{named}CHECK ({item.text('sqltext', 0)})" if item.text("sqltext", 0) else None
        case "ForeignKeyConstraint":
            own, other = _texts(item.get("columns", 0)), _texts(item.get("refcolumns", 1))
            if not own or not other:
                return None
            target = other[0].rpartition(".")[0]
            keys = ddl.names([o.rpartition(".")[2] for o in other])
            return f"{named}FOREIGN KEY ({ddl.names(own)}) REFERENCES {ddl.name(target)} ({keys})"
        case _:
            return None


def _drop_table(ops: AlembicOps, call: Call, batch: str | None, shift: int) -> Iterator[Found]:
    del shift
    table = ops.table(call, batch, 0)
    yield (ops.ddl.drop_table(table, if_exists=call.get("if_exists") is True) if table else None), table


def _rename_table(ops: AlembicOps, call: Call, batch: str | None, shift: int) -> Iterator[Found]:
    del shift
    table, new = ops.table(call, batch, 0, "old_table_name"), call.text("new_table_name", 1)
    yield (ops.ddl.rename_table(table, new) if table and new else None), table


def _execute(ops: AlembicOps, call: Call, batch: str | None, shift: int) -> Iterator[Found]:
    del ops, shift
    yield call.text("sqltext", 0) or call.text("statement", 0), batch


def _bulk_insert(ops: AlembicOps, call: Call, batch: str | None, shift: int) -> Iterator[Found]:
    del batch, shift
    target = call.get("table", 0)
    name = target.text("name", 0) if isinstance(target, Call) else None
    yield (f"INSERT INTO {ops.ddl.name(name)} DEFAULT VALUES" if name else None), name


def _comment(ops: AlembicOps, call: Call, batch: str | None, shift: int) -> Iterator[Found]:
    del shift
    table = ops.table(call, batch, 0)
    yield (f"COMMENT ON TABLE {ops.ddl.name(table)} IS ''" if table and not ops.ddl.is_mysql else None), table


def _create_exclude(ops: AlembicOps, call: Call, batch: str | None, shift: int) -> Iterator[Found]:
    del shift
    table = ops.table(call, batch, 1)
    pairs = [a for a in call.args if isinstance(a, tuple) and len(a) == 2]
    texts = [f"{p[0].sql if isinstance(p[0], SqlText) else p[0]} WITH {p[1]}" for p in pairs]
    body = f"EXCLUDE USING {call.text('using') or 'gist'} ({', '.join(texts)})"
    yield (ops.ddl.add_constraint(table, body, name=call.text("constraint_name", 0)) if table and texts else None), table


_READERS = {
    "create_index": _create_index,
    "drop_index": _drop_index,
    "add_column": _add_column,
    "drop_column": _drop_column,
    "alter_column": _alter_column,
    "create_foreign_key": _create_foreign_key,
    "create_check_constraint": _create_check,
    "create_unique_constraint": _create_unique,
    "create_primary_key": _create_primary_key,
    "create_exclude_constraint": _create_exclude,
    "drop_constraint": _drop_constraint,
    "create_table": _create_table,
    "drop_table": _drop_table,
    "rename_table": _rename_table,
    "execute": _execute,
    "bulk_insert": _bulk_insert,
    "create_table_comment": _comment,
    "drop_table_comment": _comment,
}
