"""ALTER TABLE of MySQL, MariaDB and SQLite: each clause is one operation."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from heuristics.sql.mysql.columns import column_of
from heuristics.sql.mysql.tokens import Cursor, Token, joined, names_in, split_commas
from heuristics.sql.words import Action, Column, Constraint, Operation, Statement

_KEYS = ("INDEX", "KEY")


def alter_operations(cursor: Cursor, statement: Statement) -> Iterator[Operation]:
    """The operations of an ALTER TABLE whose first words have been read."""
    exists = {"table_if_exists": "true"} if cursor.take("IF", "EXISTS") else {}
    table = cursor.name()
    clauses = split_commas(cursor.tokens[cursor.at :])
    asked = {k: v for clause in clauses for k, v in _asked(clause)}
    found = [op for clause in clauses for op in _clause(Cursor(_without_asked(clause)), statement, table)]
    together = _together(found)
    for operation in found:
        yield replace(operation, details={**operation.details, **exists, **asked, **together})


def _together(found: Sequence[Operation]) -> dict[str, str]:
    """What the clauses of one statement do to each other's cost (measured)."""
    actions = {op.action for op in found}
    drops_key = any(op.action is Action.DROP_CONSTRAINT and op.value == "primary_key" for op in found)
    if drops_key and Action.ADD_PRIMARY_KEY in actions:
        return {"together": "key is replaced"}
    if Action.ADD_COLUMN in actions and actions & {Action.CREATE_INDEX, Action.ADD_UNIQUE}:
        return {"together": "column and index"}
    return {}


