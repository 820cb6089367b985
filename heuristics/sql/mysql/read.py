"""One statement of MySQL, MariaDB or SQLite in, its operations out."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from heuristics.sql.mysql.alter import alter_operations, key_definition
from heuristics.sql.mysql.columns import column_of
from heuristics.sql.mysql.tokens import Cursor, NotRead, Token, names_in, split_commas, tokens_of
from heuristics.sql.words import Action, Column, Constraint, Operation, Statement

_QUIET = frozenset(
    [
        "SET",
        "USE",
        "SHOW",
        "EXPLAIN",
        "DESCRIBE",
        "DESC",
        "GRANT",
        "REVOKE",
        "FLUSH",
        "ANALYZE",
        "CHECK",
        "PREPARE",
        "EXECUTE",
        "DEALLOCATE",
        "CALL",
        "DECLARE",
        "DELIMITER",
        "PRAGMA",
        "ATTACH",
        "DETACH",
        "SIGNAL",
        "HANDLER",
        "RESET",
        "KILL",
        "RELEASE",
        "SAVEPOINT",
    ]
)


def read_mysql(statement: Statement) -> tuple[Operation, ...]:
    """The operations of one statement, in written order; what is not understood is one that says so."""
    try:
        tokens = tokens_of(_without_executable_comment(statement.sql), statement.dialect)
    except NotRead as refused:
        return (_not_analysed(statement, str(refused)),)
    if not tokens:
        return ()
    found = tuple(_read(Cursor(tokens), statement))
    return found or (_not_analysed(statement, "it is not a statement that is known here"),)


def _without_executable_comment(sql: str) -> str:
    """`/*!40101 ... */` runs on the server."""
    if not sql.startswith("/*!"):
        return sql
    inner = sql[3:].removesuffix("*/").lstrip("0123456789")
    return inner.strip().removesuffix("*/")


def _not_analysed(statement: Statement, note: str) -> Operation:
    return Operation(statement=replace(statement, is_analysed=False, note=note), action=Action.NOT_ANALYSED)


def _read(cursor: Cursor, statement: Statement) -> Iterator[Operation]:
    opening = cursor.peek()
    match opening:
        case "ALTER":
            cursor.at += 1
            cursor.any_of("ONLINE", "IGNORE")
            if cursor.take("TABLE"):
                yield from alter_operations(cursor, statement)
            elif cursor.peek() in ("DATABASE", "SCHEMA", "USER", "VIEW", "EVENT", "PROCEDURE", "FUNCTION"):
                yield Operation(statement=statement, action=Action.OTHER, value=cursor.peek().lower(), object_kind="other")
        case "CREATE":
            cursor.at += 1
            yield from _create(cursor, statement)
        case "DROP":
            cursor.at += 1
            yield from _drop(cursor, statement)
        case "RENAME":
            cursor.take("RENAME", "TABLE")
            for part in split_commas(cursor.tokens[cursor.at :]):
                pair = Cursor(part)
                old = pair.name()
                pair.take("TO")
                yield Operation(statement=statement, action=Action.RENAME_TABLE, table=old, new_name=pair.name())
        case "TRUNCATE":
            cursor.at += 1
            cursor.take("TABLE")
            yield Operation(statement=statement, action=Action.TRUNCATE, table=cursor.name())
        case "OPTIMIZE" | "REPAIR" | "VACUUM":
            cursor.at += 1
            cursor.any_of("NO_WRITE_TO_BINLOG", "LOCAL")
            cursor.take("TABLE")
            yield Operation(statement=statement, action=Action.VACUUM_FULL, table=cursor.name() or None)
        case "LOCK":
            cursor.at += 1
            cursor.any_of("TABLES", "TABLE")
            for part in split_commas(cursor.tokens[cursor.at :]):
                named = Cursor(part)
                table = named.name()
                yield Operation(statement=statement, action=Action.LOCK_TABLE, table=table, value=part[-1].word)
        case "START" | "BEGIN" | "COMMIT" | "ROLLBACK" | "END":
            word = {"START": "begin", "END": "commit"}.get(opening, opening.lower())
            yield Operation(statement=statement, action=Action.TRANSACTION, value=word, object_kind="other")
        case "INSERT" | "REPLACE" | "UPDATE" | "DELETE" | "WITH" | "SELECT" | "LOAD":
            yield _data(cursor, statement)
        case "SET":
            yield _setting(cursor, statement)
        case "UNLOCK":
            yield Operation(statement=statement, action=Action.OTHER, value="unlock", object_kind="other")
        case _ if opening in _QUIET:
            yield Operation(statement=statement, action=Action.OTHER, value=opening.lower(), object_kind="other")
        case _:
            return


def _create(cursor: Cursor, statement: Statement) -> Iterator[Operation]:
    if cursor.take("OR", "REPLACE"):
        pass
    is_temporary = bool(cursor.any_of("TEMPORARY", "TEMP"))
    kind = cursor.any_of("UNIQUE", "FULLTEXT", "SPATIAL")
    if cursor.take("INDEX"):
        yield _index(cursor, statement, kind)
    elif cursor.take("TABLE"):
        yield _table(cursor, statement, is_temporary=is_temporary)
    elif cursor.take("TRIGGER"):
        cursor.take("IF", "NOT", "EXISTS")
        name = cursor.name()
        while not cursor.done and not cursor.take("ON"):
            cursor.at += 1
        yield Operation(statement=statement, action=Action.CREATE_TRIGGER, table=cursor.name() or None, name=name)
    elif cursor.peek() in ("VIEW", "ALGORITHM", "SQL", "DEFINER"):
        while not cursor.done and not cursor.any_of("VIEW", "PROCEDURE", "FUNCTION", "EVENT", "TRIGGER"):
            cursor.at += 1
        is_view = cursor.at > 0 and cursor.tokens[cursor.at - 1].word == "VIEW"
        action = Action.CREATE_VIEW if is_view else Action.CREATE_FUNCTION
        yield Operation(
            statement=statement,
            action=action,
            table=cursor.name() if is_view else None,
            object_kind="view" if is_view else "function",
        )
    elif cursor.any_of("PROCEDURE", "FUNCTION", "EVENT"):
        yield Operation(statement=statement, action=Action.CREATE_FUNCTION, name=cursor.name(), object_kind="function")
    elif cursor.any_of("DATABASE", "SCHEMA", "USER", "ROLE", "SERVER", "SEQUENCE", "VIRTUAL"):
        yield Operation(statement=statement, action=Action.OTHER, value="create", object_kind="other")


def _index(cursor: Cursor, statement: Statement, kind: str) -> Operation:
    exists = cursor.take("IF", "NOT", "EXISTS")
    name = cursor.name()
    if cursor.take("USING"):
        cursor.text()
    cursor.take("ON")
    table = cursor.name()
    columns = names_in(cursor.group())
    details: dict[str, str] = {}
    while not cursor.done:
        word = cursor.any_of("ALGORITHM", "LOCK")
        if word:
            cursor.take("=")
            details[word.lower()] = cursor.text().upper()
        else:
            cursor.at += 1
    return Operation(
        statement=statement,
        action=Action.CREATE_INDEX,
        table=table,
        name=name or None,
        columns=columns,
        object_kind="index",
        is_unique=kind == "UNIQUE",
        index_method=kind.lower() if kind in ("FULLTEXT", "SPATIAL") else "",
        if_not_exists=exists,
        has_where=any(t.word == "WHERE" for t in cursor.tokens),
        details=details,
    )


def _table(cursor: Cursor, statement: Statement, *, is_temporary: bool) -> Operation:
    exists = cursor.take("IF", "NOT", "EXISTS")
    table = cursor.name()
    columns: list[Column] = []
    constraints: list[Constraint] = []
    is_copy = any(t.word == "SELECT" for t in cursor.tokens)
    body = cursor.group()
    charset = _charset(cursor)
    for part in split_commas(body):
        own = key_definition(Cursor(part))
        if own is not None:
            constraints.append(own)
        elif part[0].word not in ("INDEX", "KEY", "FULLTEXT", "SPATIAL", "LIKE", "SELECT"):
            column = column_of(part)
            columns.append(column if column.collation else replace(column, collation=charset))
    return Operation(
        statement=statement,
        action=Action.CREATE_TABLE,
        table=table,
        columns=tuple(c.name for c in columns),
        defined=tuple(columns),
        constraints=(*(c for column in columns for c in column.constraints), *constraints),
        if_not_exists=exists,
        reads=_after(cursor.tokens, "FROM") if is_copy else (),
        details=({"temporary": "true"} if is_temporary else {}) | ({"with_data": "true"} if is_copy else {}),
    )


def _charset(cursor: Cursor) -> str:
    """The character set that the table's options name."""
    while not cursor.done:
        if cursor.take("CHARSET") or cursor.take("CHARACTER", "SET"):
            cursor.take("=")
            return cursor.text().lower()
        cursor.at += 1
    return ""


