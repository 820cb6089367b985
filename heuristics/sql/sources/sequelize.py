"""Sequelize's query interface, each call as its SQL."""

# ruff: noqa: S608 - this SQL is what a migration would run; it is read, and never sent anywhere

from collections.abc import Iterator, Mapping

from heuristics.sql.sources.chains import Chain, Link, Value, texts
from heuristics.sql.sources.ddl import Ddl

Found = tuple[int, int, str | None, str | None]

_TYPES = {
    "STRING": "VARCHAR(255)", "TEXT": "TEXT", "INTEGER": "INTEGER", "BIGINT": "BIGINT", "SMALLINT": "SMALLINT", "BOOLEAN": "BOOLEAN",
    "DATE": "TIMESTAMP WITH TIME ZONE", "DATEONLY": "DATE", "TIME": "TIME", "FLOAT": "FLOAT", "REAL": "REAL", "DOUBLE": "DOUBLE PRECISION",
    "DECIMAL": "DECIMAL", "JSON": "JSON", "JSONB": "JSONB", "UUID": "UUID", "BLOB": "BYTEA", "CHAR": "CHAR(255)", "CITEXT": "CITEXT",
    "TSVECTOR": "TSVECTOR", "INET": "INET", "TINYINT": "SMALLINT", "NUMBER": "DECIMAL",
}  # fmt: skip
_MYSQL = {"DATE": "DATETIME", "BOOLEAN": "TINYINT(1)", "JSONB": "JSON", "UUID": "CHAR(36)", "BLOB": "BLOB", "TINYINT": "TINYINT"}


def statements(chain: Chain, ddl: Ddl) -> Iterator[Found]:
    """The statements of one call; none when it is not the query interface's."""
    link = chain.links[-1]
    table = _table(link)
    for sql in _sql(link, table, ddl):
        yield chain.line, chain.end_line, sql, table


def _table(link: Link) -> str | None:
    value = link.args[0] if link.args else None
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        name, schema = value.get("tableName"), value.get("schema")
        if isinstance(name, str):
            return f"{schema}.{name}" if isinstance(schema, str) else name
    return None


def _sql(link: Link, table: str | None, ddl: Ddl) -> Iterator[str | None]:
    if link.method not in _KNOWN:
        return
    if table is None:
        yield None
        return
    match link.method:
        case "createTable":
            columns = link.mapping(1)
            body = [t for n, c in columns.items() if (t := _column(n, c, ddl)) is not None]
            yield ddl.create_table(table, body, if_not_exists=True)
        case "dropTable":
            yield ddl.drop_table(table, if_exists=True)
        case "renameTable":
            yield ddl.rename_table(table, link.text(1) or "?")
        case "addColumn":
            name = link.text(1)
            text = _column(name, link.args[2], ddl) if name and len(link.args) > 2 else None
            yield ddl.alter(table, f"ADD COLUMN {text}") if text else None
        case "removeColumn":
            name = link.text(1)
            yield ddl.alter(table, f"DROP COLUMN {ddl.name(name)}") if name else None
        case "renameColumn":
            old, new = link.text(1), link.text(2)
            yield ddl.rename_column(table, old, new) if old and new else None
        case "changeColumn":
            yield from _change(table, link, ddl)
        case "addIndex":
            yield _index(table, link, ddl)
        case "removeIndex":
            columns = texts(link.args[1]) if len(link.args) > 1 and isinstance(link.args[1], tuple) else []
            name = link.text(1) or (f"{table}_{'_'.join(columns)}" if columns else None)
            yield ddl.drop_index(name, table=table, is_concurrent=link.mapping(2).get("concurrently") is True) if name else None
        case "addConstraint":
            yield _constraint(table, link, ddl)
        case "removeConstraint":
            name = link.text(1)
            yield ddl.drop_constraint(table, name, kind="foreign_key") if name else None
        case "bulkInsert":
            yield (
                f"INSERT INTO {ddl.name(table)} DEFAULT VALUES"
                if not ddl.is_mysql
                else f"INSERT INTO {ddl.name(table)} VALUES ()"
            )
        case _:
            yield None


_KNOWN = frozenset(
    [
        "createTable",
        "dropTable",
        "renameTable",
        "addColumn",
        "removeColumn",
        "renameColumn",
        "changeColumn",
        "addIndex",
        "removeIndex",
        "addConstraint",
        "removeConstraint",
        "bulkInsert",
        "bulkUpdate",
        "bulkDelete",
    ]
)


def _type(value: Value, ddl: Ddl) -> str | None:
    """`Sequelize.STRING(50)`, `DataTypes.ENUM('a')`, or a type written out."""
    if isinstance(value, str):
        return value
    if not isinstance(value, Chain):
        return None
    link = value.links[-1] if value.links else None
    name = (link.method if link is not None else value.root).rpartition(".")[2]
    args = link.args if link is not None else ()
    sizes = [str(a) for a in args if isinstance(a, int)]
    if name in ("STRING", "CHAR", "DECIMAL", "NUMBER") and sizes:
        return f"{'VARCHAR' if name == 'STRING' else 'CHAR' if name == 'CHAR' else 'DECIMAL'}({', '.join(sizes)})"
    if name == "ARRAY" and args:
        inner = _type(args[0], ddl)
        return f"{inner}[]" if inner else None
    if name == "ENUM":
        labels = [a for v in args for a in texts(v)]
        return "ENUM(" + ", ".join(f"'{x}'" for x in labels) + ")" if ddl.is_mysql else "unknown_enum"
    if ddl.is_mysql and name in _MYSQL:
        return _MYSQL[name]
    return _TYPES.get(name)


