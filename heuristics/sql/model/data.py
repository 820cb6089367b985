"""Effects of statements that move rows."""

from heuristics.sql.model.draft import Draft
from heuristics.sql.words import Action, Operation


def change_rows(draft: Draft, op: Operation) -> None:
    """INSERT, UPDATE, DELETE: nobody waits but writers of the same rows; which tables are read in full is the point."""
    scene = draft.scene
    used = [label for label in op.literals if label in scene.fresh_labels]
    if used:
        draft.fail("55P04", f'unsafe use of new value "{used[0]}": its ADD VALUE is not committed yet')
    draft.lock(op.table, "RowExclusive")
    for table in op.reads:
        draft.lock(table, "AccessShare")
    if op.action is Action.INSERT:
        for table in op.reads:
            draft.scan(table)
        return
    if op.action is Action.SELECT:
        return
    leading = {i.columns[0] for i in scene.catalog.indexes_of(op.table or "") if i.columns and not i.has_where}
    if not op.has_where:
        draft.scan(op.table)
    elif not leading & set(op.reads_columns):
        draft.scan(op.table)
        draft.note(f"no index of {op.table} serves its WHERE")
    if op.action is Action.DELETE:
        for child, key in scene.catalog.referencing(op.table or ""):
            draft.lock(child.name, "RowShare")
            if not any(i.columns[: len(key.columns)] == key.columns for i in scene.catalog.indexes_of(child.name)):
                draft.scan(child.name)


def lock_table(draft: Draft, op: Operation) -> None:
    """LOCK TABLE in the mode it says."""
    draft.lock(op.table, op.value or "AccessExclusive")


def add_enum_value(draft: Draft, op: Operation) -> None:
    """No lock on any table; inside a transaction an error before 12."""
    if draft.scene.version < 12 and (draft.scene.in_transaction or op.in_function):
        draft.fail("25001", "ALTER TYPE ... ADD cannot run inside a transaction block")
