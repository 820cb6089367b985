"""Rows that break a demand, seen in the log lines with which a program notes what it stores."""

import re
from collections.abc import Iterator

from bot.investigator.asking import Reading, captures, log_count
from bot.investigator.case import Case
from context_graph.readings import MAX_MESSAGE
from gonogo.context import Database, Statistic
from gonogo.record import Record
from gonogo.trajectory import Comparison
from heuristics.schema.demands import Demand
from heuristics.schema.naming import camel, property_names, singular
from heuristics.sql.words import Conjunct

_NOT_STORED = (
    r"reject\w*|refus\w*|invalid\w*|fail\w*|error\w*|denied|ignor\w*|skip\w*|discard\w*|dropp?ed|dry[ _-]?run|would|preview\w*|draft\w*"
    r"|simulat\w*|expected|must|should|cannot|can't|validat\w*|test\w*|delet\w*|removed|purged|rolled back|fixed|cleaned"
    r"|requests?|received|incoming|payload|params?|status[=: ]+4\d\d"
)
_NUMBER = r"-?\d{1,18}(?:\.\d{1,9})?"
_ENDS = r"(?!\w|[.,:/-]\d)"
_LOUD = ("WARN", "WARNING", "ERROR", "CRITICAL", "FATAL")
"""A line of these severities tells of trouble with a row: it may not have been stored."""
_BROKEN: dict[str, tuple[Statistic, str]] = {">": ("min", "<="), ">=": ("min", "<"), "<": ("max", ">="), "<=": ("max", ">")}


class Shown(Record):
    """A reading from the log and the comparison that comes out true when a row breaks the demand."""

    says: str
    reading: Reading
    comparison: Comparison


def shown_in_logs(case: Case, demand: Demand, database: Database | None) -> Shown | None:
    """A stored row that breaks the demand, by its own log line; None when the sample shows none, which proves nothing."""
    if not case.production.logs or database is None or not demand.columns:
        return None
    for resource in _writers(case, database):
        for shown in _broken_in(case, demand, resource):
            return shown
    return None


def _writers(case: Case, database: Database) -> list[str]:
    """Affected resources with log lines that use the database, and the database itself."""
    near = {e.source for e in case.into(database.resource)} | {database.resource}
    logging = {line.resource for line in case.production.logs}
    return sorted(r for r in near & logging if case.is_affected(r))


def _broken_in(case: Case, demand: Demand, resource: str) -> Iterator[Shown]:
    match demand.kind:
        case "check":
            for conjunct in sorted(demand.conjuncts):
                yield from _check(case, demand, resource, conjunct)
        case "range" if demand.limit is not None:
            yield from _numbers(case, demand, resource, (demand.columns[0], "<=", str(demand.limit)))
        case "length" if demand.limit is not None:
            longer = f"[^\"']{{{int(demand.limit) + 1},}}"
            yield from _counted(case, demand, resource, demand.columns[0], rf"[\"']{longer}[\"']", "too long")
        case "not-null" if not demand.is_new_column:
            yield from _counted(
                case, demand, resource, demand.columns[0], r"[\"']?(?:null|nil|none|<nil>|undefined)\b", "without a value"
            )
        case _:
            return


def _check(case: Case, demand: Demand, resource: str, conjunct: Conjunct) -> Iterator[Shown]:
    column, operator, literal = conjunct
    if operator in _BROKEN:
        yield from _numbers(case, demand, resource, conjunct)
    elif operator == "in" and literal:
        allowed = "|".join(re.escape(part.strip().strip("'")) for part in literal.split(","))
        other = rf"[\"']?(?!(?:{allowed}|null|nil|none|<nil>)(?![\w-]))[\w-]{{1,60}}"
        yield from _counted(case, demand, resource, column, other, f"that is none of {literal}")
    elif operator == "is not null":
        yield from _counted(case, demand, resource, column, r"[\"']?(?:null|nil|none|<nil>)\b", "without a value")


def _numbers(case: Case, demand: Demand, resource: str, conjunct: Conjunct) -> Iterator[Shown]:
    column, operator, literal = conjunct
    try:
        limit = float(literal.strip("'"))
    except ValueError:
        return
    statistic, breaks = _BROKEN[operator]
    pattern = rf"{_about(demand.table)}.*?{_named(column)}[\"']?(?P<value>{_NUMBER}){_ENDS}"
    found = captures(case, resource, pattern, "value", statistic)
    if found is None or _is_loud(case, resource, pattern):
        return
    comparison = Comparison.model_validate({"observed": found.value, "operator": breaks, "limit": limit, "unit": column})
    if comparison.holds():
        which = "lowest" if statistic == "min" else "highest"
        yield Shown(f"the {which} {column} of {demand.table} in the log is {found.value:,.12g}", found, comparison)


def _counted(case: Case, demand: Demand, resource: str, column: str, value: str, which: str) -> Iterator[Shown]:
    pattern = rf"{_about(demand.table)}.*?{_named(column)}{value}"
    cited = log_count(case, resource, pattern)
    if cited is None or _is_loud(case, resource, pattern):
        return
    says = f"{cited.count:,} sampled log lines show a row of {demand.table} with a {column} {which}"
    comparison = Comparison(observed=cited.count, operator=">", limit=0, unit="rows")
    yield Shown(says, Reading(float(cited.count), "rows", cited), comparison)


def _is_loud(case: Case, resource: str, pattern: str) -> bool:
    compiled = re.compile(pattern)
    lines = (x for x in case.production.logs if x.resource == resource and x.severity.upper() in _LOUD)
    return any(compiled.search(x.message[:MAX_MESSAGE]) for x in lines)


def _about(table: str) -> str:
    """A message that names the table, or one of its rows, and does not say that nothing was stored."""
    last = table.rpartition("_")[2]
    words = {w for name in (table, last) for w in (name, singular(name), camel(singular(name)))}
    words |= {w.replace("_", separator) for w in (table, singular(table)) for separator in (" ", "-", ".")}
    listed = "|".join(re.escape(w) for w in sorted(words) if len(w) > 2)
    return rf"(?i)^(?!.*\b(?:{_NOT_STORED})\b)(?!.*\b(?:GET|POST|PUT|PATCH|DELETE) +/)(?=.*(?<![a-z0-9])(?:{listed})(?![a-z0-9]))"


def _named(column: str) -> str:
    names = "|".join(re.escape(n) for n in sorted(property_names(column)))
    return rf"(?<![\w.])(?:{names})[\"']?\s*(?:=>|[=:])\s*"
