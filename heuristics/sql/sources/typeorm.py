"""TypeORM's query runner, each call as its SQL."""

from collections.abc import Iterator, Mapping

from heuristics.sql.sources.chains import Chain, Link, Value, texts
from heuristics.sql.sources.ddl import Ddl

Found = tuple[int, int, str | None, str | None]


def statements(chain: Chain, ddl: Ddl) -> Iterator[Found]:
    """The statements of one call; none when it is not the query runner's."""
    link = chain.links[-1]
    table = _table(link)
    for sql in _sql(link, table, ddl):
        yield chain.line, chain.end_line, sql, table


def _table(link: Link) -> str | None:
    value = link.args[0] if link.args else None
    if isinstance(value, str):
        return value
    options = made(value)
    name = options.get("name")
    return name if isinstance(name, str) else None


def made(value: Value) -> Mapping[str, Value]:
    """The options of `new TableColumn({...})`, or of a plain object."""
    if isinstance(value, Mapping):
        return value
    if isinstance(value, Chain) and value.links:
        return value.links[-1].mapping(0)
    return {}


def _many(value: Value) -> list[Mapping[str, Value]]:
    return [made(v) for v in value] if isinstance(value, tuple) else [made(value)]


def _sql(link: Link, table: str | None, ddl: Ddl) -> Iterator[str | None]:
    rest: Value = link.args[1] if len(link.args) > 1 else None
    if table is None and link.method in _KNOWN:
        yield None
        return
    name = table or ""
    match link.method:
        case "createTable":
            yield from _create_table(made(link.args[0] if link.args else None), name, ddl)
        case "dropTable":
            yield ddl.drop_table(name, if_exists=link.args[1:2] == (True,))
        case "renameTable":
            yield ddl.rename_table(name, link.text(1) or "?")
        case "addColumn" | "addColumns":
            for column in _many(rest):
                text = column_sql(column, ddl)
                yield ddl.alter(name, f"ADD COLUMN {text}") if text else None
        case "dropColumn" | "dropColumns":
            names = texts(rest) or [n for c in _many(rest) if isinstance(n := c.get("name"), str)]
            yield ddl.alter(name, *(f"DROP COLUMN {ddl.name(n)}" for n in names)) if names else None
        case "renameColumn":
            new = rest if isinstance(rest, str) else None
            target = link.text(2)
            yield ddl.rename_column(name, new, target) if new and target else None
        case "changeColumn":
            yield from _change(name, rest, link.args[2] if len(link.args) > 2 else None, ddl)
        case "createIndex" | "createIndices":
            for index in _many(rest):
                yield _index(name, index, ddl)
        case "dropIndex":
            own = rest if isinstance(rest, str) else made(rest).get("name")
            yield ddl.drop_index(own, table=name) if isinstance(own, str) else None
        case "createForeignKey" | "createForeignKeys":
            for key in _many(rest):
                yield _foreign_key(name, key, ddl)
        case "dropForeignKey" | "dropUniqueConstraint" | "dropCheckConstraint" | "dropPrimaryKey":
            own = rest if isinstance(rest, str) else made(rest).get("name")
            kind = {"dropForeignKey": "foreign_key", "dropPrimaryKey": "primary"}.get(link.method, "unique")
            yield ddl.drop_constraint(name, own, kind=kind) if isinstance(own, str) else None
        case "createUniqueConstraint":
            made_of = made(rest)
            own = made_of.get("name")
            columns = texts(made_of.get("columnNames"))
            yield (
                ddl.add_constraint(name, f"UNIQUE ({ddl.names(columns)})", name=own if isinstance(own, str) else None)
                if columns
                else None
            )
        case "createCheckConstraint":
            made_of = made(rest)
            own, text = made_of.get("name"), made_of.get("expression")
            yield (
                ddl.add_constraint(name, f"CHECK ({text})", name=own if isinstance(own, str) else None)
                if isinstance(text, str)
                else None
            )
        case "createPrimaryKey":
            yield ddl.add_constraint(name, f"PRIMARY KEY ({ddl.names(texts(rest))})", name=None)
        case "clearTable":
            yield f"TRUNCATE {ddl.name(name)}"
        case _:
            return


