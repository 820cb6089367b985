"""Columns and tables that code of a change needs and that are not there when the code starts."""

from collections.abc import Collection, Iterator, Sequence

from gonogo.change import ChangeSet
from gonogo.ports import SourceTree
from gonogo.record import Record
from heuristics.schema.inserts import Insert, inserts_into
from heuristics.schema.naming import bare
from heuristics.schema.uses import Use, column_uses, table_uses
from heuristics.sql import Action, Simulated, is_migration_path


class Addition(Record):
    """A column (or, with `column` None, a table) that a migration of this change makes."""

    step: Simulated
    table: str
    column: str | None


def additions_in(steps: Sequence[Simulated]) -> Iterator[Addition]:
    """Everything that the migrations of this change add under a name that code may use."""
    for step in steps:
        op = step.operation
        if op.table is None or step.error is not None:
            continue
        if op.action is Action.ADD_COLUMN and op.column is not None and not step.created_here:
            yield Addition(step, bare(op.table), op.column.name)
        elif op.action is Action.RENAME_COLUMN and op.new_name:
            yield Addition(step, bare(op.table), op.new_name)
        elif op.action is Action.CREATE_TABLE:
            yield Addition(step, bare(op.table), None)


def new_uses(addition: Addition, *, base: SourceTree, head: SourceTree, others: Collection[str]) -> tuple[Use, ...]:
    """Certain uses at head of what is added; none when the deployed version uses it already."""
    if addition.column is None:
        return (
            ()
            if any(u.is_certain for u in table_uses(base, addition.table))
            else tuple(u for u in table_uses(head, addition.table) if u.is_certain)
        )
    before = column_uses(base, addition.table, addition.column, others=others)
    if any(u.is_certain for u in before):
        return ()
    return tuple(u for u in column_uses(head, addition.table, addition.column, others=others) if u.is_certain)


def unmade_columns(
    table: str, known: Collection[str], *, changes: ChangeSet, base: SourceTree, head: SourceTree
) -> Iterator[tuple[Insert, str]]:
    """INSERTs of changed files that name a column which production lacks, the deployed version never wrote, and no migration makes."""
    changed = {f.head_path for f in changes.files if f.head_path}
    touched = [i for i in inserts_into(head, table) if i.file in changed]
    if not touched:
        return
    written_before = {c.lower() for i in inserts_into(base, table) for c in i.columns}
    have = {k.lower() for k in known}
    for insert in touched:
        for column in insert.columns:
            if column.lower() in have or column.lower() in written_before or column.isdigit():
                continue
            places = head.search({column}).get(column, ())
            if not any(is_migration_path(p.file) or p.file.endswith((".sql", ".prisma", "schema.rb")) for p in places):
                yield insert, column
