"""Knex's schema builder, each call as its SQL."""

from collections.abc import Iterator, Mapping

from heuristics.sql.sources.chains import Chain, Function, Link, Script, Value, texts
from heuristics.sql.sources.ddl import Ddl
from heuristics.sql.sources.syntax import below, end_line_of, line_of

Found = tuple[int, int, str | None, str | None]
"""First and last line, the SQL, and the table."""

_TYPES = {
    "string": "varchar(255)", "text": "text", "integer": "integer", "tinyint": "smallint", "smallint": "smallint", "bigInteger": "bigint",
    "bigint": "bigint", "boolean": "boolean", "date": "date", "datetime": "timestamptz", "timestamp": "timestamptz", "time": "time",
    "float": "real", "double": "double precision", "decimal": "decimal(8, 2)", "json": "json", "jsonb": "jsonb", "uuid": "uuid",
    "binary": "bytea", "increments": "serial", "bigIncrements": "bigserial", "geometry": "geometry", "point": "point",
}  # fmt: skip
_MYSQL_TYPES = {
    "boolean": "tinyint(1)", "datetime": "datetime", "timestamp": "timestamp", "jsonb": "json", "uuid": "char(36)", "binary": "blob",
    "increments": "int unsigned NOT NULL AUTO_INCREMENT", "bigIncrements": "bigint unsigned NOT NULL AUTO_INCREMENT", "integer": "int",
    "tinyint": "tinyint", "float": "float",
}  # fmt: skip
_TABLES = frozenset({"createTable", "createTableIfNotExists", "alterTable", "table"})
_DATA = frozenset({"update", "del", "delete", "insert"})


def statements(chain: Chain, ddl: Ddl, script: Script) -> Iterator[Found]:
    """The statements of one chain; none when it is not Knex's."""
    schema = ""
    for link in chain.links:
        match link.method:
            case "withSchema":
                schema = f"{link.text(0)}." if link.text(0) else ""
            case "renameTable":
                old, new = link.text(0), link.text(1)
                yield chain.line, chain.end_line, ddl.rename_table(f"{schema}{old}", new) if old and new else None, old
            case "dropTable" | "dropTableIfExists":
                table = link.text(0)
                sql = ddl.drop_table(f"{schema}{table}", if_exists=link.method.endswith("Exists")) if table else None
                yield chain.line, chain.end_line, sql, table
            case "dropView" | "createView" | "hasTable" | "hasColumn":
                return
            case _ if link.method in _TABLES and link.function is not None:
                table = link.text(0)
                function = link.function
                if table is None or not function.names:
                    yield chain.line, chain.end_line, None, None
                    continue
                yield from _block(
                    f"{schema}{table}", function, ddl, script, is_new=link.method.startswith("create"), line=chain.line
                )
            case _ if link.method in _DATA:
                yield chain.line, chain.end_line, None, _data_table(chain)
                return
            case _:
                pass


def _data_table(chain: Chain) -> str | None:
    return next((x.text(0) for x in chain.links if x.method in ("knex", "from", "table", "into", "trx")), None)


def _block(table: str, function: Function, ddl: Ddl, script: Script, *, is_new: bool, line: int) -> Iterator[Found]:
    """The calls on the table's own variable."""
    columns: list[str] = []
    after: list[Found] = []
    for node in below(function.body, "call_expression"):
        inner = script.chain(node)
        if inner.root != function.names[0] or not inner.links:
            continue
        place = (line_of(node), end_line_of(node))
        column = _column(inner, ddl)
        if column is not None and is_new:
            columns.append(column)
            after += [(*place, s, table) for s in _extras(table, inner, ddl)]
        elif column is not None and inner.has("alter"):
            name = inner.first.text(0) or ""
            after += [(*place, s, table) for s in _altered(table, name, inner, ddl)]
        elif column is not None:
            after.append((*place, ddl.alter(table, f"ADD COLUMN {column}"), table))
            after += [(*place, s, table) for s in _extras(table, inner, ddl)]
        elif inner.first.method == "timestamps":
            own = [ddl.column(n, "timestamptz", is_nullable=True) for n in ("created_at", "updated_at")]
            columns += own if is_new else []
            after += [] if is_new else [(*place, ddl.alter(table, f"ADD COLUMN {c}"), table) for c in own]
        else:
            after += [(*place, s, table) for s in _changed(table, inner, ddl)]
    if is_new:
        yield line, line, ddl.create_table(table, columns), table
    yield from after


def _column(chain: Chain, ddl: Ddl) -> str | None:
    link = chain.first
    name = link.text(0)
    if link.method in ("increments", "bigIncrements"):
        name = name or "id"
    if name is None:
        return None
    type_ = _type(link, ddl)
    if type_ is None:
        return None
    default = chain.link("defaultTo")
    written = _default(default.args[0], ddl) if default is not None and default.args else None
    more = "PRIMARY KEY" if chain.has("primary") or "ncrements" in link.method else ""
    return ddl.column(
        name, type_, is_nullable=not chain.has("notNullable") and not chain.has("notNull"), default=written, more=more
    )


def _type(link: Link, ddl: Ddl) -> str | None:
    size = next((a for a in link.args[1:] if isinstance(a, int) and not isinstance(a, bool)), None)
    if link.method == "string":
        return f"varchar({size or 255})"
    if link.method == "decimal" and size is not None:
        scale = link.args[2] if len(link.args) > 2 and isinstance(link.args[2], int) else 2
        return f"decimal({size}, {scale})"
    if link.method in ("enu", "enum"):
        return "text"
    if link.method == "specificType":
        return link.text(1)
    if (
        link.method in ("timestamp", "datetime")
        and not ddl.is_mysql
        and (link.mapping(1).get("useTz") is False or link.args[1:2] == (True,))
    ):
        return "timestamp"
    if ddl.is_mysql and link.method in _MYSQL_TYPES:
        return _MYSQL_TYPES[link.method]
    return _TYPES.get(link.method)


