"""How Active Record writes columns, indexes and foreign keys as SQL, and the names it gives them."""

import hashlib
import re
from dataclasses import field

from gonogo.record import Record
from heuristics.sql.sources.ddl import Ddl
from heuristics.sql.sources.ruby_values import RubyValue, Sql
from heuristics.sql.sources.written import SourceFile

Found = tuple[str | None, str | None]
"""The SQL, and the table where the SQL does not name it."""


class RailsSql(Record, frozen=False):
    """Writes the SQL of one file."""

    source: SourceFile
    rewrites_itself: bool = field(init=False)
    """A library turns unsafe calls into safe ones (safe_by_default, safe-pg-migrations)."""

    def __post_init__(self) -> None:
        tree = self.source.tree
        settings = tree.text("config/initializers/strong_migrations.rb") or ""
        is_safe = re.search(r"^\s*StrongMigrations\.safe_by_default\s*=\s*true", settings, re.MULTILINE) is not None
        gems = tree.text("Gemfile") or ""
        self.rewrites_itself = is_safe or re.search(r"^\s*gem\s+[\"']safe-pg-migrations", gems, re.MULTILINE) is not None

    @property
    def ddl(self) -> Ddl:
        """The writer of the file's dialect."""
        return Ddl(self.source.dialect)

    def leaves_transaction(self, sql: str | None) -> bool:
        """A library that rewrites calls commits the transaction before it builds anything concurrently."""
        return self.rewrites_itself and sql is not None and (" CONCURRENTLY " in sql or " VALIDATE " in sql or "NOT VALID" in sql)

    def type_sql(self, type_: str, options: dict[str, RubyValue]) -> str:
        """A column type with its limit or precision."""
        limit, precision, scale = options.get("limit"), options.get("precision"), options.get("scale")
        if type_ == "enum":
            name = options.get("enum_type")
            return str(name) if isinstance(name, str) else "unknown_enum"
        if self.ddl.is_mysql:
            base = _MY.get(type_, type_)
            if type_ == "integer" and isinstance(limit, int):
                return {1: "tinyint", 2: "smallint", 3: "mediumint", 8: "bigint"}.get(limit, "int")
            if type_ == "string":
                return f"varchar({limit if isinstance(limit, int) else 255})"
            if type_ == "datetime":
                return (
                    "datetime"
                    if precision is None and "precision" in options
                    else f"datetime({precision if isinstance(precision, int) else 6})"
                )
        else:
            base = _PG.get(type_, type_)
            if type_ == "integer" and isinstance(limit, int):
                return "smallint" if limit <= 2 else "bigint" if limit > 4 else "integer"
            if type_ == "string" and isinstance(limit, int):
                base = f"varchar({limit})"
            if type_ in ("datetime", "timestamp") and not ("precision" in options and precision is None):
                base = f"timestamp({precision if isinstance(precision, int) else 6})"
        if type_ in ("decimal", "numeric") and isinstance(precision, int):
            base = f"{base}({precision},{scale})" if isinstance(scale, int) else f"{base}({precision})"
        return f"{base}[]" if options.get("array") is True else base

    def column_sql(self, name: str, type_: str, options: dict[str, RubyValue]) -> str:
        """A column definition."""
        more = ""
        if type_ == "virtual":
            written = options.get("type")
            type_ = written if isinstance(written, str) else "text"
            more = f"GENERATED ALWAYS AS ({options.get('as')}){' STORED' if options.get('stored') is True else ''}"
        if options.get("primary_key") is True:
            more = "PRIMARY KEY"
        has_default = "default" in options and options["default"] is not None
        default = self.default_sql(options["default"]) if has_default else None
        is_nullable = options.get("null", True) is not False
        return self.ddl.column(name, self.type_sql(type_, options), is_nullable=is_nullable, default=default, more=more)

    def default_sql(self, value: RubyValue) -> str:
        """A default as SQL; what is not a literal is a call of its own name."""
        if isinstance(value, Sql):
            return str(value.sql)
        return "unknown_default()" if not isinstance(value, str | int | float | bool) else self.ddl.literal(value)

    def index_sql(self, table: str, columns: list[str], options: dict[str, RubyValue]) -> str:
        """add_index."""
        name = options.get("name")
        method, where, order = options.get("using"), options.get("where"), options.get("order")
        keys = [f"{c} {o.upper()}" if isinstance(order, dict) and isinstance(o := order.get(c), str) else c for c in columns]
        is_concurrent = options.get("algorithm") == "concurrently" or (self.rewrites_itself and self.ddl.dialect == "postgres")
        return self.ddl.create_index(
            table,
            keys,
            name=name if isinstance(name, str) else index_name(table, columns),
            is_unique=options.get("unique") is True,
            is_concurrent=is_concurrent,
            if_not_exists=options.get("if_not_exists") is True,
            method=method if isinstance(method, str) else str(options.get("type") or "") if self.ddl.is_mysql else "",
            where=where if isinstance(where, str) else "",
        )

    def foreign_key_sql(self, table: str, target: str, options: dict[str, RubyValue]) -> list[str]:
        """add_foreign_key."""
        column = options.get("column")
        own = column if isinstance(column, str) else f"{singular(target.rpartition('.')[2])}_id"
        key, name = options.get("primary_key"), options.get("name")
        named = name if isinstance(name, str) else foreign_key_name(table, own)
        is_valid = options.get("validate", True) is not False
        splits = self.rewrites_itself and is_valid and not self.ddl.is_mysql
        first = self.ddl.foreign_key(
            table,
            [own],
            referenced=target,
            referenced_columns=[key if isinstance(key, str) else "id"],
            name=named,
            is_valid=is_valid and not splits,
        )
        return [first, self.ddl.alter(table, f"VALIDATE CONSTRAINT {self.ddl.name(named)}")] if splits else [first]


