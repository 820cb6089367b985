"""Laravel migrations: the calls of `up` on Schema and Blueprint, each as its SQL."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from heuristics.sql.sources.chains import Chain, Function, Link, Php, Value
from heuristics.sql.sources.ddl import Ddl
from heuristics.sql.sources.syntax import below, end_line_of, everywhere, line_of, syntax_tree
from heuristics.sql.sources.written import ReadMigration, SourceFile, Written
from heuristics.sql.words import Action

if TYPE_CHECKING:
    from ast_grep_py import SgNode

Found = tuple[int, int, str | None, str | None]
_CALLS = ("member_call_expression", "scoped_call_expression", "function_call_expression")
_TYPES = {
    "text": "text", "mediumText": "text", "longText": "text", "integer": "integer", "unsignedInteger": "integer", "bigInteger": "bigint",
    "unsignedBigInteger": "bigint", "foreignId": "bigint", "smallInteger": "smallint", "tinyInteger": "smallint", "boolean": "boolean",
    "date": "date", "dateTime": "timestamp(0)", "timestamp": "timestamp(0)", "dateTimeTz": "timestamptz(0)", "timestampTz": "timestamptz(0)",
    "time": "time(0)", "float": "double precision", "double": "double precision", "json": "json", "jsonb": "jsonb", "uuid": "uuid",
    "foreignUuid": "uuid", "binary": "bytea", "ipAddress": "inet", "ulid": "char(26)", "foreignUlid": "char(26)", "year": "integer",
    "enum": "varchar(255)", "rememberToken": "varchar(100)", "unsignedSmallInteger": "smallint", "unsignedTinyInteger": "smallint", "mediumInteger": "integer",
    "unsignedMediumInteger": "integer", "tinyText": "varchar(255)", "timeTz": "timetz(0)", "macAddress": "macaddr", "set": "text", "tsvector": "tsvector",
    "geometry": "geometry", "geography": "geography", "unsignedFloat": "double precision", "unsignedDouble": "double precision",
}  # fmt: skip
_MYSQL = {
    "integer": "int", "unsignedInteger": "int unsigned", "unsignedBigInteger": "bigint unsigned", "foreignId": "bigint unsigned",
    "tinyInteger": "tinyint", "boolean": "tinyint(1)", "dateTime": "datetime", "timestamp": "timestamp", "json": "json", "jsonb": "json",
    "uuid": "char(36)", "binary": "blob", "longText": "longtext", "mediumText": "mediumtext", "smallInteger": "smallint", "unsignedSmallInteger": "smallint unsigned",
    "unsignedTinyInteger": "tinyint unsigned", "mediumInteger": "mediumint", "unsignedMediumInteger": "mediumint unsigned", "tinyText": "tinytext", "time": "time",
    "timeTz": "time", "dateTimeTz": "datetime", "timestampTz": "timestamp", "macAddress": "varchar(17)", "ipAddress": "varchar(45)", "foreignUuid": "char(36)",
    "float": "double", "double": "double", "unsignedFloat": "double unsigned", "unsignedDouble": "double unsigned", "year": "year", "geography": "geometry",
}  # fmt: skip
_KEYS = {
    "id": "bigserial", "increments": "serial", "bigIncrements": "bigserial", "mediumIncrements": "serial", "smallIncrements": "smallserial", "tinyIncrements": "smallserial",
}  # fmt: skip


def read_laravel(source: SourceFile) -> ReadMigration | None:
    """What the migration runs in `up`; None when the file is not one."""
    root = syntax_tree(source.text, "php")
    if root is None or ("Migration" not in source.text and "migration" not in source.text):
        return None
    up = next(
        (m for m in everywhere(root, "method_declaration") if (n := m.field("name")) is not None and n.text() == "up"), None
    )
    if up is None:
        return None
    is_loose = source.dialect != "postgres" or re.search(r"\$withinTransaction\s*=\s*false", source.text) is not None
    transaction = None if is_loose else f"{source.path}#migration"
    php = Php()
    written: list[Written] = []
    for node in below(up, *_CALLS):
        chain = php.chain(node)
        for line, end, sql, table in _statements(chain, node, Ddl(source.dialect), php):
            is_data = sql is None and chain.root.endswith("DB")
            start = chain.text_line if sql is not None and "\n" in sql and chain.text_line is not None else line
            written.append(
                Written(
                    sql=sql,
                    line=start,
                    end_line=start + sql.count("\n") if sql is not None and "\n" in sql else end,
                    transaction=transaction,
                    is_one_string=True,
                    table=table,
                    action=Action.DATA if is_data else None,
                    note="it moves rows" if is_data else "" if sql is not None else "its arguments are not literals",
                )
            )
    found = re.match(r"(\d{4}_\d{2}_\d{2}_\d+)", source.path.rpartition("/")[2])
    return ReadMigration(framework="laravel", migration_id=found.group(1) if found else None, written=tuple(written))


def _statements(chain: Chain, node: "SgNode", ddl: Ddl, php: Php) -> Iterator[Found]:
    line, end = line_of(node), end_line_of(node)
    if not chain.links:
        return
    link = next((x for x in chain.links if x.method in _SCHEMA), None)
    if chain.root.endswith("DB") or chain.first.method == "DB":
        raw = chain.link("statement", "unprepared")
        if raw is not None:
            yield line, end, raw.text(0), None
        elif chain.link("update", "delete", "insert", "insertUsing", "chunkById", "each", "upsert") is not None:
            owner = chain.link("table")
            yield line, end, None, owner.text(0) if owner is not None else None
        elif (inner := chain.first.function) is not None:
            for call in below(inner.body, *_CALLS):
                yield from _statements(php.chain(call), call, ddl, php)
        return
    if link is None:
        return
    table = link.text(0)
    if table is None:
        yield line, end, None, None
        return
    match link.method:
        case "create" | "table":
            function = link.function
            if function is not None and function.names:
                yield from _block(table, function, ddl, php, is_new=link.method == "create", line=line)
        case "drop" | "dropIfExists":
            yield line, end, ddl.drop_table(table, if_exists=link.method != "drop"), table
        case "rename":
            yield line, end, ddl.rename_table(table, link.text(1) or "?"), table
        case _:
            columns = [n for i in range(1, len(link.args)) for n in link.names(i)]
            yield line, end, ddl.alter(table, *(f"DROP COLUMN {ddl.name(n)}" for n in columns)), table


_SCHEMA = frozenset({"create", "table", "drop", "dropIfExists", "rename", "dropColumns"})


def _block(table: str, function: Function, ddl: Ddl, php: Php, *, is_new: bool, line: int) -> Iterator[Found]:
    columns: list[str] = []
    after: list[Found] = []
    for node in below(function.body, *_CALLS):
        chain = php.chain(node)
        if chain.root != function.names[0] or not chain.links:
            continue
        place = (line_of(node), end_line_of(node))
        own = _columns(chain, ddl)
        if own and chain.has("change"):
            after += [(*place, s, table) for s in _changed(table, chain, ddl)]
        elif own:
            if is_new:
                columns += own
            else:
                after += [(*place, ddl.alter(table, f"ADD COLUMN {c}"), table) for c in own]
            after += [(*place, s, table) for s in _extras(table, chain, ddl)]
        else:
            after += [(*place, s, table) for s in _calls(table, chain, ddl)]
    if is_new:
        yield line, line, ddl.create_table(table, columns), table
    yield from after


def _columns(chain: Chain, ddl: Ddl) -> list[str]:
    link = chain.first
    if link.method in ("timestamps", "timestampsTz", "nullableTimestamps"):
        return [ddl.column(n, _type("timestamp", link, ddl) or "timestamp") for n in ("created_at", "updated_at")]
    if link.method in ("softDeletes", "softDeletesTz"):
        return [ddl.column("deleted_at", _type("timestamp", link, ddl) or "timestamp")]
    if link.method in _KEYS:
        type_ = "bigint unsigned AUTO_INCREMENT" if ddl.is_mysql else _KEYS[link.method]
        return [f"{ddl.name(link.text(0) or 'id')} {type_} PRIMARY KEY"]
    if link.method in ("morphs", "nullableMorphs", "uuidMorphs") and (name := link.text(0)):
        null = link.method.startswith("nullable")
        kind = "uuid" if "uuid" in link.method else "bigint"
        return [ddl.column(f"{name}_type", "varchar(255)", is_nullable=null), ddl.column(f"{name}_id", kind, is_nullable=null)]
    name = link.text(0) or ("remember_token" if link.method == "rememberToken" else None)
    type_ = _type(link.method, link, ddl)
    if name is None or type_ is None:
        return []
    default = chain.link("default")
    written = _default(default.args[0], ddl) if default is not None and default.args else None
    if chain.has("useCurrent"):
        written = "CURRENT_TIMESTAMP"
    nullable = chain.link("nullable")
    is_nullable = nullable is not None and nullable.args[:1] != (False,)
    more = ""
    stored, virtual = chain.link("storedAs"), chain.link("virtualAs")
    if stored is not None or virtual is not None:
        text = (stored or virtual or link).text(0)
        more = f"GENERATED ALWAYS AS ({text}){' STORED' if stored is not None else ''}"
    return [ddl.column(name, type_, is_nullable=is_nullable, default=written, more=more)]


def _type(method: str, link: Link, ddl: Ddl) -> str | None:
    sizes = [a for a in link.args[1:] if isinstance(a, int) and not isinstance(a, bool)]
    if method in ("string", "char"):
        return f"{'varchar' if method == 'string' else 'char'}({sizes[0] if sizes else 255})"
    if method in ("decimal", "unsignedDecimal"):
        return f"decimal({sizes[0] if sizes else 8}, {sizes[1] if len(sizes) > 1 else 2})"
    if method == "vector":
        return f"vector({sizes[0]})" if sizes else "vector"
    return (_MYSQL.get(method) if ddl.is_mysql else None) or _TYPES.get(method)


def _default(value: Value, ddl: Ddl) -> str | None:
    if isinstance(value, Chain):
        raw = value.link("raw")
        return (raw.text(0) if raw is not None else None) or "unknown_default()"
    return ddl.literal(value) if isinstance(value, str | int | float) else None if value is None else "unknown_default()"


def _extras(table: str, chain: Chain, ddl: Ddl) -> Iterator[str]:
    name = chain.first.text(0) or ""
    if (index := chain.link("index")) is not None:
        yield ddl.create_index(table, [name], name=index.text(0) or f"{table}_{name}_index")
    if chain.has("unique"):
        yield ddl.add_constraint(table, f"UNIQUE ({ddl.name(name)})", name=f"{table}_{name}_unique")
    constrained = chain.link("constrained")
    if constrained is not None:
        target = constrained.text(0) or f"{name.removesuffix('_id')}s"
        yield ddl.foreign_key(table, [name], referenced=target, referenced_columns=["id"], name=f"{table}_{name}_foreign")


def _changed(table: str, chain: Chain, ddl: Ddl) -> Iterator[str]:
    """`->change()` says the whole column again."""
    name, type_ = chain.first.text(0) or "?", _type(chain.first.method, chain.first, ddl) or "unknown_type"
    nullable = chain.link("nullable")
    is_nullable = nullable is not None and nullable.args[:1] != (False,)
    yield ddl.alter_type(table, name, type_, is_nullable=is_nullable)
    if not ddl.is_mysql:
        yield ddl.set_not_null(table, name, is_not_null=not is_nullable)
        default = chain.link("default")
        yield ddl.set_default(table, name, _default(default.args[0], ddl) if default is not None and default.args else None)


def _calls(table: str, chain: Chain, ddl: Ddl) -> Iterator[str | None]:
    link = chain.first
    columns = link.names(0)
    given = (link.options or {}).get("name")
    name = link.text(1) or (given if isinstance(given, str) else None)
    joined = "_".join(columns)
    match link.method:
        case "index" | "fullText" | "spatialIndex" | "rawIndex":
            method = (
                {"fullText": "fulltext", "spatialIndex": "spatial"}.get(link.method, "") if ddl.is_mysql else link.text(2) or ""
            )
            yield ddl.create_index(table, columns, name=name or f"{table}_{joined}_index", method=method)
        case "unique":
            yield ddl.add_constraint(table, f"UNIQUE ({ddl.names(columns)})", name=name or f"{table}_{joined}_unique")
        case "primary":
            yield ddl.add_constraint(table, f"PRIMARY KEY ({ddl.names(columns)})", name=None)
        case "foreign":
            target, keys = chain.link("on"), chain.link("references")
            if target is None or target.text(0) is None:
                yield None
                return
            own = keys.names(0) if keys is not None else ["id"]
            yield ddl.foreign_key(
                table, columns, referenced=target.text(0) or "?", referenced_columns=own, name=name or f"{table}_{joined}_foreign"
            )
        case "dropColumn" | "removeColumn":
            names = [n for i in range(len(link.args)) for n in link.names(i)]
            yield ddl.alter(table, *(f"DROP COLUMN {ddl.name(n)}" for n in names)) if names else None
        case "dropTimestamps" | "dropTimestampsTz":
            yield ddl.alter(table, "DROP COLUMN created_at", "DROP COLUMN updated_at")
        case "dropSoftDeletes":
            yield ddl.alter(table, "DROP COLUMN deleted_at")
        case "renameColumn":
            old, new = link.text(0), link.text(1)
            yield ddl.rename_column(table, old, new) if old and new else None
        case "dropIndex" | "dropFullText":
            is_list = bool(link.args) and isinstance(link.args[0], tuple)
            yield ddl.drop_index(f"{table}_{joined}_index" if is_list else (columns or ["?"])[0], table=table)
        case "dropUnique" | "dropForeign" | "dropPrimary":
            kind = {"dropUnique": "unique", "dropForeign": "foreign", "dropPrimary": "primary"}[link.method]
            is_list = bool(link.args) and isinstance(link.args[0], tuple)
            own = f"{table}_{joined}_{kind}" if is_list else (columns or [f"{table}_pkey"])[0]
            yield ddl.drop_constraint(table, own, kind="foreign_key" if kind == "foreign" else kind)
        case "dropConstrainedForeignId":
            yield ddl.drop_constraint(table, f"{table}_{joined}_foreign", kind="foreign_key")
            yield ddl.alter(table, *(f"DROP COLUMN {ddl.name(n)}" for n in columns))
        case "renameIndex":
            old, new = link.text(0), link.text(1)
            if ddl.is_mysql:
                yield ddl.alter(table, f"RENAME INDEX {ddl.name(old or '?')} TO {ddl.name(new or '?')}")
            else:
                yield f"ALTER INDEX {ddl.name(old or '?')} RENAME TO {ddl.name(new or '?')}"
        case "comment" | "engine" | "charset" | "collation" | "temporary":
            return
        case _:
            yield None
