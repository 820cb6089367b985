"""Liquibase changelogs in XML, YAML, JSON and formatted SQL: each change as its SQL, each change set in its transaction."""

import re
from collections.abc import Iterator
from dataclasses import field

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.sql.sources.ddl import Ddl
from heuristics.sql.sources.liquibase_changes import change_sql
from heuristics.sql.sources.liquibase_text import Element, read_xml, read_yaml
from heuristics.sql.sources.written import ReadMigration, SourceFile, Written

_SET = pattern(r"^\s*--\s*changeset\s+(?P<id>\S+)(?P<rest>.*)$", re.IGNORECASE)
_OTHER = pattern(r"^\s*--\s*(?:rollback|liquibase|precondition|comment|property|validCheckSum|ignoreLines)\b.*$", re.IGNORECASE)


def is_formatted_sql(text: str) -> bool:
    """True for Liquibase's formatted SQL."""
    return re.match(r"\s*--\s*liquibase\s+formatted\s+sql", text, re.IGNORECASE) is not None


def read_liquibase(source: SourceFile) -> ReadMigration | None:
    """What the change sets of a changelog run; None when the file is not one."""
    if source.path.endswith(".sql"):
        return ReadMigration(framework="liquibase", migration_id=None, written=tuple(_formatted(source)))
    if "databaseChangeLog" not in source.text:
        return None
    root = read_xml(source.text) if source.path.endswith(".xml") else read_yaml(source.text)
    if root is None:
        return None
    written: list[Written] = []
    first: str | None = None
    for change_set in root.below("changeSet"):
        identity = change_set.text("id") or str(change_set.line)
        first = first or identity
        written += _change_set(change_set, source, identity)
    return ReadMigration(framework="liquibase", migration_id=first, written=tuple(written))


def _change_set(change_set: Element, source: SourceFile, identity: str) -> Iterator[Written]:
    is_loose = change_set.text("runInTransaction") in ("false", "False") or source.dialect in ("mysql", "mariadb")
    transaction = None if is_loose else f"{source.path}#{identity}"
    wanted = (change_set.text("dbms") or "").lower()
    if wanted and not _is_for(wanted, source):
        return
    for change in _changes(change_set):
        inner = change.child("sql")
        text_line = (inner.text_line if inner is not None else 0) or change.text_line
        for sql, table in change_sql(change, Ddl(source.dialect), source):
            yield Written(
                sql=sql,
                line=text_line if inner is not None and text_line else change.line,
                end_line=max(change.end_line, change.line),
                transaction=transaction,
                table=table,
                note="" if sql is not None else f"the change {change.name} is not known here",
            )


def _is_for(wanted: str, source: SourceFile) -> bool:
    names = {n.strip() for n in wanted.split(",")}
    own = {"postgres": "postgresql", "mysql": "mysql", "mariadb": "mariadb", "sqlite": "sqlite"}.get(source.dialect, "")
    return not own or own in names or "all" in names or any(n.startswith("!") and n[1:] != own for n in names)


_NOT_CHANGES = frozenset({"preConditions", "rollback", "comment", "property", "validCheckSum", "modifySql", "labels", "context"})


def _changes(change_set: Element) -> Iterator[Element]:
    for child in change_set.children:
        if child.name == "changes":
            for inner in child.children:
                yield from inner.children if inner.name == "-" else [inner]
        elif (
            child.name not in _NOT_CHANGES
            and (child.children or child.attributes or child.content.strip())
            and not child.is_scalar
        ):
            yield child


class _Part(Record, frozen=False):
    identity: str
    is_loose: bool
    line: int
    lines: list[str] = field(default_factory=list[str])


def _formatted(source: SourceFile) -> Iterator[Written]:
    """The change sets of a formatted SQL file."""
    parts: list[_Part] = []
    for number, line in enumerate(source.text.split("\n"), 1):
        found = _SET.match(line)
        if found is not None:
            is_loose = re.search(r"runInTransaction:\s*false", found["rest"], re.IGNORECASE) is not None
            parts.append(_Part(found["id"], is_loose or source.dialect in ("mysql", "mariadb"), number + 1))
        elif parts:
            parts[-1].lines.append("" if _OTHER.match(line) is not None else line)
    for part in parts:
        transaction = None if part.is_loose else f"{source.path}#{part.identity}"
        text = "\n".join(part.lines)
        yield Written(sql=text, line=part.line, end_line=part.line + text.count("\n"), transaction=transaction)
