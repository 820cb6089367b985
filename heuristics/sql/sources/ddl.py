"""Writes the SQL of a schema operation in the dialect of the server, as the frameworks' own compilers do."""

import re
from collections.abc import Sequence

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.sql.words import Dialect

_PLAIN = pattern(r"[a-z_][a-z0-9_$]*")
_RESERVED = frozenset(
    [
        "all",
        "analyse",
        "analyze",
        "and",
        "any",
        "array",
        "as",
        "asc",
        "asymmetric",
        "both",
        "case",
        "cast",
        "check",
        "collate",
        "column",
        "constraint",
        "create",
        "current_date",
        "current_role",
        "current_time",
        "current_timestamp",
        "current_user",
        "default",
        "deferrable",
        "desc",
        "distinct",
        "do",
        "else",
        "end",
        "except",
        "false",
        "fetch",
        "for",
        "foreign",
        "from",
        "grant",
        "group",
        "having",
        "in",
        "initially",
        "intersect",
        "into",
        "lateral",
        "leading",
        "limit",
        "localtime",
        "localtimestamp",
        "not",
        "null",
        "offset",
        "on",
        "only",
        "or",
        "order",
        "placing",
        "primary",
        "references",
        "returning",
        "select",
        "session_user",
        "some",
        "symmetric",
        "table",
        "then",
        "to",
        "trailing",
        "true",
        "union",
        "unique",
        "user",
        "using",
        "variadic",
        "when",
        "where",
        "window",
        "with",
        "key",
        "index",
    ]
)


