"""An index that production still scans is dropped: every scan becomes a read of the whole table."""

# ruff: noqa: S608 (queries for people to run; nothing here is executed)

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from bot.investigator.asking import index_statistic, quote, quote_step, server_statistic, table_statistic
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.safety import safe_way, way_back
from bot.investigator.facts.live_tables import about, database_id, in_words
from bot.investigator.facts.steps_outside import removals_outside
from bot.investigator.playbook import PlaybookInfo
from gonogo.context import Database, Index
from gonogo.evidence import Evidence
from gonogo.trajectory import Certainty, Impact, Link, Refutation, Role, Trajectory
from heuristics.schema.blocking import RATES
from heuristics.schema.known import columns_of_definition
from heuristics.schema.naming import bare
from heuristics.schema.sayings import place
from heuristics.schema.upserts import upserts_on
from heuristics.schema.uses import Use, column_uses
from heuristics.sql import Action, Operation, Simulated

INFO = PlaybookInfo(
    id="dropped-index", question="How often does production scan the index, and what does a scan cost without it?"
)

_ONE_CORE_S = 3_600.0
"""Seconds an hour of reading at full speed: one core and all of its memory bandwidth, for nothing else."""
_SLOW_SCAN_S = 1.0
_MIN_STATS_DAYS = 7.0


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for each dropped index that production has, or may have."""
    dropped_tables = {bare(s.operation.table or "") for s in case.diff.migrations if s.operation.action is Action.DROP_TABLE}
    for step in (*case.diff.migrations, *removals_outside(case)):
        op = step.operation
        if (
            op.action is not Action.DROP_INDEX
            or step.created_here
            or step.error is not None
            or bare(op.table or "") in dropped_tables - {""}
        ):
            continue
        if _is_made_again(case, op):
            continue
        database, index = _find(case, op)
        if database is not None and index is not None:
            yield _known(case, step, database, index)
        elif not _is_absent(case, database, op):
            yield _unknown(case, step)


def _find(case: Case, op: Operation) -> tuple[Database | None, Index | None]:
    """The one database with an index of that name, or with the only index on exactly these columns."""
    name = bare(op.name or "").lower()
    table = bare(op.table or "").lower()
    holding = case.diff.database_of({op.table}) if op.table else None
    databases = (holding,) if holding else case.production.databases
    found = [(d, i) for d in databases for i in d.indexes if name and i.name.lower() == name and table in ("", i.table.lower())]
    if not found and op.columns and table:
        wanted = tuple(c.lower() for c in op.columns)
        found = [(d, i) for d in databases for i in d.indexes if i.table.lower() == table and _columns(i) == wanted]
    return found[0] if len(found) == 1 else (holding, None)


def _is_absent(case: Case, database: Database | None, op: Operation) -> bool:
    """The indexes were read and this one is not among them: DROP INDEX IF EXISTS does nothing."""
    if not op.if_exists:
        return False
    if op.table:
        return database is not None and any(i.table.lower() == bare(op.table).lower() for i in database.indexes)
    return len(case.production.databases) == 1 and bool(case.production.databases[0].indexes)


def _is_made_again(case: Case, op: Operation) -> bool:
    """The same name is created again by this change (a new definition is judged by the covering rule)."""
    return any(
        s.operation.action is Action.CREATE_INDEX
        and op.name
        and s.operation.name == op.name
        and s.operation.columns == op.columns
        for s in case.diff.migrations
    )


def _columns(index: Index) -> tuple[str, ...]:
    return tuple(c.lower() for c in columns_of_definition(index.definition))


def _known(case: Case, step: Simulated, database: Database, index: Index) -> Trajectory:
    table = database.table(index.table)
    rows, size = (table.row_estimate, table.total_bytes) if table else (None, None)
    columns = _columns(index)
    uses = _readers(case, index.table, columns)
    lines = quote_step(case, step)
    cited = index_statistic(case, database.resource, index.name, "scans_per_hour")
    definition = index_statistic(case, database.resource, index.name, "definition")
    links = [
        trigger(
            f"{place(step.operation)} drops {index.name}, the index of {index.table} on {', '.join(columns) or 'its columns'}",
            lines,
        )
    ]
    upsert = _broken_upsert(case, index, columns)
    covering = _covering(case, step, database, index, columns)
    if upsert is not None:
        links.append(
            mechanism(
                f"{index.name} is what ON CONFLICT ({', '.join(columns)}) needs: the statement fails with 42P10",
                *upsert,
                definition,
            )
        )
        links += _upsert_harm(case, database, index)
        return _trajectory(case, step, database, index, links, certainty=Certainty.SQLSTATE)
    if covering is not None:
        links.append(mechanism(covering[0], refuting=covering[1], refutation=Refutation.GUARDED))
        return _trajectory(case, step, database, index, links)
    scans = index.scans_per_hour
    where = f" ({uses[0].file} line {uses[0].line})" if uses else ""
    links.append(
        mechanism(
            f"queries by {', '.join(columns[:2]) or 'these columns'}{where} read the whole table without it",
            *_quoted(case, uses),
            lines,
            definition,
        )
    )
    facts = [table_statistic(case, database.resource, index.table, s) for s in ("row_estimate", "total_bytes")]
    links.append(
        exposure(
            f"production scans it {about(scans)} times an hour; {index.table} has {about(rows)} rows ({in_words(size) or 'size not read'})",
            cited,
            *facts,
        )
    )
    links.append(_cost(case, database, index, (rows, size), cited, facts))
    return _trajectory(case, step, database, index, links)


def _cost(
    case: Case,
    database: Database,
    index: Index,
    table: tuple[float | None, float | None],
    cited: Evidence | None,
    facts: Sequence[Evidence | None],
) -> Link:
    rows, size = table
    scans = index.scans_per_hour
    query = f"SELECT idx_scan, stats_reset FROM pg_stat_user_indexes, pg_stat_database WHERE indexrelname = '{index.name}' AND datname = current_database()"
    if scans is None or cited is None:
        return unknown(
            Role.HARM,
            "every scan becomes a read of the whole table",
            f"How often is {index.name} scanned, on the primary and on replicas?",
            query,
        )
    if scans <= 0:
        reset = server_statistic(case, database.resource, "stats_reset")
        if (days := _days_of_statistics(case, database)) is not None and days < _MIN_STATS_DAYS:
            question = (
                f"Its counter is only {days:.1f} days old: is {index.name} scanned by anything that runs once a week or month?"
            )
            return unknown(Role.HARM, "no scan was counted", question, query, cited, reset)
        since = f" since {database.stats_reset}" if database.stats_reset else ""
        return harm(f"nothing has scanned it{since}", cited, reset, comparison=compare(scans, ">", 0, "scans per hour"))
    bytes_read = size if size is not None else (rows * 60 if rows is not None else None)
    if bytes_read is None:
        return unknown(
            Role.HARM, f"{scans:,.0f} scans an hour become reads of the whole table", f"How large is {index.table}?", query, cited
        )
    one = bytes_read / RATES["scan"][0]
    busy = scans * one
    said = f"{scans:,.0f} scans an hour become reads of the whole table, at least {one:,.2g} s each: {busy:,.0f} s of reading in every hour"
    if busy >= _ONE_CORE_S:
        return harm(said, cited, *facts, comparison=compare(busy, ">=", _ONE_CORE_S, "s per hour"))
    if one < _SLOW_SCAN_S and busy < _ONE_CORE_S / 10:
        return harm(said, cited, *facts, comparison=compare(busy, ">=", _ONE_CORE_S, "s per hour"))
    return unknown(Role.HARM, said, "Who runs these queries, and how long may they take?", query, cited)


def _covering(
    case: Case, step: Simulated, database: Database, index: Index, columns: tuple[str, ...]
) -> tuple[str, list[Evidence | None]] | None:
    """Another index with the same leading columns: made by this change before the drop, or in production already."""
    is_unique = bool(re.search(r"(?i)\bunique\b", index.definition))
    is_partial = bool(re.search(r"(?i)\bwhere\b", index.definition))
    if not columns or is_unique:
        return None
    dropped = {bare(s.operation.name or "").lower() for s in case.diff.migrations if s.operation.action is Action.DROP_INDEX}
    for other in case.diff.migrations:
        op = other.operation
        if other is step:
            break
        made = tuple(c.lower() for c in op.columns)
        if (
            op.action in (Action.CREATE_INDEX, Action.ADD_UNIQUE, Action.ADD_PRIMARY_KEY)
            and bare(op.table or "").lower() == index.table.lower()
            and made[: len(columns)] == columns
            and (is_partial or not op.has_where)
            and op.index_method in ("", "btree")
            and other.error is None
        ):
            said = f"{place(op)} builds {bare(op.name or 'an index')} on ({', '.join(op.columns)}) first, which serves the same queries"
            return said, [quote(case, op.statement.file, op.statement.line, end_line=op.statement.end_line)]
    for standing in database.indexes:
        same = (
            standing.table.lower() == index.table.lower() and standing.name != index.name and standing.name.lower() not in dropped
        )
        if (
            same
            and _columns(standing)[: len(columns)] == columns
            and not re.search(r"(?i)\bwhere\b|using (?!btree)", standing.definition)
        ):
            said = f"{standing.name} has the same leading columns and stays"
            return said, [index_statistic(case, database.resource, standing.name, "definition")]
    return None


def _broken_upsert(case: Case, index: Index, columns: tuple[str, ...]) -> list[Evidence | None] | None:
    if not columns or not re.search(r"(?i)\bunique\b", index.definition):
        return None
    kept = any(
        s.operation.is_unique
        and s.operation.action in (Action.CREATE_INDEX, Action.ADD_UNIQUE)
        and {c.lower() for c in s.operation.columns} == set(columns)
        for s in case.diff.migrations
    )
    found = () if kept else upserts_on(case.diff.head, index.table, columns)
    return [quote(case, u.file, u.line) for u in found[:2]] or None


def _upsert_harm(case: Case, database: Database, index: Index) -> list[Link]:
    writes = table_statistic(case, database.resource, index.table, "writes_per_second")
    table = database.table(index.table)
    if writes is None or table is None:
        return [
            unknown(
                Role.EXPOSURE,
                "how often it is written was not read",
                f"How many writes a second does {index.table} take?",
                "SELECT * FROM pg_stat_user_tables",
            )
        ]
    said = f"{index.table} takes {table.writes_per_second:g} writes a second"
    return [
        exposure(said, writes, comparison=compare(table.writes_per_second or 0, ">", 0, "1/s")),
        harm("each upsert fails with 42P10", writes),
    ]


def _unknown(case: Case, step: Simulated) -> Trajectory:
    op = step.operation
    name = bare(op.name or "the index")
    literal = name.replace("'", "''")
    query = (
        "SELECT i.relname, i.indexrelname, i.idx_scan, t.n_live_tup AS rows FROM pg_stat_user_indexes i "
        f"JOIN pg_stat_user_tables t USING (relid) WHERE i.indexrelname = '{literal}'"
    )
    links = [
        trigger(f"{place(op)} drops {name}", quote_step(case, step)),
        mechanism("queries that it serves read the whole table without it", quote_step(case, step)),
        unknown(Role.EXPOSURE, "its scans were not read", f"How often is {name} scanned, on the primary and on replicas?", query),
        unknown(
            Role.HARM,
            "those queries become as slow as the table is large",
            f"How many rows has {bare(op.table or 'its table')}?",
            query,
        ),
    ]
    resource = database_id(case, op.table)
    return Trajectory(
        title=f"Dropping {name} slows the queries that use it", impact=Impact.MEDIUM, resource=resource, metric="ReadLatency",
        links=tuple(links), make_safe=safe_way(step), path=(resource,), undo=way_back(op),
    )  # fmt: skip


def _readers(case: Case, table: str, columns: tuple[str, ...]) -> list[Use]:
    if not columns or not re.fullmatch(r"\w+", columns[0]):
        return []
    found = [u for u in column_uses(case.diff.head, table, columns[0]) if u.is_certain]
    return sorted(found, key=lambda u: (_is_query(u) is False, u.how != "sql", u.file))[:2]


def _is_query(use: Use) -> bool:
    return bool(re.search(r"(?i)where|filter|find|order_?by|get\b|select|scope|query", use.text))


def _quoted(case: Case, uses: Sequence[Use]) -> list[Evidence]:
    return [quote(case, u.file, u.line, side=u.side) for u in uses]


def _days_of_statistics(case: Case, database: Database) -> float | None:
    try:
        since = datetime.fromisoformat(database.stats_reset or "")
        now = case.production.read_at
        return (now - since).total_seconds() / 86_400 if now is not None else None
    except (ValueError, TypeError):
        return None


def _trajectory(
    case: Case, step: Simulated, database: Database, index: Index, links: list[Link], *, certainty: Certainty | None = None
) -> Trajectory:
    del case
    return Trajectory(
        title=f"Dropping {index.name} slows the queries of {index.table} that use it"
        if certainty is None
        else f"Dropping {index.name} breaks upserts into {index.table}",
        impact=Impact.HIGH,
        resource=database.resource,
        metric="CPUUtilization",
        links=tuple(links),
        make_safe=safe_way(step, engine="postgres"),
        certainty=certainty,
        path=(database.resource,),
        undo=way_back(step.operation),
    )
