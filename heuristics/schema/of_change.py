"""The history problems of a change, as rules and playbooks ask for them."""

from gonogo.context import Database
from heuristics.rule import RuleContext
from heuristics.schema.history import HistoryProblem, applied_ids, history_problems
from heuristics.sql import migrations_in


def history_of(context: RuleContext) -> tuple[HistoryProblem, ...]:
    """Every problem of the migrations that the change adds, edits or removes, against what production has applied."""
    database = migrated_database(context)
    applied = applied_ids(database.applied_migrations) if database else None
    return tuple(history_problems(context.changes, base=context.base, head=context.head, applied=applied))


def migrated_database(context: RuleContext) -> Database | None:
    """The database whose history it is: the one that holds the tables of the changed migrations, removed ones included."""
    gone = [f.base_path for f in context.changes.files if f.base_path and f.head_path != f.base_path]
    tables = {s.operation.table for s in context.migrations if s.operation.table}
    tables |= {op.table for op in migrations_in(gone, context.base) if op.table} if gone else set()
    return context.database_of(tables)
