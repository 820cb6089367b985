"""From changed paths to operations: which reader takes each file, in which order they run, and what is known before them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from gonogo.ports import SourceTree
from heuristics.sql.catalog import Catalog
from heuristics.sql.dialect import dialect_of_sql, guess_dialect
from heuristics.sql.paths import kind_of
from heuristics.sql.postgres import read_postgres
from heuristics.sql.replay import apply_operation
from heuristics.sql.sources.alembic import is_alembic, read_alembic
from heuristics.sql.sources.plain import read_plain
from heuristics.sql.sources.rails import read_rails
from heuristics.sql.sources.statements import placeholder, statements_of
from heuristics.sql.sources.written import ReadMigration, SourceFile
from heuristics.sql.words import Action, Dialect, Operation, Statement


def migrations_in(
    changed_paths: Sequence[str], tree: SourceTree, *, dialect: Dialect | None = None
) -> tuple[Operation, ...]:
    """The operations of the migration files among these paths, in the order they will run.

    Every statement of such a file is among them: one that cannot be read has the action `not_analysed`.
    """
    paths = sorted((p for p in changed_paths if kind_of(p) is not None), key=_order)
    if not paths:
        return ()
    own = dialect or guess_dialect(tree)
    found = [op for path in paths for op in read_file(path, tree, dialect=own)]
    return tuple(found)


def read_file(path: str, tree: SourceTree, *, dialect: Dialect) -> tuple[Operation, ...]:
    """The operations of one migration file."""
    text = tree.text(path)
    kind = kind_of(path)
    if text is None or kind is None:
        return ()
    if kind == "sql" and dialect == "unknown":
        dialect = dialect_of_sql(text)
    source = SourceFile(path=path, text=text, dialect=dialect, tree=tree)
    migration = _read(source, kind)
    if migration is None:
        return ()
    return tuple(op for statement in _operations(source, migration) for op in statement)


def _read(source: SourceFile, kind: str) -> ReadMigration | None:
    match kind:
        case "sql":
            return read_plain(source)
        case "python" if is_alembic(source.text):
            return read_alembic(source)
        case "ruby":
            return read_rails(source)
        case _:
            return None


def _operations(source: SourceFile, migration: ReadMigration) -> Iterable[tuple[Operation, ...]]:
    for statement, written, template in statements_of(source, migration):
        if written.sql is None:
            yield (placeholder(statement, written),)
            continue
        parsed = _parse(replace(statement, sql=template.restored(statement.sql)) if not template.places else statement)
        yield tuple(_finished(op, table=written.table, restored=template.restored) for op in parsed)


def _parse(statement: Statement) -> tuple[Operation, ...]:
    return read_postgres(statement)


def _finished(op: Operation, *, table: str | None, restored: object) -> Operation:
    del restored
    if op.table is None and table is not None and op.action in (Action.DROP_INDEX, Action.RENAME_INDEX):
        return replace(op, table=table)
    return op


def _order(path: str) -> tuple[list[tuple[int, int, str]], str]:
    """Natural order of the last two parts: 9 before 10."""
    tail = "/".join(path.split("/")[-2:])
    return [(0, int(p), "") if p.isdigit() else (1, 0, p) for p in re.findall(r"\d+|\D+", tail)], path


def known_schema(operations: Sequence[Operation], tree: SourceTree, *, but: Sequence[str]) -> Catalog:
    """What earlier migrations of the tree say about the tables of these operations; `but` are the files of the change."""
    del tree, but
    catalog = Catalog()
    for op in operations[:0]:
        apply_operation(catalog, op)
    return catalog
