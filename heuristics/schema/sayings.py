"""What an operation is called in a sentence, and what is looked up to settle an open question about its table."""

# ruff: noqa: S608 (queries for people to run; nothing here is executed)

from heuristics.schema.naming import bare
from heuristics.sql.words import Action, Operation, Simulated

_LOCKS = {
    "AccessExclusive": "ACCESS EXCLUSIVE",
    "Exclusive": "EXCLUSIVE",
    "ShareRowExclusive": "SHARE ROW EXCLUSIVE",
    "Share": "SHARE",
    "ShareUpdateExclusive": "SHARE UPDATE EXCLUSIVE",
    "RowExclusive": "ROW EXCLUSIVE",
}


def lock_name(mode: str) -> str:
    """`ShareRowExclusive` as PostgreSQL's manual writes it."""
    return _LOCKS.get(mode, mode.upper())


def doing(op: Operation) -> str:
    """The operation as a noun phrase that can stand before 'blocks writes to …'."""
    table, column = bare(op.table or ""), ", ".join(op.columns)
    match op.action:
        case Action.CREATE_INDEX:
            return f"Building {bare(op.name) if op.name else f'an index on {table}'}"
        case Action.DROP_INDEX:
            return f"Dropping {bare(op.name or 'an index')}"
        case Action.REINDEX:
            return f"REINDEX of {bare(op.name or table)}"
        case Action.SET_NOT_NULL | Action.ADD_NOT_NULL_CONSTRAINT:
            return f"NOT NULL on {table}.{column}"
        case Action.ADD_COLUMN:
            return f"Adding {table}.{op.column.name if op.column else column}"
        case Action.ALTER_TYPE:
            return f"Changing the type of {table}.{column}" + (f" to {op.column_type}" if op.column_type else "")
        case Action.ADD_FOREIGN_KEY:
            return f"The foreign key {bare(op.name) + ' ' if op.name else ''}from {table} to {bare(op.referenced_table or 'its parent')}"
        case Action.ADD_CHECK:
            return f"The check {bare(op.name) + ' ' if op.name else ''}on {table}"
        case Action.ADD_UNIQUE | Action.ADD_PRIMARY_KEY | Action.ADD_EXCLUSION:
            kind = {Action.ADD_UNIQUE: "unique constraint", Action.ADD_PRIMARY_KEY: "primary key"}.get(
                op.action, "exclusion constraint"
            )
            return f"The {kind} {bare(op.name) + ' ' if op.name else ''}on {table}"
        case Action.VALIDATE_CONSTRAINT:
            return f"Validating {bare(op.name or 'a constraint')} of {table}"
        case Action.VACUUM_FULL | Action.CLUSTER | Action.TRUNCATE | Action.UPDATE | Action.DELETE:
            return f"{op.action.value.replace('_', ' ').upper()} of {table}"
        case Action.DATA | Action.INSERT:
            return f"Moving data in {table}" if table else "Moving data in the migration"
        case Action.ADD_ENUM_VALUE:
            return f"Adding the label {op.value or ''} to {bare(op.name or 'a type')}"
        case Action.DROP_COLUMN:
            return f"Dropping {table}.{column}"
        case Action.RENAME_COLUMN:
            return f"Renaming {table}.{column} to {op.new_name}"
        case Action.DROP_TABLE:
            return f"Dropping {table}"
        case Action.RENAME_TABLE:
            return f"Renaming {table} to {bare(op.new_name or '')}"
        case _:
            return (
                f"{op.action.value.replace('_', ' ').upper()} on {table}" if table else op.action.value.replace("_", " ").upper()
            )


def place(op: Operation) -> str:
    """`migrations/0021.py line 8`."""
    return f"{op.statement.file} line {op.statement.line}"


def held_until(step: Simulated) -> str:
    """When the locks go."""
    return "until its transaction ends" if step.operation.statement.in_transaction else "until the statement ends"


def size_query(*tables: str) -> str:
    """Read-only SQL for rows, bytes and write rate of tables; needs pg_monitor at most."""
    listed = ", ".join(f"'{bare(t).replace("'", "''")}'" for t in tables)
    return (
        "SELECT relname, n_live_tup AS rows, pg_total_relation_size(relid) AS bytes, n_tup_ins + n_tup_upd + n_tup_del AS writes, "
        f"seq_scan + idx_scan AS reads FROM pg_stat_user_tables WHERE relname IN ({listed}); -- twice, a minute apart, gives rates"
    )
