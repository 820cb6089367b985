"""The schema a migration meets: what earlier migrations say, corrected by what production's catalogs say."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from gonogo.context import Database
from gonogo.pattern import pattern
from heuristics.schema.columns import columns_of
from heuristics.sql import parsed
from heuristics.sql.catalog import Catalog, Index, key_of
from heuristics.sql.engines import family_of
from heuristics.sql.replay import apply_operation
from heuristics.sql.words import Column, Constraint, Operation, Statement

_DEFINITION = pattern(r"(?is)^\s*(?:create\s+(?:unique\s+)?index\b|(?:primary\s+key|unique|check|foreign\s+key|exclude)\b)")
_LONGEST = 4_000


def with_production(catalog: Catalog, database: Database | None) -> Catalog:
    """A copy of the catalog in which production's columns, constraints and indexes stand as they were read."""
    known = catalog.copy()
    if database is None:
        return known
    is_postgres = family_of(database.engine) == "postgres"
    for table in database.tables:
        relation = known.known(_name(table.schema_name, table.name) if is_postgres else table.name)
        if table.row_estimate is not None:
            relation.has_rows = table.row_estimate > 0
        for facts in (columns_of(table) or {}).values():
            earlier = relation.columns.get(facts.name, Column(name=facts.name))
            relation.columns[facts.name] = replace(
                earlier,
                type=facts.type or earlier.type,
                is_not_null=earlier.is_not_null if facts.is_nullable is None else not facts.is_nullable,
                default=facts.default or earlier.default,
            )
    if is_postgres:
        for operation in _operations(database):
            apply_operation(known, operation)
    for index in database.indexes:
        if known.index(index.name) is None:
            columns = columns_of_definition(index.definition)
            is_unique = bool(re.search(r"(?i)\bunique\b|primary", index.definition))
            known.indexes[index.name] = Index(
                index.name,
                key_of(_name(index.schema_name, index.table) if is_postgres else index.table),
                columns,
                is_unique=is_unique,
            )
    return known


def constraints_on(database: Database, table: str) -> tuple[Constraint, ...] | None:
    """The constraints of a table as production has them; None when no list of constraints was read."""
    if not isinstance(database.constraints, list):
        return None
    return tuple(
        op.constraint
        for row in cast("list[Any]", database.constraints)
        if isinstance(row, dict) and _bare(str(cast("dict[str, Any]", row).get("table", ""))) == _bare(table)
        for op in _constraint(cast("Mapping[str, Any]", row))
        if op.constraint is not None
    )


def columns_of_definition(definition: str) -> tuple[str, ...]:
    """The columns of an index definition in order; an expression is kept as it is written."""
    text = definition[:_LONGEST]
    opened = re.search(r"(?i)(?:\busing\s+\w+\s*|\bkey\s*|\bon\s+[^(]{1,200}|\bprimary\s+key\s*|\bunique\s*)\(", text)
    if opened is None:
        return ()
    depth, part, parts = 0, "", list[str]()
    for sign in text[opened.end() :]:
        if sign == ")" and depth == 0:
            break
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += sign
    parts.append(part)
    return tuple(_column(p) for p in parts if p.strip())


def _column(part: str) -> str:
    plain = re.match(r"""\s*["`]?(\w+)["`]?(?:\s+(?:asc|desc|nulls|collate|\w+_ops).*|\s*\(\d+\).*)?\s*$""", part, re.IGNORECASE)
    return plain.group(1) if plain else part.strip()


def _operations(database: Database) -> Iterator[Operation]:
    for index in database.indexes:
        if _DEFINITION.match(index.definition) and index.definition.lower().startswith("create"):
            yield from _read(index.definition)
    listed = cast("list[Any]", database.constraints) if isinstance(database.constraints, list) else []
    for row in listed:
        if isinstance(row, dict):
            yield from _constraint(cast("Mapping[str, Any]", row))


def _constraint(row: Mapping[str, Any]) -> Iterable[Operation]:
    definition = str(row.get("definition") or row.get("check_clause") or "")[:_LONGEST]
    table, name = str(row.get("table") or row.get("table_name") or ""), str(row.get("name") or row.get("constraint_name") or "")
    if str(row.get("type", "")).lower().startswith("check") and definition and not _DEFINITION.match(definition):
        definition = f"CHECK ({definition})"
    if not table or not name or not _DEFINITION.match(definition):
        return
    is_valid = row.get("validated", row.get("is_valid", row.get("convalidated", True))) is not False
    written = definition if is_valid or "not valid" in definition.lower() else f"{definition} NOT VALID"
    target = ".".join(f'"{part}"' for part in _name(str(row.get("schema") or "public"), table).split("."))
    yield from _read(f'ALTER TABLE {target} ADD CONSTRAINT "{name}" {written}')


def _read(sql: str) -> Iterable[Operation]:
    statement = Statement(
        file="", line=1, end_line=1, sql=sql[:_LONGEST], source=sql[:_LONGEST], framework="production", dialect="postgres"
    )
    return parsed(statement)


def _name(schema: str, table: str) -> str:
    return table if schema in ("public", "") or "." in table else f"{schema}.{table}"


def _bare(name: str) -> str:
    return name.replace('"', "").rpartition(".")[2].lower()