def _drop(cursor: Cursor, statement: Statement) -> Iterator[Operation]:
    cursor.any_of("TEMPORARY")
    kind = cursor.any_of(
        "TABLE", "INDEX", "VIEW", "TRIGGER", "DATABASE", "SCHEMA", "PROCEDURE", "FUNCTION", "EVENT", "USER", "SEQUENCE"
    )
    exists = cursor.take("IF", "EXISTS")
    if kind in ("TABLE", "VIEW"):
        action = Action.DROP_TABLE if kind == "TABLE" else Action.DROP_VIEW
        for part in split_commas(cursor.tokens[cursor.at :]):
            yield Operation(
                statement=statement,
                action=action,
                table=Cursor(part).name(),
                if_exists=exists,
                object_kind="table" if kind == "TABLE" else "view",
            )
    elif kind == "INDEX":
        name = cursor.name()
        table = cursor.name() if cursor.take("ON") else None
        yield Operation(
            statement=statement, action=Action.DROP_INDEX, table=table, name=name, object_kind="index", if_exists=exists
        )
    elif kind == "TRIGGER":
        yield Operation(statement=statement, action=Action.DROP_TRIGGER, name=cursor.name(), if_exists=exists)
    elif kind:
        yield Operation(
            statement=statement, action=Action.OTHER, value=f"drop {kind.lower()}", name=cursor.name(), object_kind="other"
        )


