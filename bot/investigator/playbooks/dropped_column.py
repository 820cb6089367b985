"""A column, table or enum label goes away, or gets another name, while a running version still uses it."""

# ruff: noqa: S608 (queries for people to run; nothing here is executed)

import re
from collections.abc import Iterator, Sequence

from bot.investigator.asking import log_count, quote, quote_step
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.safety import safe_way, way_back
from bot.investigator.facts.live_tables import LiveTable, database_id, live_table, tables_with_type
from bot.investigator.facts.steps_outside import removals_outside
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import Evidence, LogEvidence
from gonogo.trajectory import Certainty, Impact, Link, Refutation, Role, Trajectory
from heuristics.migrated import migration_order
from heuristics.schema.columns import columns_of
from heuristics.schema.deploy_order import replaces_at_once
from heuristics.schema.moments import DeployOrder
from heuristics.schema.naming import bare
from heuristics.schema.owners import is_of_other_table
from heuristics.schema.removals import Removal, removals_in
from heuristics.schema.sayings import doing, place
from heuristics.schema.uses import Use, column_uses, ignoring_lines, label_uses, table_uses, whole_row_models
from heuristics.sql import is_migration_path

INFO = PlaybookInfo(
    id="dropped-column", question="Does a version that runs while this is applied still use the name, and how often?"
)

