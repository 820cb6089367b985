"""One Liquibase change in, its SQL out."""

# ruff: noqa: S608 - this SQL is what a migration would run; it is read, and never sent anywhere

from collections.abc import Iterator

from heuristics.sql.sources.ddl import Ddl
from heuristics.sql.sources.liquibase_text import Element
from heuristics.sql.sources.written import SourceFile

Found = tuple[str | None, str | None]

_QUIET = frozenset(
    {"tagDatabase", "empty", "output", "setTableRemarks", "setColumnRemarks", "stop", "customChange", "executeCommand"}
)


def change_sql(change: Element, ddl: Ddl, source: SourceFile) -> Iterator[Found]:
    """The statements of one change."""
    schema, bare = change.text("schemaName"), change.text("tableName") or change.text("baseTableName")
    table = f"{schema}.{bare}" if schema and bare else bare
    match change.name:
        case "sql":
            yield change.text("sql") or change.content, None
        case "sqlFile":
            yield _file(change, source), None
        case "createIndex" if table:
            keys = [_name(c) + (" DESC" if c.text("descending") == "true" else "") for c in _columns(change)]
            yield ddl.create_index(table, keys, name=change.text("indexName"), is_unique=change.text("unique") == "true"), table
        case "dropIndex":
            name = change.text("indexName")
            yield (ddl.drop_index(name, table=table) if name else None), table
        case "addColumn" if table:
            for column in _columns(change):
                yield from _add_column(table, column, ddl)
        case "dropColumn" if table:
            names = [n for n in (change.text("columnName"), *(_name(c) for c in _columns(change))) if n]
            yield ddl.alter(table, *(f"DROP COLUMN {ddl.name(n)}" for n in names)), table
        case "renameColumn" if table:
            yield ddl.rename_column(table, change.text("oldColumnName") or "?", change.text("newColumnName") or "?"), table
        case "renameTable":
            old = change.text("oldTableName") or "?"
            yield ddl.rename_table(old, change.text("newTableName") or "?"), old
        case "modifyDataType" if table:
            yield ddl.alter_type(table, change.text("columnName") or "?", change.text("newDataType") or "?"), table
        case "addNotNullConstraint" if table:
            column, value = change.text("columnName") or "?", change.text("defaultNullValue")
            if value is not None:
                yield (
                    f"UPDATE {ddl.name(table)} SET {ddl.name(column)} = {ddl.literal(value)} WHERE {ddl.name(column)} IS NULL",
                    table,
                )
            yield ddl.set_not_null(table, column, is_not_null=True, type_=change.text("columnDataType")), table
        case "dropNotNullConstraint" if table:
            column = change.text("columnName") or "?"
            yield ddl.set_not_null(table, column, is_not_null=False, type_=change.text("columnDataType")), table
        case "addDefaultValue" if table:
            yield ddl.set_default(table, change.text("columnName") or "?", _default(change, ddl)), table
        case "dropDefaultValue" if table:
            yield ddl.set_default(table, change.text("columnName") or "?", None), table
        case _ if change.name in _QUIET:
            return
        case _:
            yield from _table_change(change, ddl, table)


