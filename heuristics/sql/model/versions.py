"""The first PostgreSQL version that takes a statement; older ones answer with a syntax error."""

from collections.abc import Callable

from heuristics.sql.words import Action, Operation


def needs_version(op: Operation) -> tuple[int, str] | None:
    """The version and what needs it, or None when every supported version takes it."""
    needs = [(version, what) for version, what, applies in _FEATURES if applies(op)]
    return max(needs) if needs else None


def _has_unenforced(op: Operation) -> bool:
    return any(not c.is_enforced for c in (*op.constraints, *((op.constraint,) if op.constraint else ())))


def _generated(op: Operation, kind: str) -> bool:
    columns = (*op.defined, *((op.column,) if op.column else ()))
    return any(c.generated == kind for c in columns)


_FEATURES: tuple[tuple[int, str, Callable[[Operation], bool]], ...] = (
    (18, "NOT ENFORCED", _has_unenforced),
    (18, "ADD CONSTRAINT ... NOT NULL", lambda op: op.action is Action.ADD_NOT_NULL_CONSTRAINT),
    (18, "a virtual generated column", lambda op: _generated(op, "virtual")),
    (17, "SET EXPRESSION", lambda op: op.action is Action.SET_EXPRESSION),
    (15, "SET ACCESS METHOD", lambda op: op.action is Action.REWRITE_TABLE and op.value == "heap"),
    (14, "DETACH PARTITION ... CONCURRENTLY", lambda op: op.action is Action.DETACH_PARTITION and op.is_concurrent),
    (14, "SET COMPRESSION", lambda op: op.action is Action.SET_COLUMN_OPTION and op.value == "SetCompression"),
    (14, "CREATE OR REPLACE TRIGGER", lambda op: op.action is Action.CREATE_TRIGGER and op.is_replace),
    (13, "DROP EXPRESSION", lambda op: op.action is Action.DROP_EXPRESSION),
    (12, "REINDEX CONCURRENTLY", lambda op: op.action is Action.REINDEX and op.is_concurrent),
    (12, "a stored generated column", lambda op: _generated(op, "stored")),
)
