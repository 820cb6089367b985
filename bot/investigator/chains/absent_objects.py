"""A table or column that code of a change needs: there already, proved absent, or not known."""

# ruff: noqa: S608 (queries for people to run; nothing here is executed)

from collections.abc import Sequence

from bot.investigator.asking import Reading, quote, server_statistic
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, unknown
from bot.investigator.facts.live_tables import LiveTable
from bot.investigator.facts.runners import runners, workloads
from bot.investigator.facts.traffic import per_second, traffic_of, upstream
from gonogo.context import Database
from gonogo.evidence import DatabaseEvidence, Evidence
from gonogo.resource import Resource
from gonogo.trajectory import Link, Role
from gonogo.word import ResourceId
from heuristics.migrated import migrated_database
from heuristics.schema.columns import columns_of
from heuristics.schema.history import HistoryProblem, applied_ids
from heuristics.schema.late import Addition
from heuristics.schema.uses import Use

_ERRORS = {False: ("42P01", "42703"), True: ("1146", "1054")}
"""No such table, no such column: on PostgreSQL, on MySQL and MariaDB."""


def missing_object(
    case: Case, addition: Addition, table: LiveTable | None, uses: Sequence[Use], never: HistoryProblem | None
) -> list[Link]:
    """The exposure and the harm of code that uses what the migration makes; `never` says that its runner goes past it."""
    where = f"{uses[0].file} line {uses[0].line}"
    cited = [quote(case, u.file, u.line) for u in uses[:2]]
    database = table.database if table is not None else case.diff.once(migrated_database)
    no_table, no_column = _ERRORS[database is not None and database.engine.lower() in ("mysql", "mariadb")]
    if addition.column is None:
        if table is not None:
            return [exposure(f"production already has {table.name}", refuting=[table.cite("row_estimate")])]
        if (
            never is not None
            and database is not None
            and (seen := _never_made(case, database, addition, uses, never)) is not None
        ):
            return [seen, harm(f"{where} fails with {no_table}", *cited)]
        question = f"Does production have a table {addition.table}?"
        query = f"SELECT to_regclass('{addition.table}')"
        return [
            unknown(Role.EXPOSURE, f"{addition.table} was not found in production", question, query, *cited),
            harm(f"{where} fails with {no_table}", *cited),
        ]
    said = f"{where} fails with {no_column}"
    if table is not None and columns_of(table.table) is None and never is not None:
        seen = _never_made(case, table.database, addition, uses, never)
        if seen is not None:
            return [seen, harm(said, *cited)]
    return absent_column(table, addition.column, said, cited)


def absent_column(table: LiveTable | None, column: str, said: str, cited: Sequence[Evidence]) -> list[Link]:
    """The same for a column, by the columns that were read."""
    known = columns_of(table.table) if table is not None else None
    if table is None or known is None:
        query = f"SELECT column_name FROM information_schema.columns WHERE column_name = '{column}'"
        question = f"Does production's table already have {column}?"
        return [unknown(Role.EXPOSURE, "the columns of the table were not read", question, query), harm(said, *cited)]
    columns = table.cite("columns")
    if column.lower() in known:
        return [exposure(f"production's {table.name} already has {column}", refuting=[columns])]
    rate = (table.reads or 0) + (table.writes or 0)
    seen = f"production's {table.name} has no {column}; it takes {table.writes or 0:g} writes and {table.reads or 0:g} reads a second"
    return [exposure(seen, columns, *table.traffic(), comparison=compare(rate, ">", 0, "1/s")), harm(said, columns, *cited)]


def _never_made(case: Case, database: Database, addition: Addition, uses: Sequence[Use], never: HistoryProblem) -> Link | None:
    """Production's history is past the migration and its tables were read without it, while the code that needs it is called."""
    history = server_statistic(case, database.resource, "applied_migrations")
    ids = applied_ids(database.applied_migrations)
    if history is None or not ids or not never.is_certain or (addition.column is None and not database.tables):
        return None
    name = addition.table if addition.column is None else f"{addition.table}.{addition.column}"
    lacks = "its tables were read and none is called so" if addition.column is None else "it did not make it"
    said = f"production's history is at {ids[-1]} and will not go back to {never.id}: there is no {name} ({lacks})"
    called = _calls(case, uses[0].file)
    if called is None:
        return None
    resource, rate = called
    return exposure(
        f"{said}; {resource.name} is called {per_second(rate.value)} at its peak", history, rate, comparison=compare(rate, ">", 0)
    )


def _calls(case: Case, path: str) -> tuple[Resource, Reading] | None:
    """What runs the file, or what routes to it, with the rate that was read."""
    for program in runners(case, path) or workloads(case):
        for at in (program.id, *upstream(case, program.id)):
            resource, rate = case.production.resource(ResourceId(at)), traffic_of(case, at)
            if resource is not None and rate is not None:
                return resource, rate
    return None


def history_of_database(case: Case, database: Database | None) -> DatabaseEvidence | None:
    """The citation of the applied migrations."""
    return server_statistic(case, database.resource, "applied_migrations") if database is not None else None
