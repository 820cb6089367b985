"""The chain of a query that lost its limit: how many rows come back, and how often."""

from collections.abc import Iterator, Sequence

from bot.investigator.asking import Reading, as_number, quote, quote_removed, table_statistic
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.callees import databases
from bot.investigator.facts.hot_paths import path_rate
from bot.investigator.facts.traffic import per_second
from gonogo.evidence import DatabaseEvidence
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.hot.unbounded import Unbounded, unbounded_queries

_ROWS_A_SECOND = 1_000_000.0
"""Rows a second that one connection of a server hands over at the very best."""
_FEW = 2_000.0


def unbounded_chains(case: Case) -> Iterator[Trajectory]:
    """One chain a query."""
    for found in case.diff.once(unbounded_queries):
        resource, reach, rate = path_rate(case, found.place.file, found.place.line)
        if not reach.routes and not reach.is_every_request:
            continue
        uses = databases(case)
        database = uses[0].target if len({u.target for u in uses}) == 1 else None
        table, rows = _rows(case, database, found)
        line = quote(case, found.place.file, found.place.line)
        own = ResourceId(database or (resource.id if resource is not None else case.repository))
        limit = f"at most {found.old_limit}" if found.old_limit is not None else "a page"
        claim = (
            f"{reach.label} is called {per_second(rate.peak.value)} at the peak"
            if rate is not None
            else f"{reach.label} is called in production"
        )
        yield Trajectory(
            title=f"{reach.label} reads all of {table or found.table or 'the table'}",
            impact=Impact.HIGH,
            resource=own,
            metric="CPUUtilization",
            links=(
                trigger(f"the limit of the query goes ({limit} before)", *quote_removed(case, found.place.file, found.base_line)),
                mechanism("every row that matches is read, sent and held in memory for each request", line),
                exposure(claim, rate.peak, comparison=compare(rate.peak, ">", 0))
                if rate is not None
                else unknown(Role.EXPOSURE, claim, f"How often is {reach.label} called?", "requests a second of the route over the last 7 days"),
                _harm(found, table, rows, rate.peak if rate is not None and rate.is_exact else None),
            ),
            make_safe="Keep the limit, and page by key (`WHERE id > … ORDER BY id LIMIT …`).",
            path=tuple(dict.fromkeys((own, *([resource.id] if resource is not None else [])))),
            undo="Deploy the version before; nothing stays behind.",
        )  # fmt: skip


def _rows(case: Case, database: str | None, found: Unbounded) -> tuple[str, DatabaseEvidence | None]:
    known = case.production.database(database) if database is not None else None
    for name in table_names(found.table) if known is not None and database is not None else ():
        table = known.table(name) if known is not None else None
        if table is not None and database is not None:
            return table.name, table_statistic(case, database, table.name, "row_estimate")
    return "", None


def table_names(model: str) -> Sequence[str]:
    """What the table of a model may be called."""
    snake = "".join(
        f"_{c.lower()}" if c.isupper() and i and not model[i - 1].isupper() else c.lower() for i, c in enumerate(model)
    )
    plural = (
        snake.removesuffix("y") + "ies" if snake.endswith("y") else snake + ("es" if snake.endswith(("s", "x", "ch")) else "s")
    )
    return [name for name in (model, snake, plural) if name]


def _harm(found: Unbounded, table: str, rows: DatabaseEvidence | None, rate: Reading | None) -> Link:
    count = as_number(rows)
    name = table or found.table or "the table"
    if count is not None and count <= max(_FEW, 2.0 * (found.old_limit or 0)):
        claim = f"{name} has more than {_FEW:,.0f} rows: it has {count:,.0f}"
        return harm(claim, rows, comparison=compare(count, ">", max(_FEW, 2.0 * (found.old_limit or 0)), "rows"))
    if count is not None and rate is not None and not found.is_filtered and rate.value * count > _ROWS_A_SECOND:
        claim = f"{rate.value * count:,.3g} rows a second are read: {count:,.0f} of {name} for each of {rate.value:,.3g} requests"
        return harm(claim, rows, rate, comparison=compare(rate.value * count, ">", _ROWS_A_SECOND, "rows/s"))
    question = f"How many rows of {name} does one request match?"
    return unknown(
        Role.HARM,
        "requests read many more rows than before",
        question,
        f"EXPLAIN the query; SELECT count(*) of its condition on {name}",
        rows,
    )
