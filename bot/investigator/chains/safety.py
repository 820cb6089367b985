"""How to make a migration step safe and how to undo it, in the words of the framework that runs it."""

from heuristics.schema.naming import bare
from heuristics.sql.alternatives import safe_alternative
from heuristics.sql.words import Action, Operation, Simulated

_PLAIN = {
    Action.SET_NOT_NULL: "Add `CHECK ({column} IS NOT NULL) NOT VALID`, `VALIDATE CONSTRAINT` in a later migration, then `SET NOT NULL` and drop the check.",
    Action.ADD_CHECK: "Add the constraint `NOT VALID` and `VALIDATE CONSTRAINT` it in a later migration.",
    Action.ADD_FOREIGN_KEY: "Add the key `NOT VALID` and `VALIDATE CONSTRAINT` it in a later migration.",
    Action.ADD_UNIQUE: "`CREATE UNIQUE INDEX CONCURRENTLY`, then `ADD CONSTRAINT … UNIQUE USING INDEX`.",
    Action.ADD_PRIMARY_KEY: "`CREATE UNIQUE INDEX CONCURRENTLY`, then `ADD CONSTRAINT … PRIMARY KEY USING INDEX`.",
    Action.CREATE_INDEX: "Build it with `CREATE INDEX CONCURRENTLY`, alone and outside a transaction.",
    Action.DROP_INDEX: "Keep the index while it is scanned; drop it with `DROP INDEX CONCURRENTLY` once its counter stays at zero.",
    Action.REINDEX: "`REINDEX … CONCURRENTLY`.",
    Action.VACUUM_FULL: "Plain `VACUUM` with a tuned autovacuum, or `pg_repack` in a quiet hour.",
    Action.CLUSTER: "`pg_repack` instead of `CLUSTER`.",
    Action.ALTER_TYPE: "Add a column of the new type, write both, backfill in batches, and swap them in a short transaction.",
    Action.ADD_COLUMN: "Add the column nullable and without default, set the default in its own statement, backfill in batches, then prove and set NOT NULL.",
    Action.UPDATE: "Commit the DDL first and backfill in batches with a commit each, outside the migration.",
    Action.DELETE: "Delete in batches with a commit each, outside the migration.",
    Action.DATA: "Commit the DDL first and move the data in batches, outside the migration.",
    Action.DROP_COLUMN: "Release the code that no longer uses it (`ignored_columns` in Rails), drop it in a later release.",
    Action.RENAME_COLUMN: "Expand and contract: add the new column, write both, move the readers, drop the old one later.",
    Action.DROP_TABLE: "Stop every reader and writer first, watch its counters stay at zero, then drop it.",
    Action.RENAME_TABLE: "Leave a view with the old name in the same transaction, move every reader, drop the view later.",
}
_LASTING = frozenset({
    Action.DROP_INDEX, Action.DROP_COLUMN, Action.DROP_TABLE, Action.DELETE, Action.TRUNCATE, Action.RENAME_TABLE, Action.RENAME_COLUMN,
})  # fmt: skip
_ONLINE_MYSQL = "Run the change with `gh-ost` or `pt-online-schema-change`, or add a new column, write both and swap."


def safe_way(step: Simulated, *, engine: str = "") -> str:
    """What to do instead of this operation."""
    op = step.operation
    if is_mysql(engine):
        return _ONLINE_MYSQL if step.slow_under else _PLAIN.get(op.action, _ONLINE_MYSQL)
    said = _PLAIN.get(op.action, "Split the slow part from the statement that takes the lock, and set `lock_timeout`.")
    said = said.format(column=op.columns[0] if op.columns else "the column")
    code = safe_alternative(op)
    lines, note = code.splitlines(), ""
    if lines and lines[-1].startswith("(") and lines[-1].endswith(")"):
        note = f"\nRun it {_how(lines.pop())}."
    is_only_advice = all(not line.strip() or line.lstrip("0123456789. ").startswith(("--", "#")) for line in lines)
    return said if is_only_advice else f"{said}\n```\n{'\n'.join(lines)}\n```{note}"


def _how(note: str) -> str:
    """`(disable_ddl_transaction! at the top of the class)` as the end of a sentence."""
    said = note[1:-1]
    if "`" in said or said.startswith(("alone ", "outside ")):
        return said
    what, at, where = said.partition(" at the top ") if " at the top " in said else said.partition(" in ")
    return f"with `{what}`{at}{where}"


def is_mysql(engine: str) -> bool:
    """MySQL or MariaDB, by the name of its engine."""
    return "mysql" in engine.lower() or "maria" in engine.lower()


def way_back(op: Operation, *, engine: str = "") -> str:
    """How it is undone once it has run."""
    if is_mysql(engine) and op.action not in _LASTING:
        return "`KILL QUERY` while it runs: what it has copied is thrown away."
    match op.action:
        case Action.CREATE_INDEX:
            return f"Cancel the statement, or `DROP INDEX CONCURRENTLY {bare(op.name or '…')}`."
        case Action.DROP_INDEX:
            return "Create the index again with `CREATE INDEX CONCURRENTLY`; until it is built the queries stay slow."
        case Action.DROP_COLUMN | Action.DROP_TABLE | Action.DELETE | Action.TRUNCATE:
            return "The data is gone: restore it from a backup."
        case Action.RENAME_TABLE | Action.RENAME_COLUMN:
            return "Rename it back."
        case _:
            return "Cancel the statement (`pg_cancel_backend`) while it runs; what it has done is rolled back."
