"""A constraint that rows already break: the migration fails with a known SQLSTATE, and the deploy with it."""

# ruff: noqa: S608 (queries for people to run; nothing here is executed)

import re
from collections.abc import Iterator

from bot.investigator.asking import Reading, quote, quote_step
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.live_tables import LiveTable, about, bare_name, database_id, live_table
from bot.investigator.facts.logged_rows import shown_in_logs
from bot.investigator.facts.row_checks import counted_in_logs, counted_in_metrics
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import LogEvidence, MetricEvidence
from gonogo.trajectory import Certainty, Impact, Link, Refutation, Role, Trajectory
from heuristics.migrated import migration_order
from heuristics.schema.broken_checks import Judged, violates
from heuristics.schema.columns import ColumnFacts, column_facts
from heuristics.schema.demands import Demand, demands_in, is_narrowing
from heuristics.schema.known import constraints_on
from heuristics.schema.sayings import doing, place
from heuristics.schema.validations import validations_in
from heuristics.sql import Action
from heuristics.sql.words import Conjunct

INFO = PlaybookInfo(
    id="violated-constraint", question="Do rows that are there already break the constraint, or not fit the type?"
)

_SURELY_REPEATED = 0.98
"""Distinct values over rows below which an estimate leaves no doubt that some repeat."""

