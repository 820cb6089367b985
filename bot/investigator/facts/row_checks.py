"""Counts of offending rows that a data-quality check wrote to the log, or to a metric, of an affected resource."""

import re

from bot.investigator.asking import Reading, captures, statistic_reading
from bot.investigator.case import Case
from gonogo.evidence import MetricEvidence
from gonogo.pattern import pattern
from heuristics.schema.demands import Demand
from heuristics.schema.naming import singular

_WORDS = {
    "not-null": r"null\w*|empty|missing|blank|without",
    "new-not-null": r"null\w*|missing",
    "unique": r"duplicat\w*|more than once|not unique|repeated|twice",
    "check": r"violat\w*|negative|invalid|out of range|break\w*|fail\w*",
    "length": r"longer|too long|exceed\w*|over \d+",
    "reference": r"orphan\w*|dangling|unmatched|without|missing|no such",
    "range": r"larger|overflow\w*|exceed\w*|out of range|above",
}


def counted_in_logs(case: Case, demand: Demand) -> Reading | None:
    """The last count that a message about this table and these columns gives; None when no message does."""
    if not case.production.logs or not demand.columns:
        return None
    keyword = _WORDS[demand.kind]
    named = "".join(rf"(?=.*\b{re.escape(c)}\b)" for c in demand.columns)
    table = rf"(?=.*\b(?:{re.escape(demand.table)}|{re.escape(singular(demand.table))})\b)"
    number = r"(?P<rows>\d[\d,_]{0,15})"
    unit = r"(?:rows?|values?|records?|entries|keys?|groups?|duplicates?|nulls?|violations?|refs?)"
    pattern = (
        rf"(?i)^{table}{named}(?=.*\b(?:{keyword})\b)"
        rf"(?:.{{0,300}}?\b{number}\s+(?:\w+\s+){{0,3}}?(?:{unit}|{keyword})\b|.{{0,300}}?\b(?:{keyword}|{unit})\s*[:=]\s*{number.replace('rows', 'count')})"
    )
    for field in ("rows", "count"):
        for resource in sorted(
            {line.resource for line in case.production.logs if demand.columns[0].lower() in line.message.lower()}
        ):
            found = captures(case, resource, pattern, field, "last", unit="rows") if case.is_affected(resource) else None
            if found is not None:
                return found
    return None


def counted_in_metrics(case: Case, demand: Demand, database: str | None) -> Reading | None:
    """The last value of a data-quality series of the database, or of a program that uses it, about these columns."""
    if database is None or not demand.columns:
        return None
    keyword = re.compile(rf"(?i)\b(?:{_WORDS[demand.kind]})")
    words = [re.compile(rf"(?i)\b{re.escape(_spaced(w))}\b") for w in demand.columns]
    table = re.compile(rf"(?i)\b(?:{re.escape(_spaced(demand.table))}|{re.escape(_spaced(singular(demand.table)))})\b")
    near = [database, *sorted({e.source for e in case.into(database)})]
    for resource in near:
        for series in case.production.series_of(resource) if case.is_affected(resource) else ():
            name = _spaced(series.metric)
            if keyword.search(name) and table.search(name) and all(w.search(name) for w in words) and not _RATIO.search(name):
                case.asked.append(f"metric {series.metric} last of {resource}")
                found = statistic_reading(series, "last")
                if found is not None and series.unit.lower() in ("count", "rows", "", "none"):
                    return Reading(
                        found.evidence.value if isinstance(found.evidence, MetricEvidence) else found.value,
                        "rows",
                        found.evidence,
                    )
    return None


_RATIO = pattern(r"(?i)ratio|percent|rejected|blocked|prevented|seconds|duration|queries|requests")


def _spaced(name: str) -> str:
    return re.sub(r"[^a-zA-Z0-9]+", " ", name)
