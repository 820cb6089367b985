"""Production's schema as SQL, as far as it is known: the tables that statements name, and those that foreign keys tie to them."""

import re
from collections.abc import Iterator, Mapping, Sequence

from gonogo.context import Database
from gonogo.record import Record
from heuristics.rule import RuleContext
from heuristics.schema.known import with_production
from heuristics.sql import Catalog, Operation, Statement, known_schema, parsed
from heuristics.sql.catalog import Relation, key_of
from heuristics.sql.engines import family_of
from heuristics.sql.words import Column, Constraint

MOST_TABLES = 60
_CREATES = re.compile(r"(?i)^\s*create\s+(?:unique\s+)?index\b")
_KEYS = {"primary_key": "PRIMARY KEY", "unique": "UNIQUE"}


class Schema(Record):
    """Statements that make it, each of which may fail alone, and what is not as in production."""

    statements: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    is_foreign: bool = False
    """Production's database is no PostgreSQL."""


def operations_of(statements: Sequence[str]) -> tuple[Operation, ...]:
    """What PostgreSQL statements do."""
    found: list[Operation] = []
    for number, sql in enumerate(statements, 1):
        statement = Statement(file="", line=number, end_line=number, sql=sql, source=sql, framework="sql", dialect="postgres")
        found += parsed(statement)
    return tuple(found)


def schema_for(statements: Sequence[str], diff: RuleContext) -> Schema:
    """What stands in production before these statements, by the base's migrations and production's own catalogs."""
    operations = operations_of(statements)
    database = diff.database_of({op.table for op in operations if op.table})
    if database is not None and family_of(database.engine) != "postgres":
        return Schema(notes=(f"production's database is {database.engine}, not PostgreSQL",), is_foreign=True)
    own = [path for f in diff.changes.files for path in (f.base_path, f.head_path) if path]
    catalog = with_production(known_schema(operations, diff.base, but=own), database)
    wanted = _wanted(" ".join(statements), catalog)
    notes = [f"{r.name} is a {r.kind} in production and was left out" for r in wanted if r.kind in ("view", "matview")]
    notes += [f"{r.name} is partitioned in production and was made as a plain table" for r in wanted if r.kind == "partitioned"]
    tables = [r for r in wanted if r.kind in ("table", "partitioned")][:MOST_TABLES]
    notes += [f"no columns of {r.name} are known" for r in tables if not r.columns]
    if not tables:
        notes.append("no table that the statements name is known")
    elif database is None or database.constraints is None:
        notes.append("production's list of constraints was not read: a key that a statement needs may be missing here only")
    return Schema(tuple(_statements(tables, catalog, database)), tuple(notes))


def _wanted(text: str, catalog: Catalog) -> list[Relation]:
    """Relations whose name, or the name of an index of theirs, stands in the statements; and the other ends of their foreign keys."""
    words = {w.lower() for w in re.findall(r"\w+", text)}
    indexed = {index.table for name, index in catalog.indexes.items() if name.rpartition(".")[2].lower() in words}
    named = [r for key, r in catalog.relations.items() if key in indexed or key.rpartition(".")[2].lower() in words]
    found = {r.name: r for r in named}
    for relation in named:
        for constraint in relation.constraints.values():
            other = catalog.relation(constraint.referenced_table)
            if other is not None:
                found.setdefault(other.name, other)
        for other, _ in catalog.referencing(relation.name):
            found.setdefault(other.name, other)
    return list(found.values())


def _statements(tables: Sequence[Relation], catalog: Catalog, database: Database | None) -> Iterator[str]:
    for name in sorted({key.rpartition(".")[0] for key in (r.name for r in tables)} - {""}):
        yield f"CREATE SCHEMA IF NOT EXISTS {_quoted(name)}"
    for name, labels in catalog.enums.items():
        listed = ", ".join(_literal(label) for label in labels)
        yield f"CREATE TYPE {_quoted(name)} AS ENUM ({listed})"
    for relation in tables:
        table = _quoted(relation.name)
        yield f"CREATE TABLE {table} ()"
        for column in relation.columns.values():
            yield from _column(table, column)
    keys = [(r, c) for r in tables for c in r.constraints.values()]
    for relation, constraint in sorted(keys, key=lambda k: k[1].kind == "foreign_key"):
        yield from _constraint(_quoted(relation.name), constraint)
    yield from _indexes(tables, catalog, database)


def _column(table: str, column: Column) -> Iterator[str]:
    name = _quoted(column.name)
    yield f"ALTER TABLE {table} ADD COLUMN {name} {column.type or 'text'}"
    yield f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS {name} text"  # its type is not there: of an extension, or unknown
    if column.is_not_null:
        yield f"ALTER TABLE {table} ALTER COLUMN {name} SET NOT NULL"
    if column.default:
        yield f"ALTER TABLE {table} ALTER COLUMN {name} SET DEFAULT {column.default}"


def _constraint(table: str, constraint: Constraint) -> Iterator[str]:
    columns = ", ".join(_quoted(c) for c in constraint.columns)
    named = f"CONSTRAINT {_quoted(constraint.name)} " if constraint.name else ""
    valid = "" if constraint.is_valid else " NOT VALID"
    if constraint.kind in _KEYS and columns:
        yield f"ALTER TABLE {table} ADD {named}{_KEYS[constraint.kind]} ({columns})"
    elif constraint.kind == "foreign_key" and constraint.referenced_table and columns:
        others = ", ".join(_quoted(c) for c in constraint.referenced_columns)
        target = _quoted(key_of(constraint.referenced_table)) + (f" ({others})" if others else "")
        yield f"ALTER TABLE {table} ADD {named}FOREIGN KEY ({columns}) REFERENCES {target}{valid}"
    elif constraint.kind == "check" and constraint.text:
        text = constraint.text if constraint.text.lower().lstrip().startswith("check") else f"CHECK ({constraint.text})"
        yield f"ALTER TABLE {table} ADD {named}{text}{valid}"


def _indexes(tables: Sequence[Relation], catalog: Catalog, database: Database | None) -> Iterator[str]:
    bare = {r.name.rpartition(".")[2].lower() for r in tables}
    written: Mapping[str, str] = {
        i.name: i.definition for i in (database.indexes if database is not None else ()) if _CREATES.match(i.definition)
    }
    for definition in written.values():
        if any(re.search(rf"(?i)\bon\s+(?:only\s+)?[\w.\"]*\b{re.escape(t)}\b", definition) for t in bare):
            yield re.sub(r"(?i)\bconcurrently\b\s*", "", definition)
    for index in catalog.indexes.values():
        relation = catalog.relation(index.table)
        if relation is None or relation not in tables or index.name in written or not index.columns:
            continue
        unique = "UNIQUE " if index.is_unique else ""
        columns = ", ".join(_quoted(c) if re.fullmatch(r"\w+", c) else f"({c})" for c in index.columns)
        yield f"CREATE {unique}INDEX {_quoted(index.name)} ON {_quoted(relation.name)} ({columns})"


def _quoted(name: str) -> str:
    return ".".join('"' + part.replace('"', '""') + '"' for part in name.replace('"', "").split("."))


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