def _table_change(change: Element, ddl: Ddl, table: str | None) -> Iterator[Found]:
    """Changes of whole tables, their keys and their rows, and of what is no table."""
    match change.name:
        case "addForeignKeyConstraint" if table:
            yield (
                ddl.foreign_key(
                    table,
                    _split(change.text("baseColumnNames")),
                    referenced=change.text("referencedTableName") or "?",
                    referenced_columns=_split(change.text("referencedColumnNames")),
                    name=change.text("constraintName"),
                    is_valid=change.text("validate") != "false",
                ),
                table,
            )
        case "addUniqueConstraint" | "addPrimaryKey" if table:
            word = "UNIQUE" if change.name == "addUniqueConstraint" else "PRIMARY KEY"
            body = f"{word} ({ddl.names(_split(change.text('columnNames')))})"
            yield ddl.add_constraint(table, body, name=change.text("constraintName")), table
        case "dropForeignKeyConstraint" | "dropUniqueConstraint" | "dropPrimaryKey" if table:
            kind = {"dropForeignKeyConstraint": "foreign_key", "dropPrimaryKey": "primary"}.get(change.name, "unique")
            yield ddl.drop_constraint(table, change.text("constraintName") or f"{table}_pkey", kind=kind), table
        case "createTable" if table:
            body = [text for c in _columns(change) if (text := _column(c, ddl)) is not None]
            yield ddl.create_table(table, body), table
        case "dropTable" if table:
            yield ddl.drop_table(table, is_cascade=change.text("cascadeConstraints") == "true"), table
        case "update" | "delete" if table:
            where = change.text("where")
            tail = f" WHERE {where}" if where else ""
            sets = ", ".join(f"{ddl.name(_name(c))} = {_default(c, ddl) or 'NULL'}" for c in _columns(change))
            yield (
                (
                    f"UPDATE {ddl.name(table)} SET {sets}{tail}"
                    if change.name == "update"
                    else f"DELETE FROM {ddl.name(table)}{tail}"
                ),
                table,
            )
        case "insert" | "loadData" | "loadUpdateData" if table:
            yield f"INSERT INTO {ddl.name(table)} {'VALUES ()' if ddl.is_mysql else 'DEFAULT VALUES'}", table
        case "createView":
            yield (
                f"CREATE VIEW {ddl.name(change.text('viewName') or '?')} AS {change.text('selectQuery') or change.content}",
                None,
            )
        case "dropView":
            yield f"DROP VIEW {ddl.name(change.text('viewName') or '?')}", None
        case "createSequence":
            yield f"CREATE SEQUENCE {ddl.name(change.text('sequenceName') or '?')}", None
        case "dropSequence":
            yield f"DROP SEQUENCE {ddl.name(change.text('sequenceName') or '?')}", None
        case "createProcedure":
            yield change.text("procedureBody") or change.content, None
        case _:
            yield None, table


def _file(change: Element, source: SourceFile) -> str | None:
    path = change.text("path") or ""
    folder = source.path.rpartition("/")[0]
    for candidate in (f"{folder}/{path}".lstrip("/"), path):
        text = source.tree.text(candidate)
        if text is not None:
            return text
    return None


def _columns(change: Element) -> list[Element]:
    """`<column .../>`, or YAML's `columns: - column: {...}`."""
    found = [c for c in change.children if c.name == "column"]
    for group in (c for c in change.children if c.name == "columns"):
        for item in group.children:
            found += [c for c in item.children if c.name == "column"] or [item]
    return found


def _name(column: Element) -> str:
    return column.text("name") or "?"


def _split(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def _default(column: Element, ddl: Ddl) -> str | None:
    computed = column.text("defaultValueComputed") or column.text("valueComputed")
    if computed is not None:
        return computed
    for key in ("defaultValueNumeric", "valueNumeric", "defaultValueBoolean", "valueBoolean"):
        if (value := column.text(key)) is not None:
            return value
    for key in ("defaultValue", "value", "defaultValueDate", "valueDate"):
        if (value := column.text(key)) is not None:
            return ddl.literal(value)
    return None


def _column(column: Element, ddl: Ddl) -> str | None:
    type_ = column.text("type")
    if type_ is None:
        return None
    constraints = column.child("constraints")
    is_nullable, more = True, ""
    if constraints is not None:
        is_key = constraints.text("primaryKey") == "true"
        is_nullable = constraints.text("nullable") != "false" and not is_key
        more = "PRIMARY KEY" if is_key else "UNIQUE" if constraints.text("unique") == "true" else ""
        references = constraints.text("references")
        if references is None and (target := constraints.text("referencedTableName")) is not None:
            references = f"{target}({constraints.text('referencedColumnNames') or 'id'})"
        if references:
            more = f"{more} REFERENCES {references}".strip()
    if column.text("autoIncrement") == "true":
        more = f"{'AUTO_INCREMENT' if ddl.is_mysql else 'GENERATED BY DEFAULT AS IDENTITY'} {more}".strip()
    known = {"datetime": "timestamp", "clob": "text", "blob": "bytea", "double": "double precision", "currency": "numeric(19,2)"}
    if not ddl.is_mysql:
        type_ = known.get(type_.lower(), type_)
    return ddl.column(_name(column), type_, is_nullable=is_nullable, default=_default(column, ddl), more=more)


def _add_column(table: str, column: Element, ddl: Ddl) -> Iterator[Found]:
    text = _column(column, ddl)
    yield (ddl.alter(table, f"ADD COLUMN {text}") if text else None), table
    for key in ("value", "valueNumeric", "valueBoolean", "valueComputed"):
        if (value := column.text(key)) is not None:
            written = value if key != "value" else ddl.literal(value)
            yield f"UPDATE {ddl.name(table)} SET {ddl.name(_name(column))} = {written}", table