def _options(value: Value) -> Mapping[str, Value]:
    return value if isinstance(value, Mapping) else {"type": value}


def _column(name: str, value: Value, ddl: Ddl) -> str | None:
    options = _options(value)
    type_ = _type(options.get("type"), ddl)
    if type_ is None:
        return None
    more = ""
    if options.get("autoIncrement") is True:
        type_, more = (type_, "AUTO_INCREMENT") if ddl.is_mysql else ("BIGSERIAL" if type_ == "BIGINT" else "SERIAL", "")
    if options.get("primaryKey") is True:
        more = f"{more} PRIMARY KEY".strip()
    if options.get("unique"):
        more = f"{more} UNIQUE".strip()
    references = options.get("references")
    if isinstance(references, Mapping):
        target, key = references.get("model"), references.get("key")
        if isinstance(target, Mapping):
            target = target.get("tableName")
        if isinstance(target, str):
            more = f"{more} REFERENCES {ddl.name(target)} ({ddl.name(key if isinstance(key, str) else 'id')})".strip()
    is_nullable = options.get("allowNull", True) is not False
    return ddl.column(name, type_, is_nullable=is_nullable, default=_default(options.get("defaultValue"), ddl), more=more)


def _default(value: Value, ddl: Ddl) -> str | None:
    if isinstance(value, Chain):
        link = value.links[-1] if value.links else None
        name = (link.method if link is not None else value.root).rpartition(".")[2]
        if link is not None and name in ("literal", "fn"):
            text = link.text(0) or "unknown_default"
            return f"{text}()" if name == "fn" else text
        return "CURRENT_TIMESTAMP" if name == "NOW" else None if name.startswith("UUIDV") else "unknown_default()"
    if isinstance(value, tuple | Mapping):
        return "'{}'"
    return ddl.literal(value) if isinstance(value, str | int | float) else None


def _change(table: str, link: Link, ddl: Ddl) -> Iterator[str | None]:
    name = link.text(1)
    options = _options(link.args[2] if len(link.args) > 2 else None)
    type_ = _type(options.get("type"), ddl)
    if name is None or type_ is None:
        yield None
        return
    is_not_null = options.get("allowNull") is False
    if not ddl.is_mysql:
        yield ddl.set_not_null(table, name, is_not_null=is_not_null)
        default = options.get("defaultValue")
        yield ddl.set_default(table, name, _default(default, ddl))
    yield ddl.alter_type(table, name, type_, is_nullable=not is_not_null)
    if not ddl.is_mysql and options.get("unique"):
        yield ddl.add_constraint(table, f"UNIQUE ({ddl.name(name)})", name=None)


def _index(table: str, link: Link, ddl: Ddl) -> str | None:
    options = link.mapping(2) or link.mapping(1)
    given = options.get("fields") if "fields" in options else (link.args[1] if len(link.args) > 1 else None)
    parts = given if isinstance(given, tuple) else ()
    columns = [
        p if isinstance(p, str) else str(p.get("name") or p.get("attribute")) for p in parts if isinstance(p, str | Mapping)
    ]
    if not columns:
        return None
    name = options.get("name") or options.get("indexName")
    method = options.get("using")
    return ddl.create_index(
        table,
        columns,
        name=name if isinstance(name, str) else f"{table.replace('.', '_')}_{'_'.join(columns)}",
        is_unique=options.get("unique") is True or options.get("type") == "UNIQUE",
        is_concurrent=options.get("concurrently") is True,
        method=method if isinstance(method, str) else "",
        where="unknown_condition()" if "where" in options else "",
    )


def _constraint(table: str, link: Link, ddl: Ddl) -> str | None:
    options = link.mapping(1) or link.mapping(2)
    columns = texts(options.get("fields")) or (texts(link.args[1]) if len(link.args) > 1 else [])
    kind, given = str(options.get("type", "")).lower(), options.get("name")
    name = given if isinstance(given, str) else f"{table}_{'_'.join(columns)}_{kind.replace(' ', '_')}"
    if kind == "foreign key":
        reference = options.get("references")
        target = reference.get("table") if isinstance(reference, Mapping) else None
        key = reference.get("field") if isinstance(reference, Mapping) else None
        if not isinstance(target, str):
            return None
        return ddl.foreign_key(
            table, columns, referenced=target, referenced_columns=[key if isinstance(key, str) else "id"], name=name
        )
    if kind in ("unique", "primary key"):
        return ddl.add_constraint(table, f"{kind.upper()} ({ddl.names(columns)})", name=name)
    if kind == "check":
        return ddl.add_constraint(table, f"CHECK (unknown_condition({ddl.names(columns)}))", name=name)
    return None