_PG = {
    "string": "varchar", "text": "text", "integer": "integer", "bigint": "bigint", "float": "double precision",
    "decimal": "numeric", "numeric": "numeric", "datetime": "timestamp", "timestamp": "timestamp", "timestamptz": "timestamptz",
    "time": "time", "date": "date", "binary": "bytea", "blob": "bytea", "boolean": "boolean", "primary_key": "bigserial",
    "virtual": "text",
}  # fmt: skip


_MY = {
    "string": "varchar", "text": "text", "integer": "int", "bigint": "bigint", "float": "float", "decimal": "decimal",
    "numeric": "decimal", "datetime": "datetime", "timestamp": "timestamp", "time": "time", "date": "date", "binary": "blob",
    "blob": "blob", "boolean": "tinyint(1)", "json": "json", "jsonb": "json", "primary_key": "bigint auto_increment",
}  # fmt: skip


def index_name(table: str, columns: list[str]) -> str:
    """Rails' own name for an index."""
    plain = [re.sub(r"\W+", "_", c) for c in columns]
    return f"index_{table.replace('.', '_')}_on_{'_and_'.join(plain)}"


def foreign_key_name(table: str, column: str) -> str:
    """Rails' own name for a foreign key: a digest of table and column."""
    return f"fk_rails_{hashlib.sha256(f'{table}_{column}_fk'.encode()).hexdigest()[:10]}"


def singular(table: str) -> str:
    """The singular of a table name, as far as simple rules go."""
    if table in _IRREGULAR:
        return _IRREGULAR[table]
    if table.endswith("ies"):
        return f"{table[:-3]}y"
    if table.endswith(("sses", "xes", "ches", "shes", "statuses")):
        return table[:-2]
    return table.removesuffix("s") if not table.endswith("ss") else table


_IRREGULAR = {"people": "person", "children": "child", "men": "man", "women": "woman", "data": "datum", "media": "medium"}
