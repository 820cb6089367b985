"""Which operations of the changed migration files will still run in production."""

from collections.abc import Collection, Sequence

from gonogo.change import ChangeSet
from heuristics.schema.history import is_applied
from heuristics.sql import Operation


def pending_operations(
    operations: Sequence[Operation], changes: ChangeSet, applied: Sequence[str] | None
) -> tuple[Operation, ...]:
    """Those of new files; of a file that was there already only what stands on changed lines, and nothing that is applied.

    A changelog grows by new change sets at its end, and the others have run long ago.
    """
    added = {
        f.head_path: f.added_lines().keys() for f in changes.files if f.base_path and f.head_path and f.base_path == f.head_path
    }
    return tuple(op for op in operations if _is_pending(op, added.get(op.statement.file), applied))


def _is_pending(op: Operation, changed_lines: Collection[int] | None, applied: Sequence[str] | None) -> bool:
    if changed_lines is None:
        return True
    at = op.statement
    if not any(line in changed_lines for line in range(at.line, at.end_line + 1)):
        return False
    return applied is None or at.framework == "liquibase" or not is_applied(at.file, at.migration_id or "", at.framework, applied)