def _data(cursor: Cursor, statement: Statement) -> Operation:
    words = [t.word for t in cursor.tokens]
    opening = words[0] if words[0] != "WITH" else next((w for w in words if w in ("INSERT", "UPDATE", "DELETE")), "SELECT")
    tables = _after(
        cursor.tokens, {"INSERT": "INTO", "REPLACE": "INTO", "UPDATE": "UPDATE", "LOAD": "TABLE"}.get(opening, "FROM")
    )
    if opening == "INSERT" and not tables:
        tables = _after(cursor.tokens, "INSERT")
    target = tables[0] if tables else None
    action = {
        "INSERT": Action.INSERT,
        "REPLACE": Action.INSERT,
        "LOAD": Action.INSERT,
        "UPDATE": Action.UPDATE,
        "DELETE": Action.DELETE,
    }.get(opening, Action.SELECT)
    reads = tuple(t for t in (*_after(cursor.tokens, "FROM"), *_after(cursor.tokens, "JOIN")) if t != target)
    return Operation(
        statement=statement,
        action=action,
        table=target if action is not Action.SELECT else None,
        reads=reads,
        has_where="WHERE" in words,
        reads_columns=tuple(dict.fromkeys(t.text for t in cursor.tokens if t.kind in ("word", "name")))[:200],
        object_kind="table" if action is not Action.SELECT else "other",
    )


def _after(tokens: Sequence[Token], word: str) -> tuple[str, ...]:
    """The names that come right after a word."""
    found: list[str] = []
    cursor = Cursor(tokens)
    while not cursor.done:
        if cursor.take(word):
            cursor.any_of("IGNORE", "LOW_PRIORITY", "ONLY")
            name = cursor.name()
            if name:
                found.append(name)
        else:
            cursor.at += 1
    return tuple(found)


def _setting(cursor: Cursor, statement: Statement) -> Operation:
    cursor.at += 1
    cursor.any_of("SESSION", "LOCAL", "GLOBAL", "@@")
    name = cursor.name().lower()
    cursor.any_of("=", ":=")
    value = cursor.text()
    return Operation(
        statement=statement, action=Action.SET_SETTING, name=name, value=value, object_kind="other", details={"scope": "session"}
    )