def _default(value: Value, ddl: Ddl) -> str:
    if isinstance(value, Chain):
        if value.links and value.links[-1].method == "raw":
            return value.links[-1].text(0) or "unknown_default()"
        return {"now": "CURRENT_TIMESTAMP", "uuid": "gen_random_uuid()"}.get(
            value.links[-1].method if value.links else "", "unknown_default()"
        )
    if isinstance(value, tuple | Mapping):
        return "'{}'"
    return ddl.literal(value) if isinstance(value, str | int | float) or value is None else "unknown_default()"


def _extras(table: str, chain: Chain, ddl: Ddl) -> Iterator[str]:
    """Indexes and keys that hang on a column."""
    name = chain.first.text(0) or ""
    bare = table.rpartition(".")[2]
    if (index := chain.link("index")) is not None:
        yield ddl.create_index(table, [name], name=index.text(0) or f"{bare}_{name}_index")
    if chain.has("unique"):
        yield ddl.add_constraint(table, f"UNIQUE ({ddl.name(name)})", name=f"{bare}_{name}_unique")
    reference = chain.link("references")
    if reference is not None and (target := reference.text(0)) is not None:
        owner = chain.link("inTable")
        other, key = (owner.text(0), target) if owner is not None else (target.rpartition(".")[0], target.rpartition(".")[2])
        if other:
            yield ddl.foreign_key(table, [name], referenced=other, referenced_columns=[key], name=f"{bare}_{name}_foreign")


def _altered(table: str, name: str, chain: Chain, ddl: Ddl) -> Iterator[str]:
    type_ = _type(chain.first, ddl)
    if type_ is None:
        return
    if not ddl.is_mysql:
        yield ddl.set_default(table, name, None)
        yield ddl.set_not_null(table, name, is_not_null=False)
    is_not_null = chain.has("notNullable")
    yield ddl.alter_type(table, name, type_, using=f"({ddl.name(name)}::{type_})", is_nullable=not is_not_null)
    default = chain.link("defaultTo")
    if not ddl.is_mysql and default is not None and default.args:
        yield ddl.set_default(table, name, _default(default.args[0], ddl))
    if not ddl.is_mysql and is_not_null:
        yield ddl.set_not_null(table, name, is_not_null=True)


def _changed(table: str, chain: Chain, ddl: Ddl) -> Iterator[str | None]:
    link, bare = chain.first, table.rpartition(".")[2]
    columns = link.names(0)
    match link.method:
        case "index":
            options = link.mapping(2) or link.mapping(1)
            method = options.get("indexType")
            name = link.text(1) or f"{bare}_{'_'.join(columns)}_index"
            yield ddl.create_index(table, columns, name=name, method=method if isinstance(method, str) else "")
        case "unique":
            options = link.mapping(1)
            given = options.get("indexName")
            name = link.text(1) or (given if isinstance(given, str) else f"{bare}_{'_'.join(columns)}_unique")
            yield ddl.add_constraint(table, f"UNIQUE ({ddl.names(columns)})", name=name)
        case "primary":
            yield ddl.add_constraint(table, f"PRIMARY KEY ({ddl.names(columns)})", name=link.text(1) or f"{bare}_pkey")
        case "foreign":
            reference, owner = chain.link("references"), chain.link("inTable", "on")
            target = texts(reference.args[0]) if reference is not None and reference.args else []
            other = owner.text(0) if owner is not None else (target[0].rpartition(".")[0] if target else None)
            keys = [t.rpartition(".")[2] for t in target]
            name = link.text(1) or f"{bare}_{'_'.join(columns)}_foreign"
            yield ddl.foreign_key(table, columns, referenced=other, referenced_columns=keys, name=name) if other else None
        case "dropColumn" | "dropColumns":
            names = [n for i in range(len(link.args)) for n in link.names(i)]
            yield ddl.alter(table, *(f"DROP COLUMN {ddl.name(n)}" for n in names)) if names else None
        case "dropTimestamps":
            yield ddl.alter(table, "DROP COLUMN created_at", "DROP COLUMN updated_at")
        case "renameColumn":
            old, new = link.text(0), link.text(1)
            yield ddl.rename_column(table, old, new) if old and new else None
        case "dropIndex":
            yield ddl.drop_index(link.text(1) or f"{bare}_{'_'.join(columns)}_index", table=table)
        case "dropUnique":
            yield ddl.drop_constraint(table, link.text(1) or f"{bare}_{'_'.join(columns)}_unique", kind="unique")
        case "dropForeign":
            yield ddl.drop_constraint(table, link.text(1) or f"{bare}_{'_'.join(columns)}_foreign", kind="foreign_key")
        case "dropPrimary":
            yield ddl.drop_constraint(table, link.text(0) or f"{bare}_pkey", kind="primary")
        case "setNullable" | "dropNullable":
            yield ddl.set_not_null(table, columns[0], is_not_null=link.method == "dropNullable") if columns else None
        case "check":
            yield ddl.add_constraint(table, f"CHECK ({link.text(0)})", name=link.text(2)) if link.text(0) else None
        case "dropChecks":
            yield from (ddl.drop_constraint(table, n) for n in columns)
        case "comment" | "engine" | "charset" | "collate" | "inherits":
            return
        case _:
            yield None