_NOT_A_MIGRATION = "it is no migration, so nothing says whether it runs before or after the new version"
_SOMEBODY = 0.1
"""Reads and writes a second from which on a table is in use although this repository does not name it."""


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for each name that goes."""
    for removal in removals_in((*case.diff.migrations, *removals_outside(case))):
        table = live_table(case, removal.table)
        if removal.thing == "label":
            table = next(iter(tables_with_type(case, removal.table)), None)
        claim = _claim(case, removal, table)
        if claim is not None:
            yield claim


def _claim(case: Case, removal: Removal, table: LiveTable | None) -> Trajectory | None:
    if removal.kept_by is not None:
        by = removal.kept_by.operation
        lines = quote(case, by.statement.file, by.statement.line, end_line=by.statement.end_line)
        why = f"{place(by)} keeps the old name alive in the same migration, so statements that use it go on working"
        return _trajectory(
            case, removal, table, [_trigger(case, removal), mechanism(why, refuting=[lines], refutation=Refutation.GUARDED)]
        )
    if table is None and _was_read(case, removal.table):
        return None  # production's tables were read, and this is not one of them
    before, after = _uses(case, removal, "base"), [u for u in _uses(case, removal, "head") if not _takes_it_away(u, removal)]
    seen_in_logs = _in_logs(case, removal)
    if table is not None and table.is_idle:
        return _idle(case, removal, table)
    sure_after = [u for u in after if u.is_certain]
    sure_before = [u for u in before if u.is_certain]
    if sure_after:
        return _used(case, removal, table, sure_after, seen_in_logs, "the new version uses it too", is_certain=True)
    file = removal.step.operation.statement.file
    order = migration_order(case.diff, file) if is_migration_path(file) else DeployOrder("unknown", None, _NOT_A_MIGRATION)
    if sure_before or seen_in_logs:
        return _used_before(case, removal, table, sure_before, seen_in_logs, order)
    if after or before:
        return _used(case, removal, table, after or before, None, "by the name alone", is_certain=False)
    return _unused(case, removal, table)


def _used_before(
    case: Case, removal: Removal, table: LiveTable | None, uses: Sequence[Use], log: LogEvidence | None, order: DeployOrder
) -> Trajectory:
    """Only the version that runs today uses it: the order of the deploy decides."""
    stops_first = replaces_at_once(case.diff.head)
    is_rename = removal.new_name is not None
    if order.moment == "after" and not is_rename:
        cited = [quote(case, order.place.file, order.place.line)] if order.place else [quote_step(case, removal.step)]
        why = f"the new version no longer uses it, and {order.says}"
        return _trajectory(
            case, removal, table, [_trigger(case, removal), mechanism(why, refuting=cited, refutation=Refutation.NO_LONGER_USED)]
        )
    if order.meets_old_code:
        why, is_certain = order.says, stops_first is None
    elif is_rename:
        why, is_certain = "whichever of migration and code comes first, one version meets the other's schema", stops_first is None
    else:
        why, is_certain = order.says, False
    at = [quote(case, order.place.file, order.place.line)] if order.place else []
    return _used(case, removal, table, uses, log, why, is_certain=is_certain, more=at)


def _used(
    case: Case,
    removal: Removal,
    table: LiveTable | None,
    uses: Sequence[Use],
    log: LogEvidence | None,
    why: str,
    *,
    is_certain: bool,
    more: Sequence[Evidence] = (),
) -> Trajectory:
    where = ", ".join(f"{u.file} line {u.line}" for u in uses[:3]) or "its statements in the log"
    cited = [quote(case, u.file, u.line, side=u.side) for u in uses[:3]]
    side = "still uses" if uses and uses[0].side == "head" else "of today uses"
    links = [_trigger(case, removal), mechanism(f"code {side} {removal.called} ({where}); {why}", *cited, log, *more)]
    query = f"SELECT query, calls FROM pg_stat_statements WHERE query ~* '\\m{removal.name}\\M' ORDER BY calls DESC"
    if table is None or (table.reads is None and table.writes is None):
        question = f"How often do statements of the running version name {removal.called}?"
        links.append(unknown(Role.EXPOSURE, f"the traffic of {removal.table} was not read", question, query, log))
    else:
        rate = (table.reads or 0) + (table.writes or 0)
        said = f"{table.name} takes {table.writes or 0:g} writes and {table.reads or 0:g} reads a second"
        links.append(exposure(said, *table.traffic(), comparison=compare(rate, ">", 0, "1/s")))
    failing = f"every statement that names {removal.called} fails with {removal.sqlstate}"
    if is_certain:
        links.append(harm(failing, *(table.traffic() if table else ()), log))
    elif not uses or uses[0].is_certain:
        question = f"Is this applied while instances that use {removal.called} still run?"
        links.append(unknown(Role.HARM, failing, question, query, *cited))
    else:
        question = f"Does {uses[0].file} line {uses[0].line} mean {removal.called}?"
        links.append(unknown(Role.HARM, failing, question, query, *cited))
    return _trajectory(case, removal, table, links)


def _idle(case: Case, removal: Removal, table: LiveTable) -> Trajectory:
    said = f"nothing reads or writes {table.name}: 0 reads and 0 writes a second" + (
        f" since {table.database.stats_reset}" if table.database.stats_reset else ""
    )
    gone = harm(said, *table.traffic(), comparison=compare((table.reads or 0) + (table.writes or 0), ">", 0, "1/s"))
    return _trajectory(
        case,
        removal,
        table,
        [_trigger(case, removal), mechanism(f"{removal.called} is gone afterwards", quote_step(case, removal.step)), gone],
    )


def _unused(case: Case, removal: Removal, table: LiveTable | None) -> Trajectory | None:
    """No code of this repository names it, neither the version of today nor the new one."""
    if removal.thing == "table" and table is not None:
        rate = (table.reads or 0) + (table.writes or 0)
        if rate > 0:
            return _used_by_others(case, removal, table, rate)
    ignoring = ignoring_lines(case.diff.base, removal.table, removal.name) if removal.thing == "column" else ()
    cited = [quote(case, u.file, u.line, side="base") for u in ignoring[:1]] or [quote_step(case, removal.step)]
    why = f"no code of this repository uses {removal.called}, neither before nor after the change"
    if ignoring:
        why = f"the deployed model already leaves {removal.called} alone, and nothing else names it"
    links = [_trigger(case, removal), mechanism(why, refuting=cited, refutation=Refutation.NO_LONGER_USED)]
    return _trajectory(case, removal, table, links)


def _used_by_others(case: Case, removal: Removal, table: LiveTable, rate: float) -> Trajectory:
    said = f"{table.name} takes {table.writes or 0:g} writes and {table.reads or 0:g} reads a second, from code outside this repository"
    links = [
        _trigger(case, removal),
        mechanism(f"{removal.called} is gone, under that name, from the commit on", quote_step(case, removal.step)),
    ]
    if rate >= _SOMEBODY:
        links.append(exposure(said, *table.traffic(), comparison=compare(rate, ">=", _SOMEBODY, "1/s")))
        links.append(harm(f"each of them fails with {removal.sqlstate}", *table.traffic()))
    else:
        query = f"SELECT usename, application_name, query FROM pg_stat_statements JOIN pg_roles ON oid = userid WHERE query ~* '\\m{removal.name}\\M'"
        links.append(unknown(Role.EXPOSURE, said, f"Who still reads {table.name}?", query, *table.traffic()))
        links.append(harm(f"each of them fails with {removal.sqlstate}", *table.traffic()))
    return _trajectory(case, removal, table, links)


def _takes_it_away(use: Use, removal: Removal) -> bool:
    """The statement itself, where it stands in a script."""
    statement = removal.step.operation.statement
    return use.file == statement.file and statement.line <= use.line <= statement.end_line


# -- questions -----------------------------------------------------------------------------------


def _uses(case: Case, removal: Removal, side: str) -> list[Use]:
    tree = case.diff.base if side == "base" else case.diff.head
    match removal.thing:
        case "table":
            return list(table_uses(tree, removal.table))
        case "label":
            near = {removal.table, *(t.name for t in tables_with_type(case, removal.table))}
            return list(label_uses(tree, removal.name, near=near))
        case "column":
            elsewhere = _columns_elsewhere(case, removal.table)
            with_it = {t for t, columns in elsewhere.items() if bare(removal.name) in columns}
            others = {name for columns in elsewhere.values() for name in columns}
            found = list(column_uses(tree, removal.table, removal.name, others=others, other_tables=with_it))
            return found + (list(whole_row_models(tree, removal.table, removal.name)) if side == "base" else [])


def _columns_elsewhere(case: Case, table: str) -> dict[str, set[str]]:
    """Other tables of production with their columns."""
    return {
        t.name: set(columns_of(t) or {})
        for d in case.production.databases
        for t in d.tables
        if t.name.lower() != bare(table).lower()
    }


def _in_logs(case: Case, removal: Removal) -> LogEvidence | None:
    """A sampled statement of a running version that names the table and the column."""
    if removal.thing == "label":
        return None
    named = rf"\b{re.escape(removal.table)}\b"
    verb = r"(?:select|insert|update|delete|from|into)\b"
    pattern = rf"(?i)^(?=.*\b{verb})(?=.*{named})" + (rf".*\b{re.escape(removal.name)}\b" if removal.thing == "column" else "")
    word = removal.name.lower()
    with_it = {t for t, columns in _columns_elsewhere(case, removal.table).items() if bare(removal.name) in columns}
    holding = {
        line.resource
        for line in case.production.logs
        if word in line.message.lower() and not is_of_other_table([line.message], 1, removal.table, removal.name, with_it)
    }
    return next((found for r in sorted(holding) if case.is_affected(r) and (found := log_count(case, r, pattern))), None)


def _was_read(case: Case, table: str) -> bool:
    return (
        any(d.tables for d in case.production.databases)
        and not any(d.table(table) for d in case.production.databases)
        and len(case.production.databases) == 1
    )


# -- links ---------------------------------------------------------------------------------------


def _trigger(case: Case, removal: Removal) -> Link:
    return trigger(f"{place(removal.step.operation)}: {doing(removal.step.operation)}", quote_step(case, removal.step))


def _trajectory(case: Case, removal: Removal, table: LiveTable | None, links: list[Link]) -> Trajectory:
    op = removal.step.operation
    database = table.database.resource if table else database_id(case, removal.table)
    log_owners = tuple(e.resource for link in links for e in link.evidence if isinstance(e, LogEvidence))
    return Trajectory(
        title=f"{doing(op) if removal.thing != 'label' else f'Renaming the label {removal.name}'} breaks code that uses {removal.called}",
        impact=Impact.HIGH,
        resource=database,
        metric="xact_rollback",
        links=tuple(links),
        make_safe=safe_way(removal.step, engine="postgres"),
        certainty=Certainty.SQLSTATE,
        path=tuple(dict.fromkeys((database, *log_owners))),
        undo=way_back(op),
    )