_SEEN_AGAIN = 2.0
"""Rows with one value from which it is surely repeated."""


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for each demand on rows of a table that production has, or may have."""
    validated = {bare_name(s.operation.table) for s in case.diff.migrations if s.operation.action is Action.VALIDATE_CONSTRAINT}
    known = {t: constraints_on(live.database, t) or () for t in validated if (live := live_table(case, t)) is not None}
    for demand in (*demands_in(case.diff.migrations), *validations_in(case.diff.migrations, known)):
        claim = _claim(case, demand)
        if claim is not None:
            yield claim


def _claim(case: Case, demand: Demand) -> Trajectory | None:
    table = live_table(case, demand.table)
    engine = table.database.engine if table else demand.step.operation.statement.dialect
    if demand.kind == "new-not-null" and engine in ("mysql", "mariadb"):
        return None  # existing rows get the type's implicit default
    if table is not None and table.rows == 0:
        return None
    facts = column_facts(table.table if table else None, demand.columns[0]) if demand.columns else None
    old_type = (facts.type if facts else "") or demand.step.operation.old_type or ""
    if demand.kind in ("length", "range") and is_narrowing(demand, old_type) is not True:
        return None
    if demand.kind == "not-null" and facts is not None and facts.is_nullable is False:
        return None
    if demand.filled_by is not None:
        by = demand.filled_by
        why = f"{place(by)} changes the rows first, so that they satisfy it"
        link = mechanism(why, refuting=[quote(case, by.statement.file, by.statement.line)], refutation=Refutation.GUARDED)
        return _trajectory(case, demand, table, [_trigger(case, demand), link], None)
    judged = _judged(case, demand, table, facts)
    if judged is None or (demand.is_restated and not (judged[0].comparison and judged[0].comparison.holds())):
        return None
    return _trajectory(
        case,
        demand,
        table,
        [_trigger(case, demand), _mechanism(case, demand), *_exposure(case, demand, table), judged[0]],
        judged[1],
    )


def _judged(case: Case, demand: Demand, table: LiveTable | None, facts: ColumnFacts | None) -> tuple[Link, Reading | None] | None:
    """The harm link, and the log reading it rests on."""
    logged = counted_in_logs(case, demand) or counted_in_metrics(case, demand, table.database.resource if table else None)
    if logged is not None:
        said = f"a check in the {'log' if isinstance(logged.evidence, LogEvidence) else 'metrics'} counted {logged.value:,.0f} {_offenders(demand)} in {demand.table}"
        return harm(said, logged, comparison=compare(logged.value, ">", 0, "rows")), logged
    columns = table.cite("columns") if table is not None else None
    rows = table.rows if table is not None else None
    counted = _counted(demand, facts, rows, table)
    shown = (
        None
        if counted is not None and counted[1] > counted[2]
        else shown_in_logs(case, demand, table.database if table else None)
    )
    if shown is not None:
        return harm(shown.says, shown.reading, comparison=shown.comparison), shown.reading
    if counted is not None and columns is not None:
        said, observed, limit, unit = counted
        return harm(
            said, columns, table.cite("row_estimate") if table else None, comparison=compare(observed, ">", limit, unit)
        ), None
    if demand.kind == "new-not-null" and table is not None and rows is not None:
        cited = table.cite("row_estimate")
        said = f"{table.name} has {about(rows)} rows, and none has a value for the new column"
        return harm(said, cited, comparison=compare(rows, ">", 0, "rows")), None
    if demand.kind == "reference" or (demand.kind == "check" and not demand.conjuncts):
        return None
    question, query = _question(demand)
    return unknown(Role.HARM, f"it fails with {demand.sqlstate} when {_offenders(demand)} exist", question, query), None


def _counted(
    demand: Demand, facts: ColumnFacts | None, rows: float | None, table: LiveTable | None
) -> tuple[str, float, float, str] | None:
    """What statistics say: sentence, observed, limit, unit; observed above limit means that rows break it."""
    name = f"{demand.table}.{demand.columns[0]}" if demand.columns else demand.table
    match demand.kind:
        case "not-null":
            nulls = rows if demand.is_new_column else facts.nulls(rows) if facts else None
            if nulls is None:
                return None
            share = f" ({facts.null_fraction:.1%})" if facts and facts.null_fraction is not None else ""
            return f"about {nulls:,.0f} rows{share} have no {name}", nulls, 0.0, "rows"
        case "unique":
            return _repeated(demand, rows, table)
        case "check":
            return _broken_check(demand, table)
        case "length":
            longest = _longest(facts, demand.limit or 0)
            if longest is None:
                return None
            return (
                f"the longest {name} has {longest:g} characters, the new type holds {demand.limit:g}",
                longest,
                demand.limit or 0,
                "characters",
            )
        case "range":
            highest = _highest(facts, demand.limit or 0)
            if highest is None:
                return None
            return f"the highest {name} is {highest:,.0f}, the new type holds {demand.limit:,.0f}", highest, demand.limit or 0, ""
        case "new-not-null" | "reference":
            return None


def _longest(facts: ColumnFacts | None, limit: float) -> float | None:
    """The longest text; from listed values only where one is too long, or no other value occurs."""
    if facts is None or facts.max_length is not None:
        return facts.max_length if facts is not None else None
    listed = max((float(len(v.text)) for v in facts.held.values), default=None)
    return listed if listed is not None and (listed > limit or facts.held.is_whole) else None


def _highest(facts: ColumnFacts | None, limit: float) -> float | None:
    if facts is None or facts.highest is not None:
        return facts.highest if facts is not None else None
    listed = max(facts.held.numbers(), default=None)
    return listed if listed is not None and listed > limit else None


def _repeated(demand: Demand, rows: float | None, table: LiveTable | None) -> tuple[str, float, float, str] | None:
    all_facts = [column_facts(table.table if table else None, c) for c in demand.columns]
    named = ", ".join(demand.columns)
    if any(f is not None and (f.distinct == -1 or (rows and f.distinct is not None and f.distinct >= rows)) for f in all_facts):
        return f"every value of ({named}) is different", 0.0, 0.0, "rows"
    known = [f for f in all_facts if f is not None]
    if len(demand.columns) == 1 and known and known[0].duplicates is not None:
        return f"{known[0].duplicates:,.0f} values of {named} occur more than once", known[0].duplicates, 0.0, "rows"
    common = max((v.rows(rows) or 0.0 for v in known[0].held.values), default=0.0) if len(known) == 1 else 0.0
    if len(demand.columns) == 1 and not demand.is_partial and common >= _SEEN_AGAIN:
        return f"one value of {named} stands in about {common:,.0f} rows", common, 1.0, "rows"
    if demand.is_partial or not rows or len(known) < len(demand.columns):
        return None
    combinations = 1.0
    for one in known:
        values = one.distinct_values(rows)
        if values is None or (one.null_fraction is None and one.is_nullable is not False):
            return None
        combinations *= max(values, 1.0)
    with_value = rows * min(1 - (f.null_fraction or 0) for f in known)
    if combinations < with_value * _SURELY_REPEATED:
        return f"{with_value:,.0f} rows share {combinations:,.0f} values of ({named})", with_value - combinations, 0.0, "rows"
    return None


def _broken_check(demand: Demand, table: LiveTable | None) -> tuple[str, float, float, str] | None:
    verdicts: list[Judged | None] = []
    for conjunct in sorted(demand.conjuncts):
        facts = column_facts(table.table if table else None, conjunct[0])
        judged = violates(conjunct, facts) if facts else None
        verdicts.append(judged)
        if judged is not None and judged.is_broken and facts is not None:
            return _broken_by(conjunct, judged, facts, table)
    if verdicts and demand.is_read_whole and all(v is not None for v in verdicts):
        return "the values that the statistics list satisfy it", 0.0, 0.0, "rows"
    return None


def _broken_by(conjunct: Conjunct, judged: Judged, facts: ColumnFacts, table: LiveTable | None) -> tuple[str, float, float, str]:
    asks = " ".join(part for part in conjunct if part)
    if judged.value is not None:
        rows = judged.value.rows(table.rows if table is not None else None)
        share = f" ({judged.value.share:.1%})" if judged.value.share is not None else ""
        held = f"about {rows:,.0f} rows{share} have" if rows is not None else "rows have"
        return f"{held} {conjunct[0]} {judged.value.text}, and it asks for {asks}", max(rows or 1.0, 1.0), 0.0, "rows"
    if conjunct[1] == "is not null":
        return f"rows have no {conjunct[0]}", 1.0, 0.0, "rows"
    low = "unknown" if facts.lowest is None else f"{facts.lowest:g}"
    high = "unknown" if facts.highest is None else f"{facts.highest:g}"
    return f"{conjunct[0]} goes from {low} to {high}, so rows break {asks}", 1.0, 0.0, "rows"


def _offenders(demand: Demand) -> str:
    named = ", ".join(demand.columns)
    return {
        "not-null": f"rows without {named}",
        "new-not-null": "rows",
        "unique": f"repeated values of ({named})",
        "check": "rows that break the check",
        "length": f"values of {named} longer than {demand.limit or 0:g} characters",
        "range": f"values of {named} above {demand.limit or 0:,.0f}",
        "reference": f"rows whose {named} points at nothing",
    }[demand.kind]


def _question(demand: Demand) -> tuple[str, str]:
    table, first = demand.table, demand.columns[0] if demand.columns else ""
    named = ", ".join(demand.columns)
    match demand.kind:
        case "unique":
            return (
                f"Does any value of ({named}) occur twice in {table}?",
                f"SELECT {named}, count(*) FROM {table} GROUP BY {named} HAVING count(*) > 1 LIMIT 10 -- on a replica",
            )
        case "length":
            return f"How long is the longest {first} of {table}?", f"SELECT max(length({first})) FROM {table} -- on a replica"
        case "range":
            return f"How high is the highest {first} of {table}?", f"SELECT max({first}) FROM {table} -- on a replica"
        case "check":
            text = demand.step.operation.constraint.text if demand.step.operation.constraint else "the condition"
            return f"Does any row of {table} break {text}?", f"SELECT count(*) FROM {table} WHERE NOT ({text}) -- on a replica"
        case "not-null" | "new-not-null" | "reference":
            return (
                f"How many rows of {table} have no {first}?",
                f"SELECT count(*) FROM {table} WHERE {first} IS NULL -- on a replica",
            )


def _trigger(case: Case, demand: Demand) -> Link:
    return trigger(f"{place(demand.step.operation)}: {doing(demand.step.operation)}", quote_step(case, demand.step))


def _mechanism(case: Case, demand: Demand) -> Link:
    order = migration_order(case.diff, demand.step.operation.statement.file)
    then = {
        "boot": "every new instance stops at the failed migration, and the release cannot go out",
        "before": "the release stops at the failed migration",
        "after": "the migration fails after the release, and its code runs without it",
    }.get(order.moment, "the migration fails, and what depends on it cannot go out")
    at = quote(case, order.place.file, order.place.line) if order.place else None
    return mechanism(
        f"a row that does not satisfy it makes the statement fail with {demand.sqlstate}; {then}",
        quote_step(case, demand.step),
        at,
    )


def _exposure(case: Case, demand: Demand, table: LiveTable | None) -> list[Link]:
    if table is None:
        question = f"How many rows does {demand.table} have?"
        return [unknown(Role.EXPOSURE, f"{demand.table} was not read", question, f"SELECT count(*) FROM {demand.table}")]
    del case
    return [exposure(f"{table.name} has {about(table.rows)} rows", *table.size(), *table.traffic())]


def _trajectory(case: Case, demand: Demand, table: LiveTable | None, links: list[Link], logged: Reading | None) -> Trajectory:
    database = table.database.resource if table else database_id(case, demand.table)
    owner = (
        (logged.evidence.resource,) if logged is not None and isinstance(logged.evidence, LogEvidence | MetricEvidence) else ()
    )
    named = re.sub(r"^(Building|Adding|Changing)\b", lambda m: m.group(0), doing(demand.step.operation))
    return Trajectory(
        title=f"{named} fails with {demand.sqlstate} on rows that are there already",
        impact=Impact.HIGH,
        resource=database,
        metric="failed_migrations",
        links=tuple(links),
        make_safe="Clean up the rows first (in batches), make the code write valid ones, and add the constraint in a later release.",
        certainty=Certainty.SQLSTATE,
        path=tuple(dict.fromkeys((database, *owner))),
        undo="Nothing to undo in the data: the statement is rolled back. A `CONCURRENTLY` build leaves an INVALID index behind; drop it.",
    )
