"""DDL that keeps a live table's reads or writes waiting while it scans, rewrites or builds."""

import re
from collections.abc import Iterable, Iterator

from bot.investigator.asking import quote, quote_removed, quote_step
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.safety import safe_way, way_back
from bot.investigator.facts.live_tables import (
    LiveTable,
    about,
    database_id,
    in_words,
    live_table,
    milliseconds_setting,
    more_number,
    setting,
    size_of,
)
from bot.investigator.facts.steps_outside import steps_outside
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import Evidence
from gonogo.trajectory import Certainty, Impact, Link, Refutation, Role, Trajectory
from heuristics.schema.blocking import Seconds, slow_tables, total_duration, waiting_tables, work_of
from heuristics.schema.retyped import retyped
from heuristics.schema.sayings import doing, held_until, lock_name, place, size_query
from heuristics.sql import Action, Simulated

INFO = PlaybookInfo(
    id="lock-on-live-table", question="How long do how many requests wait for the lock that this statement holds?"
)

_LOOKS_DANGEROUS = frozenset(
    {
        Action.CREATE_INDEX, Action.REINDEX, Action.SET_NOT_NULL, Action.ADD_NOT_NULL_CONSTRAINT, Action.ADD_CHECK, Action.ADD_FOREIGN_KEY,
        Action.ADD_UNIQUE, Action.ADD_PRIMARY_KEY, Action.ADD_EXCLUSION, Action.VALIDATE_CONSTRAINT, Action.ALTER_TYPE, Action.VACUUM_FULL,
        Action.CLUSTER, Action.REWRITE_TABLE, Action.ATTACH_PARTITION, Action.DETACH_PARTITION, Action.REFRESH_MATVIEW,
    }
)  # fmt: skip
_BIG_ROWS = 10_000
_NOTICED_S = 1.0
"""A pause shorter than a second fails nothing: clients wait longer than that."""
_GIVEN_UP_S = 5.0
"""Requests that wait longer fail, and do not merely take longer: connection pools give up after 5 s (Rails) to 30 s (HikariCP, SQLAlchemy)."""
_LONG_TRANSACTION_S = 60.0


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for each statement that keeps others waiting, or looks as if it did."""
    seen: set[str] = set()
    for step in (*case.diff.migrations, *steps_outside(case)):
        if step.error is not None or not step.is_reached or not step.is_committed:
            continue
        claim = _claim(case, step)
        if claim is not None and claim.title not in seen:
            seen.add(claim.title)
            yield claim


def _claim(case: Case, step: Simulated) -> Trajectory | None:
    if step.created_here:
        return _created_here(case, step)
    if step.operation.action is Action.TRUNCATE:
        return _emptied(case, step)
    if step.slow_under:
        return _blocked(case, step)
    if step.operation.action in (Action.UPDATE, Action.DELETE):
        return _changed_at_once(case, step)
    return _queued(case, step) or _online(case, step)


def _created_here(case: Case, step: Simulated) -> Trajectory | None:
    op = step.operation
    if op.action not in _LOOKS_DANGEROUS or op.action is Action.VALIDATE_CONSTRAINT:
        return None
    made = next(
        (
            s.operation
            for s in case.diff.migrations
            if s.operation.action is Action.CREATE_TABLE and s.operation.table == op.table
        ),
        op,
    )
    why = f"{op.table} is created by {place(made)}, so it is empty and nobody uses it yet"
    lines = quote(case, made.statement.file, made.statement.line)
    links = [_trigger(case, step), mechanism(why, refuting=[lines], refutation=Refutation.CREATED_HERE)]
    return _trajectory(case, step, {}, links, is_reading=False)


# -- slow while others wait ----------------------------------------------------------------------


def _blocked(case: Case, step: Simulated) -> Trajectory | None:
    waiting = waiting_tables(step)
    tables = {name: found for name in waiting if (found := live_table(case, name))}
    rate, seconds = _rate(tables, waiting), _seconds(case, step, tables)
    if (
        rate is None
        and seconds is not None
        and seconds.high < _NOTICED_S
        and all(size_of(case, t) != (None, None) for t in slow_tables(step))
    ):
        rate = 0.0  # whatever the traffic: the pause is too short to be noticed
    elif rate is None or (seconds is None and rate > 0):
        return _size_unknown(case, step, waiting)
    seconds = seconds or Seconds(0, 0)
    low, high = seconds.low * rate, seconds.high * rate
    material = case.policy.material_requests
    traffic = [cited for name, table in tables.items() for cited in _waiting_traffic(table, is_reading=waiting[name])]
    sizes = [cited for name in slow_tables(step) if (table := live_table(case, name)) for cited in table.size()]
    who = _who(tables, waiting)
    if _is_sure(step) and low >= material and seconds.low >= _NOTICED_S:
        said = f"{who} wait for {_span(seconds)}: at least {low:,.0f} requests, and connection pools fill up behind them"
        hurt = harm(said, *traffic, *sizes, comparison=compare(low, ">=", material, "requests"))
    elif high < material and traffic:
        said = f"{who} wait for {_span(seconds)} at the most: {high:,.1f} requests"
        hurt = harm(said, *traffic, *sizes, comparison=compare(high, ">=", material, "requests"))
    elif seconds.high < _NOTICED_S:
        said = f"the lock is held for {_span(seconds)}, a pause that clients do not notice"
        hurt = harm(said, *sizes, *traffic, comparison=compare(seconds.high, ">=", _NOTICED_S, "s"))
    else:
        question = f"How long does this take on production's {' and '.join(slow_tables(step) or tables)}{_doubt(step)}?"
        hurt = unknown(Role.HARM, f"{who} would wait for about {_span(seconds)}", question, size_query(*tables), *traffic)
    links = [_trigger(case, step), _mechanism(case, step), _exposure(tables, sizes, traffic), hurt]
    return _trajectory(case, step, tables, links, is_reading=any(waiting.values()), waits_s=seconds.low)


def _seconds(case: Case, step: Simulated, tables: dict[str, LiveTable]) -> Seconds | None:
    found = total_duration(step, lambda name: size_of(case, name))
    limit = step.statement_timeout_ms
    if limit is None and tables:
        limit = milliseconds_setting(next(iter(tables.values())).database, "statement_timeout")
    return found.at_most(limit / 1000 if limit else None) if found else None


def _is_sure(step: Simulated) -> bool:
    op = step.operation
    if op.action in (Action.UPDATE, Action.DELETE):
        return not op.has_where or _fills_null(step)
    return not step.effect.depends_on and op.action is not Action.DATA and op.statement.is_analysed


def _fills_null(step: Simulated) -> bool:
    """`UPDATE … SET c = … WHERE c IS NULL` of a column that this run added: that is every row."""
    said = re.search(r"(?is)\bwhere\s+(?:\w{1,80}\.)?\"?(\w{1,80})\"?\s+is\s+null\s*;?\s*$", step.operation.statement.sql[-300:])
    return (
        said is not None
        and said.group(1) in step.operation.columns
        and step.held.get(step.operation.table or "") == "AccessExclusive"
    )


def _rate(tables: dict[str, LiveTable], waiting: dict[str, bool]) -> float | None:
    rates = [r for name, table in tables.items() for r in (table.writes, table.reads if waiting[name] else None) if r is not None]
    return sum(rates) if rates else None


def _waiting_traffic(table: LiveTable, *, is_reading: bool) -> list[Evidence]:
    cited = [table.cite("writes_per_second"), table.cite("reads_per_second") if is_reading else None]
    return [c for c in cited if c is not None]


def _who(tables: dict[str, LiveTable], waiting: dict[str, bool]) -> str:
    parts: list[str] = []
    for name, table in tables.items():
        kinds = [f"writes ({table.writes:g} per second)"] if table.writes is not None else []
        kinds += [f"reads ({table.reads:g} per second)"] if waiting[name] and table.reads is not None else []
        parts += [f"{' and '.join(kinds)} {'of' if waiting[name] else 'to'} {name}"] if kinds else []
    return " and ".join(parts)


def _span(seconds: Seconds) -> str:
    return (
        f"{_short(seconds.low)} to {_short(seconds.high)} s" if seconds.high - seconds.low > 0.05 else f"{_short(seconds.high)} s"
    )


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}" if value >= 0.1 else f"{value:.2g}"


def _doubt(step: Simulated) -> str:
    return f" ({'; '.join(step.effect.depends_on[:2])})" if step.effect.depends_on else ""


def _size_unknown(case: Case, step: Simulated, waiting: dict[str, bool]) -> Trajectory | None:
    if any(live_table(case, name) and live_table(case, name).is_idle for name in waiting):  # pyright: ignore[reportOptionalMemberAccess]
        return None
    named = " and ".join(waiting)
    what = "reads and writes" if any(waiting.values()) else "writes"
    question = f"How many rows and bytes has {named}, and how many {what} a second does it take?"
    claim = f"{what} {'of' if any(waiting.values()) else 'to'} {named} wait for as long as it takes, which grows with the table"
    open_link = unknown(Role.EXPOSURE, f"the size and the traffic of {named} were not read", question, size_query(*waiting))
    hurt = unknown(Role.HARM, claim, f"How long does it take{_doubt(step)}?", size_query(*waiting))
    return _trajectory(
        case, step, {}, [_trigger(case, step), _mechanism(case, step), open_link, hurt], is_reading=any(waiting.values())
    )


# -- not slow, or nobody waits -------------------------------------------------------------------


def _changed_at_once(case: Case, step: Simulated) -> Trajectory | None:
    """Every row changed in one statement: writers of the same rows wait until it commits."""
    op = step.operation
    table = live_table(case, op.table)
    if table is None or op.has_where or table.writes is None:
        return None
    seconds = _seconds(case, step, {table.name: table})
    if seconds is None or (table.rows or 0) < _BIG_ROWS:
        return None
    high, material = seconds.high * table.writes, case.policy.material_requests
    head = [
        _trigger(case, step),
        mechanism(f"one statement changes every row and keeps each locked {held_until(step)}", quote_step(case, step)),
    ]
    facts = [c for c in (*table.size(), table.cite("writes_per_second")) if c is not None]
    seen = _exposure({table.name: table}, facts, [])
    if high < material or seconds.high < _NOTICED_S:
        hurt = harm(
            f"it takes {_span(seconds)}: {high:,.1f} writes could wait",
            *facts,
            comparison=compare(high, ">=", material, "requests"),
        )
    else:
        question = (
            f"How many of the {table.writes:g} writes a second to {table.name} change or delete rows that already stand there?"
        )
        hurt = unknown(
            Role.HARM,
            f"updates of the same rows wait for {_span(seconds)}, and replicas fall behind",
            question,
            size_query(table.name),
        )
    return _trajectory(case, step, {table.name: table}, [*head, seen, hurt], is_reading=False)


def _emptied(case: Case, step: Simulated) -> Trajectory | None:
    """TRUNCATE is quick; whether somebody misses the rows is the question."""
    table = live_table(case, step.operation.table)
    if table is None or table.reads is None or table.rows == 0:
        return None
    head = [
        _trigger(case, step),
        mechanism("every row goes, and nothing brings it back after the commit", quote_step(case, step)),
    ]
    seen = exposure(
        f"{table.name} has {about(table.rows)} rows and serves {table.reads:g} reads a second", *table.size(), *table.traffic()
    )
    if table.is_idle:
        gone = harm("nothing reads or writes it", *table.traffic(), comparison=compare(0, ">", 0, "1/s"))
    else:
        question = f"Do the {table.reads:g} reads a second of {table.name} cope with an empty table?"
        gone = unknown(Role.HARM, "readers find nothing", question, size_query(table.name), *table.traffic())
    return _trajectory(case, step, {table.name: table}, [*head, seen, gone], is_reading=True)


def _queued(case: Case, step: Simulated) -> Trajectory | None:
    """A brief lock that must first wait for a long transaction, with everybody else queueing behind it."""
    waiting = {name for name, mode in step.effect.locks.items() if mode == "AccessExclusive"}
    table = next((found for name in sorted(waiting) if (found := live_table(case, name))), None)
    if table is None or (table.writes is None and table.reads is None):
        return None
    longest = more_number(
        table.database, "longest_transaction_s", "longest_transaction_seconds", "oldest_transaction_s", "max_transaction_s"
    )
    limit = step.lock_timeout_ms if step.lock_timeout_ms is not None else milliseconds_setting(table.database, "lock_timeout")
    rate = (table.writes or 0) + (table.reads or 0)
    if longest is None or limit or longest[0] < _LONG_TRANSACTION_S or longest[0] * rate < case.policy.material_requests:
        return None
    from bot.investigator.asking import server_statistic  # noqa: PLC0415

    facts = [
        server_statistic(case, table.database.resource, longest[1]),
        setting(case, table.database, "lock_timeout"),
        *table.traffic(),
    ]
    said = f"with no lock_timeout it queues behind transactions of up to {longest[0]:,.0f} s, and every later query of {table.name} queues behind it"
    question = f"Do transactions that long touch {table.name} at the time of the deploy?"
    query = "SELECT pid, now() - xact_start AS age, query FROM pg_stat_activity WHERE xact_start < now() - interval '30 s' ORDER BY 2 DESC"
    links = [
        _trigger(case, step),
        mechanism(said, quote_step(case, step)),
        exposure(f"{table.name} serves {rate:g} queries a second", *facts),
    ]
    hurt = unknown(Role.HARM, f"about {rate:g} queries a second would wait", question, query)
    return _trajectory(case, step, {table.name: table}, [*links, hurt], is_reading=True)


def _online(case: Case, step: Simulated) -> Trajectory | None:
    """It looks like a long lock and is none: nothing is scanned or rewritten, or nobody is kept out meanwhile."""
    op = step.operation
    is_filled_column = op.action is Action.ADD_COLUMN and op.column is not None and (op.has_default or op.is_not_null)
    table = live_table(case, op.table)
    if table is None or not (op.action in _LOOKS_DANGEROUS or is_filled_column) or step.effect.depends_on:
        return None
    facts = [c for c in (*table.size(), *table.traffic()) if c is not None]
    if not facts:
        return None
    slow = bool(step.effect.scans or step.effect.rewrites)
    why = (
        "neither reads nor writes wait while it runs"
        if slow
        else "it touches no row, so the lock is held for milliseconds whatever the size"
    )
    if step.effect.algorithm:
        why = f"{step.effect.algorithm}: {why}"
    proof = f" ({step.proof})" if step.proof else ""
    from bot.investigator.asking import server_statistic  # noqa: PLC0415

    proved = server_statistic(case, table.database.resource, "constraints") if step.proof else None
    links = [
        _trigger(case, step),
        mechanism(f"on {_server(table)} {why}{proof}", quote_step(case, step), proved),
        _exposure({table.name: table}, facts, []),
        harm(
            why,
            *facts,
            comparison=compare(0, ">=", case.policy.material_requests, "requests"),
        ),
    ]
    return _trajectory(case, step, {table.name: table}, links, is_reading=False)


# -- links ---------------------------------------------------------------------------------------


def _trigger(case: Case, step: Simulated) -> Link:
    return trigger(f"{doing(step.operation)} is part of this change", quote_step(case, step))


def _mechanism(case: Case, step: Simulated) -> Link:
    tables_by_mode = {
        mode: [name for name, held in sorted(step.slow_under.items()) if held == mode]
        for mode in sorted(set(step.slow_under.values()))
    }
    locks = ", ".join(f"{lock_name(mode)} on {' and '.join(names)}" for mode, names in tables_by_mode.items())
    does = {
        "scan": "every row is read",
        "rewrite": "every row is written again",
        "build": "the index is built",
        "update": "the rows are changed",
    }
    declared = retyped(step.operation, case.diff.changes, case.diff.base) if step.operation.action is Action.ALTER_TYPE else None
    was = quote_removed(case, declared.file, declared.base_line) if declared is not None else ()
    return mechanism(f"it holds {locks} {held_until(step)}, while {does[work_of(step)]}", quote_step(case, step), *was)


def _exposure(tables: dict[str, LiveTable], sizes: Iterable[Evidence | None], traffic: Iterable[Evidence | None]) -> Link:
    said = "; ".join(
        f"{name} has {about(table.rows)} rows ({in_words(table.total_bytes) or 'size not read'})"
        for name, table in tables.items()
    )
    facts = [c for table in tables.values() for c in table.size() if c is not None]
    return exposure(said, *facts, *sizes, *traffic)


def _server(table: LiveTable) -> str:
    return f"{table.database.engine} {table.database.version}".strip()


def _trajectory(
    case: Case, step: Simulated, tables: dict[str, LiveTable], links: list[Link], *, is_reading: bool, waits_s: float = 0
) -> Trajectory:
    op = step.operation
    database = database_id(case, op.table, *tables)
    engine = next((t.database.engine for t in tables.values()), op.statement.dialect)
    named = " and ".join(step.slow_under or tables or [op.table or "the table"])
    return Trajectory(
        title=f"{doing(op)} blocks {'reads and writes of' if is_reading else 'writes to'} {named}",
        impact=Impact.HIGH if is_reading or waits_s >= _GIVEN_UP_S else Impact.MEDIUM,
        resource=database,
        metric="DatabaseConnections",
        links=tuple(links),
        make_safe=safe_way(step, engine=engine),
        certainty=Certainty.LOCK,
        path=(database,),
        undo=way_back(op, engine=engine),
    )
