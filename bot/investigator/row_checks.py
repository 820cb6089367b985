"""Counts of offending rows that a data-quality check wrote to the log of an affected resource."""

import re

from bot.investigator.asking import Reading, captures
from bot.investigator.case import Case
from heuristics.schema.demands import Demand
from heuristics.schema.naming import singular

_WORDS = {
    "not-null": r"null\w*|empty|missing|blank|without",
    "new-not-null": r"null\w*|missing",
    "unique": r"duplicat\w*|more than once|not unique|repeated|twice",
    "check": r"violat\w*|negative|invalid|out of range|break\w*|fail\w*",
    "length": r"longer|too long|exceed\w*|over \d+",
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
