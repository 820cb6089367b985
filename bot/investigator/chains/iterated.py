"""How many rows a loop goes through at most: those of the table whose model it reads."""

from bot.investigator.asking import Reading, as_number, table_statistic
from bot.investigator.case import Case
from bot.investigator.chains.unbounded import table_names
from bot.investigator.facts.callees import databases
from gonogo.pattern import pattern
from heuristics.hot.spots import function_at

_READ = pattern(
    r"(?<![\w.])(?:prisma\.|db\.|\$)?(?P<model>[A-Za-z_]\w*)(?:::|\.)(?:objects\b|query\b|all\b|order\b|order_by\b|where\b|find_each\b|find_all\w*|findAll\w*|findMany\b|find\b|select\b|includes\b|limit\b|get\b|scoped\b|active\b|Where\b|ToList\w*)"
    r"|(?:select|query|scalars)\(\s*(?P<selected>[A-Z]\w+)|(?i:\bfrom)\s+[\"'`]?(?P<table>[A-Za-z_][\w.]*)|(?<![\w.])(?P<repository>[A-Za-z_]\w*?)Repo(?:sitory)?\.\w+\("
)
_MARGIN = 1.5
"""Tables grow."""


def rows_iterated(case: Case, file: str, line: int) -> Reading | None:
    """Rows of the only table that the function reads up to the loop, with room to grow; None when that is not sure."""
    uses = {u.target for u in databases(case)}
    database = next(iter(uses)) if len(uses) == 1 else None
    known = case.production.database(database) if database is not None else None
    if known is None or database is None:
        return None
    lines = (case.diff.head.text(file) or "").split("\n")
    spot = function_at(case.diff.head, file, line)
    above = "\n".join(text[:400] for text in lines[(spot.start if spot is not None else max(1, line - 10)) - 1 : line])
    named = {next(g for g in m.groups() if g) for m in _READ.finditer(above)}
    tables = {t.name for name in named for n in table_names(name.rpartition(".")[2]) if (t := known.table(n)) is not None}
    if len(tables) != 1:
        return None
    rows = table_statistic(case, database, tables.pop(), "row_estimate")
    count = as_number(rows)
    return Reading(max(1.0, count * _MARGIN), "", rows) if rows is not None and count is not None else None