_KNOWN = frozenset(
    [
        "createTable",
        "dropTable",
        "renameTable",
        "addColumn",
        "addColumns",
        "dropColumn",
        "dropColumns",
        "renameColumn",
        "changeColumn",
        "createIndex",
        "createIndices",
        "dropIndex",
        "createForeignKey",
        "createForeignKeys",
        "dropForeignKey",
        "dropUniqueConstraint",
        "dropCheckConstraint",
        "dropPrimaryKey",
        "createUniqueConstraint",
        "createCheckConstraint",
        "createPrimaryKey",
        "clearTable",
    ]
)


def column_sql(column: Mapping[str, Value], ddl: Ddl) -> str | None:
    """A TableColumn as a column definition."""
    name, type_ = column.get("name"), column.get("type")
    if not isinstance(name, str) or not isinstance(type_, str):
        return None
    length = column.get("length")
    sized = f"{type_}({length})" if isinstance(length, str | int) and length else type_
    if type_ == "enum":
        enum = column.get("enumName")
        sized = enum if isinstance(enum, str) else "unknown_enum"
    if column.get("isArray") is True:
        sized = f"{sized}[]"
    default = column.get("default")
    written = (
        str(default).lower() if isinstance(default, bool) else str(default) if isinstance(default, str | int | float) else None
    )
    more = ""
    if column.get("isGenerated") is True:
        strategy = column.get("generationStrategy")
        if strategy == "uuid":
            written = "gen_random_uuid()"
        elif ddl.is_mysql:
            more = "AUTO_INCREMENT"
        else:
            more = "GENERATED BY DEFAULT AS IDENTITY"
    if column.get("isPrimary") is True:
        more = f"{more} PRIMARY KEY".strip()
    if column.get("isUnique") is True:
        more = f"{more} UNIQUE".strip()
    return ddl.column(name, sized, is_nullable=column.get("isNullable") is True, default=written, more=more)


def _create_table(options: Mapping[str, Value], table: str, ddl: Ddl) -> Iterator[str | None]:
    columns = options.get("columns")
    body = [t for c in (columns if isinstance(columns, tuple) else ()) if (t := column_sql(made(c), ddl)) is not None]
    yield ddl.create_table(table, body)
    for key in _listed(options.get("foreignKeys")):
        yield _foreign_key(table, key, ddl)
    for index in _listed(options.get("indices")):
        yield _index(table, index, ddl)


def _listed(value: Value) -> list[Mapping[str, Value]]:
    return [made(v) for v in value] if isinstance(value, tuple) else []


def _index(table: str, index: Mapping[str, Value], ddl: Ddl) -> str | None:
    columns, name, where = texts(index.get("columnNames")), index.get("name"), index.get("where")
    if not columns:
        return None
    return ddl.create_index(
        table,
        columns,
        name=name if isinstance(name, str) else f"IDX_{table}_{'_'.join(columns)}",
        is_unique=index.get("isUnique") is True,
        is_concurrent=index.get("isConcurrent") is True,
        where=where if isinstance(where, str) else "",
    )


def _foreign_key(table: str, key: Mapping[str, Value], ddl: Ddl) -> str | None:
    columns, target, name = texts(key.get("columnNames")), key.get("referencedTableName"), key.get("name")
    if not columns or not isinstance(target, str):
        return None
    others = texts(key.get("referencedColumnNames"))
    return ddl.foreign_key(
        table,
        columns,
        referenced=target,
        referenced_columns=others,
        name=name if isinstance(name, str) else f"FK_{table}_{'_'.join(columns)}",
    )


def _change(table: str, old: Value, new: Value, ddl: Ddl) -> Iterator[str | None]:
    """ChangeColumn drops the column and adds it again when its type or length differs: the data is lost (TypeORM's way)."""
    name = old if isinstance(old, str) else made(old).get("name")
    column = made(new)
    text = column_sql(column, ddl)
    if not isinstance(name, str) or text is None:
        yield None
        return
    yield ddl.alter(table, f"DROP COLUMN {ddl.name(name)}")
    yield ddl.alter(table, f"ADD COLUMN {text}")
