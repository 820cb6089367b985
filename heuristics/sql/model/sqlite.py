"""SQLite and its relatives: one writer at a time; what rewrites a table blocks every writer for as long."""

from heuristics.sql.model.draft import Scene
from heuristics.sql.words import Action, Effect, Operation

_SCANS = frozenset({Action.CREATE_INDEX, Action.REINDEX, Action.UPDATE, Action.DELETE, Action.ADD_CHECK})
_REWRITES = frozenset({Action.DROP_COLUMN, Action.VACUUM, Action.VACUUM_FULL})


def sqlite_effect(op: Operation, scene: Scene) -> tuple[Effect, str | None]:
    """The effect of one operation; the lock is on the whole database file."""
    table = op.table or (index.table if (index := scene.catalog.index(op.name)) is not None else None)
    if (
        op.action
        in (
            Action.CREATE_TABLE,
            Action.CREATE_VIEW,
            Action.SET_SETTING,
            Action.TRANSACTION,
            Action.SELECT,
            Action.OTHER,
            Action.NOT_ANALYSED,
        )
        or table is None
    ):
        return Effect(), None
    relation = scene.catalog.relation(table)
    is_empty = relation is not None and relation.has_rows is False
    is_new = table in scene.created_here
    if op.action is Action.ADD_COLUMN and op.is_not_null and not op.has_default:
        # https://www.sqlite.org/lang_altertable.html#altertabaddcol, also on an empty table
        return Effect(locks={table: "Exclusive"}, error="1 Cannot add a NOT NULL column with default value NULL"), None
    slow = () if is_empty else (table,)
    writes = () if is_new else (table,)
    return (
        Effect(
            locks={table: "Exclusive"},
            blocks_writes=writes,
            scans=slow if op.action in _SCANS | _REWRITES else (),
            rewrites=slow if op.action in _REWRITES else (),
        ),
        None,
    )
