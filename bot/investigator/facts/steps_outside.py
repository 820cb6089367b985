"""What scripts, scheduled jobs and code of a change do to live tables, outside migrations."""

from bot.investigator.case import Case
from bot.investigator.facts.live_tables import live_table
from heuristics.rule import server_version
from heuristics.schema.outside import is_made_again, statements_outside
from heuristics.sql import Action, Simulated, simulate

_TAKES_AWAY = (Action.DROP_TABLE, Action.DROP_COLUMN, Action.RENAME_TABLE, Action.RENAME_COLUMN, Action.DROP_INDEX)


def steps_outside(case: Case) -> tuple[Simulated, ...]:
    """Each heavy statement on a table or index that production has; empty when its database is not known."""
    owners = {index.name: index.table for d in case.production.databases for index in d.indexes}
    found = [(op, op.table or owners.get(op.name or "")) for op in statements_outside(case.diff.changes, case.diff.head)]
    operations = [op for op, table in found if live_table(case, table)]
    database = case.diff.database_of({table for _, table in found if table and live_table(case, table)})
    if not operations or database is None:
        return ()
    return simulate(operations, engine=database.engine, server_version=server_version(database))


def removals_outside(case: Case) -> tuple[Simulated, ...]:
    """Those of them that take a table, a column or an index away for good."""
    steps = steps_outside(case)
    return tuple(s for s in steps if s.operation.action in _TAKES_AWAY and not is_made_again(s.operation, case.diff.head))
