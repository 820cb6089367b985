"""node-pg-migrate's builder, each call as its SQL."""

from collections.abc import Iterator, Mapping

from heuristics.sql.sources.chains import Chain, Link, Value, texts
from heuristics.sql.sources.ddl import Ddl

Found = tuple[int, int, str | None, str | None]


def statements(chain: Chain, ddl: Ddl) -> Iterator[Found]:
    """The statements of one call; none when it is not the builder's."""
    link = chain.links[-1]
    table = link.text(0)
    for sql in _sql(link, table, ddl):
        yield chain.line, chain.end_line, sql, table


_KNOWN = frozenset(
    [
        "createTable",
        "dropTable",
        "renameTable",
        "addColumns",
        "addColumn",
        "dropColumns",
        "dropColumn",
        "renameColumn",
        "alterColumn",
        "createIndex",
        "addIndex",
        "dropIndex",
        "addConstraint",
        "createConstraint",
        "dropConstraint",
    ]
)


def _sql(link: Link, table: str | None, ddl: Ddl) -> Iterator[str | None]:
    if link.method not in _KNOWN:
        return
    if table is None:
        yield None
        return
    match link.method:
        case "createTable":
            yield ddl.create_table(table, [_column(n, c, ddl) for n, c in link.mapping(1).items()])
        case "dropTable":
            yield ddl.drop_table(table)
        case "renameTable":
            yield ddl.rename_table(table, link.text(1) or "?")
        case "addColumns" | "addColumn":
            for name, column in link.mapping(1).items():
                yield ddl.alter(table, f"ADD COLUMN {_column(name, column, ddl)}")
        case "dropColumns" | "dropColumn":
            yield ddl.alter(table, *(f"DROP COLUMN {ddl.name(n)}" for n in link.names(1))) if link.names(1) else None
        case "renameColumn":
            old, new = link.text(1), link.text(2)
            yield ddl.rename_column(table, old, new) if old and new else None
        case "alterColumn":
            yield from _alter(table, link.text(1) or "?", link.mapping(2), ddl)
        case "createIndex" | "addIndex":
            options, columns = link.mapping(2), link.names(1)
            name, where, method = options.get("name"), options.get("where"), options.get("method")
            yield ddl.create_index(
                table,
                columns,
                name=name if isinstance(name, str) else f"{table}_{'_'.join(columns)}_index",
                is_unique=options.get("unique") is True,
                is_concurrent=options.get("concurrently") is True,
                method=method if isinstance(method, str) else "",
                where=where if isinstance(where, str) else "",
            )
        case "dropIndex":
            columns, options = link.names(1), link.mapping(2)
            name = options.get("name")
            own = name if isinstance(name, str) else f"{table}_{'_'.join(columns)}_index"
            yield ddl.drop_index(own, table=table, is_concurrent=options.get("concurrently") is True)
        case "addConstraint" | "createConstraint":
            yield _constraint(table, link.text(1), link.args[2] if len(link.args) > 2 else None, ddl)
        case _:
            yield ddl.drop_constraint(table, link.text(1) or "?")


def _column(name: str, value: Value, ddl: Ddl) -> str:
    options = value if isinstance(value, Mapping) else {"type": value}
    type_, default = options.get("type"), options.get("default")
    if type_ == "id":
        return f"{ddl.name(name)} serial PRIMARY KEY"
    more = "PRIMARY KEY" if options.get("primaryKey") is True else "UNIQUE" if options.get("unique") is True else ""
    references = options.get("references")
    if isinstance(references, str):
        more = f"{more} REFERENCES {ddl.name(references.strip(chr(34)).split('(')[0])}".strip()
    written = None if default is None else ddl.literal(default) if isinstance(default, str | int | float) else _function(default)
    return ddl.column(
        name,
        type_ if isinstance(type_, str) else "text",
        is_nullable=options.get("notNull") is not True,
        default=written,
        more=more,
    )


def _function(value: Value) -> str:
    """`pgm.func("now()")`."""
    text = value.links[-1].text(0) if isinstance(value, Chain) and value.links else None
    return text or "unknown_default()"


def _alter(table: str, column: str, options: Mapping[str, Value], ddl: Ddl) -> Iterator[str]:
    type_, null, using = options.get("type"), options.get("notNull"), options.get("using")
    if isinstance(type_, str):
        yield ddl.alter_type(table, column, type_, using=using if isinstance(using, str) else "")
    if "default" in options:
        value = options["default"]
        yield ddl.set_default(
            table,
            column,
            None if value is None else ddl.literal(value) if isinstance(value, str | int | float) else _function(value),
        )
    if isinstance(null, bool) or options.get("allowNull") is True:
        yield ddl.set_not_null(table, column, is_not_null=null is True)


def _constraint(table: str, name: str | None, value: Value, ddl: Ddl) -> str | None:
    if isinstance(value, str):
        return ddl.add_constraint(table, value, name=name)
    options: Mapping[str, Value] = value if isinstance(value, Mapping) else {}
    if (columns := texts(options.get("unique"))) or (columns := texts(options.get("primaryKey"))):
        word = "UNIQUE" if "unique" in options else "PRIMARY KEY"
        return ddl.add_constraint(table, f"{word} ({ddl.names(columns)})", name=name)
    check = options.get("check")
    if isinstance(check, str):
        return ddl.add_constraint(table, f"CHECK ({check})", name=name)
    keys = options.get("foreignKeys")
    if isinstance(keys, Mapping):
        target = keys.get("references")
        if isinstance(target, str):
            return ddl.foreign_key(
                table, texts(keys.get("columns")), referenced=target.split("(")[0], referenced_columns=[], name=name
            )
    return None