def _asked(clause: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """ALGORITHM=..., LOCK=... of the whole statement."""
    cursor = Cursor(clause)
    while not cursor.done:
        word = cursor.any_of("ALGORITHM", "LOCK")
        if word:
            cursor.take("=")
            yield word.lower(), cursor.text().upper()
        else:
            cursor.at += 1


def _without_asked(clause: Sequence[Token]) -> Sequence[Token]:
    return [] if clause and clause[0].word in ("ALGORITHM", "LOCK") else clause


def _clause(cursor: Cursor, statement: Statement, table: str) -> Iterator[Operation]:
    def made(action: Action, **more: object) -> Operation:
        return replace(Operation(statement=statement, action=action, table=table), **more)  # pyright: ignore[reportArgumentType] - the fields of an operation

    if cursor.done:
        return
    if cursor.take("ADD"):
        yield from _add(cursor, statement, table)
    elif cursor.take("DROP"):
        yield _drop(cursor, statement, table)
    elif cursor.any_of("MODIFY", "CHANGE"):
        is_change = cursor.tokens[cursor.at - 1].word == "CHANGE"
        cursor.take("COLUMN")
        cursor.take("IF", "EXISTS")
        old = cursor.name() if is_change else ""
        column = column_of(cursor.tokens[cursor.at :])
        if is_change and old.lower() != column.name.lower():
            yield made(Action.RENAME_COLUMN, columns=(old,), new_name=column.name)
        yield _typed(made(Action.ALTER_TYPE, columns=(column.name,)), column)
    elif cursor.take("ALTER"):
        yield _alter(cursor, statement, table)
    elif cursor.take("RENAME"):
        yield _rename(cursor, statement, table)
    elif cursor.take("CONVERT"):
        yield made(Action.REWRITE_TABLE, value="charset")
    elif cursor.any_of("ENGINE", "ROW_FORMAT", "FORCE", "KEY_BLOCK_SIZE", "TABLESPACE"):
        yield made(Action.REWRITE_TABLE, value="rebuild")
    elif cursor.any_of("ORDER", "DISCARD", "IMPORT", "REMOVE", "PARTITION"):
        yield made(Action.REWRITE_TABLE, value="copy")
    elif cursor.any_of("REORGANIZE", "COALESCE", "REBUILD", "REPAIR"):
        yield made(Action.REWRITE_TABLE, value="partition")
    elif cursor.any_of("TRUNCATE"):
        yield made(Action.TRUNCATE)
    else:
        yield made(Action.SET_TABLE_OPTIONS, value=cursor.peek())


def _typed(operation: Operation, column: Column) -> Operation:
    return replace(
        operation,
        column=column,
        column_type=column.type,
        is_not_null=column.is_not_null,
        has_default=column.default is not None,
        default=column.default,
    )


def _add(cursor: Cursor, statement: Statement, table: str) -> Iterator[Operation]:
    found = key_definition(cursor)
    if found is not None:
        yield constraint_operation(found, statement, table)
        return
    if cursor.any_of("FULLTEXT", "SPATIAL"):
        method = cursor.tokens[cursor.at - 1].text.lower()
        cursor.any_of(*_KEYS)
        yield _index(cursor, statement, table, method=method)
        return
    if cursor.any_of(*_KEYS):
        yield _index(cursor, statement, table, method="")
        return
    if cursor.take("PARTITION"):
        yield Operation(statement=statement, action=Action.ATTACH_PARTITION, table=table)
        return
    cursor.take("COLUMN")
    exists = cursor.take("IF", "NOT", "EXISTS")
    parts = split_commas(cursor.group()) if cursor.peek() == "(" else [list(cursor.tokens[cursor.at :])]
    for part in parts:
        column = column_of(part)
        operation = Operation(
            statement=statement,
            action=Action.ADD_COLUMN,
            table=table,
            columns=(column.name,),
            if_not_exists=exists,
            constraints=column.constraints,
            referenced_table=next((c.referenced_table for c in column.constraints if c.referenced_table), None),
            is_unique=any(c.kind == "unique" for c in column.constraints),
            default_is_volatile=bool(column.default_functions),
        )
        yield _typed(operation, column)


def _index(cursor: Cursor, statement: Statement, table: str, *, method: str) -> Operation:
    exists = cursor.take("IF", "NOT", "EXISTS")
    name = cursor.name() if cursor.peek() not in ("(", "USING") else ""
    if cursor.take("USING"):
        cursor.text()
    return Operation(
        statement=statement,
        action=Action.CREATE_INDEX,
        table=table,
        name=name or None,
        columns=names_in(cursor.group()),
        object_kind="index",
        index_method=method,
        if_not_exists=exists,
    )


def key_definition(cursor: Cursor) -> Constraint | None:
    """A constraint of a table, when one comes: `CONSTRAINT x UNIQUE (...)`, `FOREIGN KEY`, `CHECK` ..."""
    start = cursor.at
    name = ""
    if cursor.take("CONSTRAINT") and cursor.peek() not in ("UNIQUE", "PRIMARY", "FOREIGN", "CHECK"):
        name = cursor.name()
    if cursor.take("PRIMARY", "KEY"):
        cursor.take("USING", "BTREE")
        return Constraint(kind="primary_key", name=name or None, columns=names_in(cursor.group()))
    if cursor.take("UNIQUE"):
        cursor.any_of(*_KEYS)
        own = cursor.name() if cursor.peek() != "(" else ""
        return Constraint(kind="unique", name=own or name or None, columns=names_in(cursor.group()))
    if cursor.take("FOREIGN", "KEY"):
        own = cursor.name() if cursor.peek() != "(" else ""
        columns = names_in(cursor.group())
        cursor.take("REFERENCES")
        table = cursor.name()
        return Constraint(
            kind="foreign_key",
            name=name or own or None,
            columns=columns,
            referenced_table=table,
            referenced_columns=names_in(cursor.group()),
        )
    if cursor.take("CHECK"):
        inner = cursor.group()
        columns = tuple(dict.fromkeys(t.text for t in inner if t.kind in ("word", "name")))
        return Constraint(kind="check", name=name or None, columns=columns, text=joined(inner))
    cursor.at = start
    return None


_ADDS = {
    "primary_key": Action.ADD_PRIMARY_KEY,
    "unique": Action.ADD_UNIQUE,
    "foreign_key": Action.ADD_FOREIGN_KEY,
    "check": Action.ADD_CHECK,
    "exclude": Action.ADD_EXCLUSION,
    "not_null": Action.SET_NOT_NULL,
}


def constraint_operation(found: Constraint, statement: Statement, table: str) -> Operation:
    """ADD of a constraint."""
    return Operation(
        statement=statement,
        action=_ADDS[found.kind],
        table=table,
        name=found.name,
        columns=found.columns,
        referenced_table=found.referenced_table,
        constraint=found,
        is_unique=found.kind in ("unique", "primary_key"),
    )


def _drop(cursor: Cursor, statement: Statement, table: str) -> Operation:
    if cursor.take("PRIMARY", "KEY"):
        return Operation(statement=statement, action=Action.DROP_CONSTRAINT, table=table, name="PRIMARY", value="primary_key")
    if cursor.take("FOREIGN", "KEY"):
        exists = cursor.take("IF", "EXISTS")
        return Operation(
            statement=statement,
            action=Action.DROP_CONSTRAINT,
            table=table,
            name=cursor.name(),
            value="foreign_key",
            if_exists=exists,
        )
    if cursor.any_of(*_KEYS):
        exists = cursor.take("IF", "EXISTS")
        return Operation(
            statement=statement, action=Action.DROP_INDEX, table=table, name=cursor.name(), object_kind="index", if_exists=exists
        )
    if cursor.any_of("CONSTRAINT", "CHECK"):
        exists = cursor.take("IF", "EXISTS")
        return Operation(statement=statement, action=Action.DROP_CONSTRAINT, table=table, name=cursor.name(), if_exists=exists)
    if cursor.take("PARTITION"):
        return Operation(statement=statement, action=Action.DETACH_PARTITION, table=table, name=cursor.name(), value="drop")
    cursor.take("COLUMN")
    exists = cursor.take("IF", "EXISTS")
    return Operation(statement=statement, action=Action.DROP_COLUMN, table=table, columns=(cursor.name(),), if_exists=exists)


def _alter(cursor: Cursor, statement: Statement, table: str) -> Operation:
    if cursor.any_of(*_KEYS):
        return Operation(
            statement=statement,
            action=Action.SET_INDEX_OPTIONS,
            table=table,
            name=cursor.name(),
            object_kind="index",
            value=cursor.peek(),
        )
    cursor.take("COLUMN")
    column = cursor.name()
    if cursor.take("DROP", "DEFAULT"):
        return Operation(statement=statement, action=Action.DROP_DEFAULT, table=table, columns=(column,))
    cursor.take("SET")
    cursor.take("DEFAULT")
    default = joined(cursor.tokens[cursor.at :])
    return Operation(
        statement=statement, action=Action.SET_DEFAULT, table=table, columns=(column,), has_default=True, default=default
    )


def _rename(cursor: Cursor, statement: Statement, table: str) -> Operation:
    if cursor.take("COLUMN"):
        old = cursor.name()
        cursor.take("TO")
        return Operation(statement=statement, action=Action.RENAME_COLUMN, table=table, columns=(old,), new_name=cursor.name())
    if cursor.any_of(*_KEYS):
        old = cursor.name()
        cursor.take("TO")
        return Operation(
            statement=statement, action=Action.RENAME_INDEX, table=table, name=old, new_name=cursor.name(), object_kind="index"
        )
    cursor.any_of("TO", "AS")
    first = cursor.name()
    if cursor.take("TO"):  # SQLite: RENAME a TO b
        return Operation(statement=statement, action=Action.RENAME_COLUMN, table=table, columns=(first,), new_name=cursor.name())
    return Operation(statement=statement, action=Action.RENAME_TABLE, table=table, new_name=first)