class Ddl(Record):
    """One dialect's way of writing; unknown is written as PostgreSQL."""

    dialect: Dialect

    @property
    def is_mysql(self) -> bool:
        """MySQL and MariaDB quote and alter in their own way."""
        return self.dialect in ("mysql", "mariadb")

    def name(self, text: str) -> str:
        """An identifier, each part quoted where it must be."""
        quote = "`" if self.is_mysql else '"'
        return ".".join(
            p if _PLAIN.fullmatch(p) and p not in _RESERVED else quote + p.replace(quote, quote * 2) + quote
            for p in text.split(".")
        )

    def names(self, texts: Sequence[str]) -> str:
        """A list of identifiers."""
        return ", ".join(self.name(t) for t in texts)

    def literal(self, value: object) -> str:
        """A value as a SQL literal."""
        match value:
            case None:
                return "NULL"
            case bool():
                return ("1" if value else "0") if self.is_mysql else ("true" if value else "false")
            case int() | float():
                return str(value)
            case _:
                return "'" + str(value).replace("'", "''") + "'"

    def create_index(
        self,
        table: str,
        keys: Sequence[str],
        *,
        name: str | None,
        is_unique: bool = False,
        is_concurrent: bool = False,
        if_not_exists: bool = False,
        method: str = "",
        where: str = "",
    ) -> str:
        """CREATE INDEX; a key that is no identifier is an expression."""
        parts = ["CREATE", "UNIQUE INDEX" if is_unique else "INDEX"]
        if not self.is_mysql:
            parts += ["CONCURRENTLY"] if is_concurrent else []
            parts += ["IF NOT EXISTS"] if if_not_exists else []
        if self.is_mysql and method.upper() in ("FULLTEXT", "SPATIAL"):
            parts, method = ["CREATE", method.upper(), "INDEX"], ""
        parts += [self.name(name)] if name else []
        parts += ["ON", self.name(table)]
        parts += [f"USING {method}"] if method and not self.is_mysql and self.dialect != "sqlite" else []
        parts.append(f"({', '.join(self.key(k) for k in keys)})")
        parts += [f"WHERE {where}"] if where and not self.is_mysql else []
        return " ".join(parts)

    def key(self, text: str) -> str:
        """An index key: a column, or an expression in parentheses."""
        if re.fullmatch(r"[\w$]+", text):
            return self.name(text)
        found = re.fullmatch(r"([\w$]+)((?:\s+(?:asc|desc|nulls\s+first|nulls\s+last|[a-z_]+_ops))+)", text, re.IGNORECASE)
        if found is not None:
            return f"{self.name(found.group(1))}{found.group(2)}"
        return (
            text
            if text.startswith("(") or re.fullmatch(r"\w+\(.*\)(?:\s+(?:asc|desc))?", text, re.IGNORECASE | re.DOTALL)
            else f"({text})"
        )

    def drop_index(self, name: str, *, table: str | None, is_concurrent: bool = False, if_exists: bool = False) -> str:
        """DROP INDEX."""
        if self.is_mysql:
            return f"DROP INDEX {self.name(name)} ON {self.name(table or '?')}"
        middle = ("CONCURRENTLY " if is_concurrent else "") + ("IF EXISTS " if if_exists else "")
        return f"DROP INDEX {middle}{self.name(name)}"

    def alter(self, table: str, *actions: str) -> str:
        """ALTER TABLE with its actions."""
        return f"ALTER TABLE {self.name(table)} {', '.join(actions)}"

    def column(
        self,
        name: str,
        type_: str,
        *,
        is_nullable: bool = True,
        default: str | None = None,
        more: str = "",
    ) -> str:
        """A column definition; `default` is SQL."""
        text = f"{self.name(name)} {type_}"
        text += f" DEFAULT {default}" if default is not None else ""
        text += "" if is_nullable else " NOT NULL"
        return f"{text} {more}".rstrip()

    def alter_type(self, table: str, column: str, type_: str, *, using: str = "", is_nullable: bool = True) -> str:
        """A type change; MySQL says the whole column again."""
        if self.is_mysql:
            return self.alter(table, f"MODIFY COLUMN {self.name(column)} {type_}{'' if is_nullable else ' NOT NULL'}")
        return self.alter(table, f"ALTER COLUMN {self.name(column)} TYPE {type_}{f' USING {using}' if using else ''}")

    def set_not_null(self, table: str, column: str, *, is_not_null: bool, type_: str | None = None) -> str:
        """SET or DROP NOT NULL."""
        if self.is_mysql:
            return self.alter(
                table, f"MODIFY COLUMN {self.name(column)} {type_ or 'unknown_type'} {'NOT NULL' if is_not_null else 'NULL'}"
            )
        return self.alter(table, f"ALTER COLUMN {self.name(column)} {'SET' if is_not_null else 'DROP'} NOT NULL")

    def set_default(self, table: str, column: str, default: str | None) -> str:
        """SET DEFAULT, or DROP DEFAULT with None."""
        action = "DROP DEFAULT" if default is None else f"SET DEFAULT {default}"
        return self.alter(table, f"ALTER COLUMN {self.name(column)} {action}")

    def foreign_key(
        self,
        table: str,
        columns: Sequence[str],
        *,
        referenced: str,
        referenced_columns: Sequence[str],
        name: str | None,
        is_valid: bool = True,
        more: str = "",
    ) -> str:
        """ADD FOREIGN KEY."""
        text = f"ADD {f'CONSTRAINT {self.name(name)} ' if name else ''}FOREIGN KEY ({self.names(columns)}) REFERENCES {self.name(referenced)}"
        text += f" ({self.names(referenced_columns)})" if referenced_columns else ""
        text += f" {more}" if more else ""
        return self.alter(table, text if is_valid or self.is_mysql else f"{text} NOT VALID")

    def add_constraint(self, table: str, body: str, *, name: str | None, is_valid: bool = True) -> str:
        """ADD CONSTRAINT with its body (`CHECK (...)`, `UNIQUE (...)`)."""
        text = f"ADD {f'CONSTRAINT {self.name(name)} ' if name else ''}{body}"
        return self.alter(table, text if is_valid or self.is_mysql else f"{text} NOT VALID")

    def drop_constraint(self, table: str, name: str, *, kind: str = "", if_exists: bool = False) -> str:
        """DROP CONSTRAINT; MySQL says which kind."""
        if self.is_mysql and kind in ("foreignkey", "foreign_key"):
            return self.alter(table, f"DROP FOREIGN KEY {self.name(name)}")
        if self.is_mysql and kind in ("unique", "index"):
            return self.alter(table, f"DROP INDEX {self.name(name)}")
        if self.is_mysql and kind == "primary":
            return self.alter(table, "DROP PRIMARY KEY")
        return self.alter(table, f"DROP CONSTRAINT {'IF EXISTS ' if if_exists else ''}{self.name(name)}")

    def rename_column(self, table: str, old: str, new: str) -> str:
        """RENAME COLUMN."""
        return self.alter(table, f"RENAME COLUMN {self.name(old)} TO {self.name(new)}")

    def rename_table(self, old: str, new: str) -> str:
        """RENAME TO."""
        return self.alter(old, f"RENAME TO {self.name(new)}")

    def create_table(self, table: str, body: Sequence[str], *, if_not_exists: bool = False) -> str:
        """CREATE TABLE with its elements."""
        inside = ", ".join(body)
        return f"CREATE TABLE {'IF NOT EXISTS ' if if_not_exists else ''}{self.name(table)} ({inside})"

    def drop_table(self, table: str, *, if_exists: bool = False, is_cascade: bool = False) -> str:
        """DROP TABLE."""
        return f"DROP TABLE {'IF EXISTS ' if if_exists else ''}{self.name(table)}{' CASCADE' if is_cascade else ''}"
