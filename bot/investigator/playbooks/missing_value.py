"""A column becomes obligatory while a version that runs inserts rows without it."""

# ruff: noqa: S608 (queries for people to run; nothing here is executed)

from collections.abc import Iterator, Sequence

from bot.investigator.asking import as_number, quote
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.live_tables import LiveTable, database_id, live_table
from bot.investigator.facts.runners import workloads
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import DatabaseEvidence, Evidence
from gonogo.trajectory import Certainty, Impact, Link, Role, Trajectory
from heuristics.migrated import migration_order
from heuristics.schema.columns import column_facts
from heuristics.schema.deploy_order import replaces_at_once
from heuristics.schema.inserts import Insert, inserts_into
from heuristics.schema.model_inserts import model_inserts
from heuristics.schema.required import Required, required_in
from heuristics.schema.sayings import doing, place
from heuristics.schema.uses import column_uses

INFO = PlaybookInfo(id="missing-value", question="Does a version that runs while this is applied insert rows without the column?")


_INSERTS = ("inserts_per_second", "insert_per_second", "rows_inserted_per_second", "insert_rate", "n_tup_ins_per_second")


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for each obligatory column that an INSERT of code leaves out."""
    for required in required_in(case.diff.migrations):
        table = live_table(case, required.table)
        facts = column_facts(table.table if table else None, required.column)
        if facts is not None and (facts.default is not None or (facts.is_nullable is False and not required.is_new)):
            continue
        after = _without(inserts_into(case.diff.head, required.table), required.column)
        before = _without(inserts_into(case.diff.base, required.table), required.column)
        if required.is_new and not before:
            before = [*model_inserts(case.diff.base, required.table)]
        if after:
            yield _claim(case, required, table, after, "the new version does so too", is_certain=True)
        elif before:
            order = migration_order(case.diff, required.step.operation.statement.file)
            if order.moment == "after":
                continue
            is_certain = (order.meets_old_code or _fails_after_too(case, required, order.moment)) and not _stops_old_code(case)
            more = [quote(case, order.place.file, order.place.line)] if order.place else []
            yield _claim(case, required, table, before, order.says, is_certain=is_certain, more=more)


def _fails_after_too(case: Case, required: Required, moment: str) -> bool:
    """Where nothing says when it is applied, and the new code needs the column: whichever comes first, one version fails."""
    if moment not in ("unknown", "by-hand") or not required.is_new:
        return False
    spans = column_uses(case.diff.head, required.table, required.column)
    return any(use.is_certain and use.how in ("model", "sql") for use in spans)


def _stops_old_code(case: Case) -> bool:
    """Whether every old instance is gone before the first new one starts: by manifest, or as production is configured."""
    live = {str(r.attributes.get("strategy", "")).lower() for r in workloads(case)}
    return replaces_at_once(case.diff.head) is not None or live == {"recreate"}


def _without(inserts: Sequence[Insert], column: str) -> list[Insert]:
    return [i for i in inserts if column.lower() not in {c.lower() for c in i.columns}]


def _claim(
    case: Case,
    required: Required,
    table: LiveTable | None,
    inserts: Sequence[Insert],
    why: str,
    *,
    is_certain: bool,
    more: Sequence[Evidence] = (),
) -> Trajectory:
    op = required.step.operation
    at = op.statement
    name = f"{required.table}.{required.column}"
    where = ", ".join(f"{i.file} line {i.line}" for i in inserts[:3])
    cited = [quote(case, i.file, i.line, side=i.side) for i in inserts[:3]]
    links: list[Link] = [
        trigger(f"{place(op)}: {doing(op)}", quote(case, at.file, at.line, end_line=at.end_line)),
        mechanism(f"{where} inserts into {required.table} without {required.column}; {why}", *cited, *more),
    ]
    if inserts and not inserts[0].columns:
        links[1] = mechanism(
            f"{where} adds rows to {required.table} with the columns that this version knows; {why}", *cited, *more
        )
    query = f"SELECT n_tup_ins FROM pg_stat_user_tables WHERE relname = '{required.table}' -- twice, a minute apart"
    name_of_rate, writes = _measured(table)
    rate = as_number(writes) if isinstance(writes, DatabaseEvidence) else table.writes if table is not None else None
    if table is None or writes is None:
        question = f"How many rows a second are inserted into {required.table}?"
        links.append(unknown(Role.EXPOSURE, f"the writes of {required.table} were not read", question, query))
    else:
        said = f"{table.name} takes {rate or 0:g} {name_of_rate} a second"
        links.append(exposure(said, writes, comparison=compare(rate or 0, ">", 0, "1/s")))
    failing = f"each of these INSERTs fails with 23502: {name} must not be empty"
    if is_certain:
        links.append(harm(failing, writes, *cited))
    else:
        question = f"Is this applied while instances that insert without {required.column} still run?"
        links.append(unknown(Role.HARM, failing, question, query, *cited))
    resource = table.database.resource if table else database_id(case, required.table)
    return Trajectory(
        title=f"INSERTs without {name} fail once it must not be empty",
        impact=Impact.HIGH,
        resource=resource,
        metric="xact_rollback",
        links=tuple(links),
        make_safe=f"Keep a default on {name}, or release the code that writes it first and make it NOT NULL in a later release.",
        certainty=Certainty.SQLSTATE,
        path=(resource,),
        undo=f"`ALTER TABLE {required.table} ALTER COLUMN {required.column} DROP NOT NULL`, which is brief.",
    )


def _measured(table: LiveTable | None) -> tuple[str, Evidence | None]:
    """What was read of the inserts of the table, else of its writes."""
    for statistic in _INSERTS if table is not None else ():
        cited = table.cite(statistic) if table is not None else None
        if cited is not None:
            return "inserts", cited
    return "writes", table.cite("writes_per_second") if table is not None else None
