"""Code that uses a column or a table before production has it: nothing applies its migration first, or there is none."""

from collections.abc import Collection, Iterator, Sequence

from bot.investigator.asking import quote
from bot.investigator.case import Case
from bot.investigator.chain import mechanism, trigger, unknown
from bot.investigator.chains.absent_objects import absent_column, history_of_database, missing_object
from bot.investigator.facts.live_tables import LiveTable, database_id, live_table
from gonogo.context import Database
from gonogo.evidence import DatabaseEvidence, Evidence
from gonogo.trajectory import Certainty, Impact, Link, Role, Trajectory
from heuristics.migrated import added_before, migrated_database, migration_order
from heuristics.schema.columns import columns_of
from heuristics.schema.history import HistoryProblem, applied_ids, is_applied
from heuristics.schema.late import Addition, new_uses, unmade_columns
from heuristics.schema.mapped import Mapped, is_synchronised, new_columns
from heuristics.schema.sayings import place
from heuristics.schema.uses import Use
from heuristics.sql import is_migration_path


def needed_too_early(case: Case, addition: Addition, never: HistoryProblem | None) -> Trajectory | None:
    """Code of this change that uses what nothing makes before it starts; `never` says that the runner goes past the migration."""
    op = addition.step.operation
    order = migration_order(case.diff, op.statement.file)
    is_unseen = order.moment == "unknown" and order.place is not None
    if never is None and order.moment not in ("by-hand", "after") and not is_unseen:
        return None
    others = {
        c
        for d in case.production.databases
        for t in d.tables
        if t.name.lower() != addition.table.lower()
        for c in (columns_of(t) or {})
    }
    uses = new_uses(addition, base=case.diff.base, head=case.diff.head, others=others)
    if not uses:
        return None
    table = live_table(case, addition.table)
    database = table.database if table is not None else case.diff.once(migrated_database)
    lacks = _not_applied(case, addition, database)
    lines = quote(case, op.statement.file, op.statement.line, end_line=op.statement.end_line)
    says = never.says if never else f"nothing applies it before the code starts: {order.says}"
    history = history_of_database(case, database) if never else lacks
    at = [quote(case, order.place.file, order.place.line)] if order.place and never is None else []
    missing = missing_object(case, addition, table, uses, never)
    if is_unseen and never is None and lacks is None and not any(link.refuting for link in missing):
        question = f"Is {op.statement.file} applied before this version starts, and by what?"
        query = "SELECT * FROM the runner's history table ORDER BY 1 DESC LIMIT 20"
        missing = [unknown(Role.HARM, missing[-1].claim, question, query, *missing[-1].evidence)]
    links = [
        trigger(f"code now uses {_called(addition)}, which {place(op)} makes", _use_line(case, uses), lines),
        mechanism(says, lines, history, *at),
        *missing,
    ]
    return _of_code(case, addition.table, _called(addition), links, table)


def needed_of_merged(case: Case) -> Iterator[Trajectory]:
    """The same for columns of migrations that were merged before this change."""
    for addition in case.diff.once(added_before):
        table = live_table(case, addition.table)
        claim = needed_too_early(case, addition, None) if table is not None and columns_of(table.table) else None
        if claim is not None:
            yield claim


def _not_applied(case: Case, addition: Addition, database: Database | None) -> DatabaseEvidence | None:
    """Production's history, when the migration was merged before this change and is not in it."""
    at = addition.step.operation.statement
    ids = applied_ids(database.applied_migrations) if database is not None else None
    changed = case.diff.changes.file(at.file)
    if not ids or (changed is not None and changed.base_path is None) or not at.migration_id:
        return None
    return None if is_applied(at.file, at.migration_id, at.framework, ids) else history_of_database(case, database)


def never_made(case: Case) -> Iterator[Trajectory]:
    """INSERTs and models of this change with a column that production lacks and nothing of the repository makes."""
    if not any(f.head_path and f.hunks for f in case.diff.changes.files):
        return
    for database in case.production.databases:
        for row in database.tables:
            known = columns_of(row)
            if not known or not case.is_affected(database.resource):
                continue
            for insert, column in unmade_columns(
                row.name, known, changes=case.diff.changes, base=case.diff.base, head=case.diff.head
            ):
                table = LiveTable(case, database, row)
                line = quote(case, insert.file, insert.line)
                links = [
                    trigger(f"{insert.file} line {insert.line} inserts {row.name}.{column}", line),
                    mechanism(f"no migration of the repository makes {row.name}.{column}", line),
                    *absent_column(table, column, f"{insert.file} line {insert.line} fails with 42703", [line]),
                ]
                yield _of_code(case, row.name, f"{row.name}.{column}", links, table)
            for mapped in new_columns(case.diff.changes, row.name, known, base=case.diff.base, head=case.diff.head):
                if not _is_made(case, mapped):
                    yield _mapped_chain(case, LiveTable(case, database, row), mapped, known)


def _is_made(case: Case, mapped: Mapped) -> bool:
    """Whether a migration or an SQL file of the repository names the column, or the application makes its columns itself."""
    words = {*mapped.names, *(n.removesuffix("_id") for n in mapped.names)}
    places = case.diff.head.search(words)
    files = {p.file for listed in places.values() for p in listed}
    return any(is_migration_path(f) or f.endswith((".sql", "schema.rb")) for f in files) or is_synchronised(case.diff.head)


def _mapped_chain(case: Case, table: LiveTable, mapped: Mapped, known: Collection[str]) -> Trajectory:
    """A model that names a column for which the repository has no migration."""
    name = next((n for n in sorted(mapped.names) if n.lower() in known), mapped.name)
    line = quote(case, mapped.file, mapped.line)
    no_column = "1054" if table.database.engine.lower() in ("mysql", "mariadb") else "42703"
    said = f"every statement of this model fails with {no_column}"
    links = [
        trigger(f"{mapped.file} line {mapped.line} maps {table.name}.{name}", line),
        mechanism(f"no migration of the repository makes {table.name}.{name}", line),
        *absent_column(table, name, said, [line]),
    ]
    return _of_code(case, table.name, f"{table.name}.{name}", links, table)


def _called(addition: Addition) -> str:
    return addition.table if addition.column is None else f"{addition.table}.{addition.column}"


def _use_line(case: Case, uses: Sequence[Use]) -> Evidence:
    return quote(case, uses[0].file, uses[0].line)


def _of_code(case: Case, name: str, called: str, links: Sequence[Link], table: LiveTable | None) -> Trajectory:
    resource = table.database.resource if table else database_id(case, name)
    return Trajectory(
        title=f"Code uses {called} before production has it", impact=Impact.HIGH, resource=resource, metric="xact_rollback", links=tuple(links),
        make_safe="Have the migration applied first, check that it is there, then merge the code that needs it.",
        certainty=Certainty.SQLSTATE, path=(resource,), undo="Roll the code back; the schema stays as it is.",
    )  # fmt: skip
