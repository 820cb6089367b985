"""A column definition of MySQL or SQLite."""

from collections.abc import Sequence

from heuristics.sql.mysql.tokens import Cursor, Token, joined, names_in
from heuristics.sql.words import Column, Constraint

_STOPS = frozenset(
    [
        "NOT",
        "NULL",
        "DEFAULT",
        "AUTO_INCREMENT",
        "AUTOINCREMENT",
        "PRIMARY",
        "UNIQUE",
        "KEY",
        "COMMENT",
        "COLLATE",
        "GENERATED",
        "AS",
        "REFERENCES",
        "CHECK",
        "ON",
        "FIRST",
        "AFTER",
        "CONSTRAINT",
        "CHARACTER",
        "CHARSET",
        "VISIBLE",
        "INVISIBLE",
        "STORED",
        "VIRTUAL",
        "PERSISTENT",
        "COLUMN_FORMAT",
        "STORAGE",
    ]
)


def column_of(tokens: Sequence[Token]) -> Column:
    """The column; its type is upper-case words with their arguments."""
    cursor = Cursor(tokens)
    name = cursor.text()
    type_: list[str] = []
    while not cursor.done and cursor.peek() not in _STOPS:
        if cursor.peek() == "(":
            inner = cursor.group()
            arguments = ",".join("'" + t.text + "'" if t.kind == "string" else t.text for t in inner if t.word != ",")
            type_[-1:] = [f"{type_[-1] if type_ else ''}({arguments})"]
        else:
            type_.append(cursor.text().lower())
    return _attributes(cursor, name, " ".join(type_))


def _attributes(cursor: Cursor, name: str, type_: str) -> Column:
    is_not_null, default, functions, is_auto, generated, collation = False, None, (), False, "", ""
    constraints: list[Constraint] = []
    while not cursor.done:
        if cursor.take("NOT", "NULL"):
            is_not_null = True
        elif cursor.take("DEFAULT"):
            default, functions = _default(cursor)
        elif cursor.any_of("AUTO_INCREMENT", "AUTOINCREMENT"):
            is_auto = True
        elif cursor.take("PRIMARY", "KEY"):
            constraints.append(Constraint(kind="primary_key", columns=(name,)))
            is_not_null = True
        elif cursor.take("UNIQUE"):
            cursor.take("KEY")
            constraints.append(Constraint(kind="unique", columns=(name,)))
        elif cursor.take("REFERENCES"):
            table = cursor.name()
            constraints.append(
                Constraint(
                    kind="foreign_key", columns=(name,), referenced_table=table, referenced_columns=names_in(cursor.group())
                )
            )
        elif cursor.take("CHECK"):
            constraints.append(Constraint(kind="check", columns=(name,), text=joined(cursor.group())))
        elif cursor.take("AS"):
            cursor.group()
            generated = "virtual"
        elif cursor.any_of("STORED", "PERSISTENT"):
            generated = "stored"
        elif cursor.take("COLLATE") or cursor.take("CHARACTER", "SET") or cursor.take("CHARSET"):
            collation = cursor.text()
        elif cursor.take("ON", "UPDATE"):
            cursor.text()
            cursor.group()
        else:
            cursor.at += 1
    return Column(
        name=name,
        type=type_,
        is_not_null=is_not_null,
        default=default,
        default_functions=functions,
        is_identity=is_auto,
        generated="stored" if generated == "stored" else "virtual" if generated else "",
        collation=collation,
        constraints=tuple(constraints),
    )


def _default(cursor: Cursor) -> tuple[str | None, tuple[str, ...]]:
    """A literal, CURRENT_TIMESTAMP, or an expression in parentheses."""
    if cursor.peek() == "(":
        inner = cursor.group()
        return f"({joined(inner)})", ("expression",)
    if cursor.take("NULL"):
        return None, ()
    token = cursor.tokens[cursor.at : cursor.at + 1]
    sign = cursor.any_of("-", "+")
    text = cursor.text()
    cursor.group()
    is_text = bool(token) and token[0].kind == "string"
    return ("'" + text + "'" if is_text else f"{sign}{text}"), ()
