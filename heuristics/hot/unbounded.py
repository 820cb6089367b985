"""Queries that lose their limit: every row comes back from now on."""

import re

from gonogo.change import ChangedFile
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import is_ci_path, is_migration_path, is_production_code, language_of
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.hot.spots import function_at
from heuristics.rule import RuleContext
from heuristics.stages import is_elsewhere

_LIMITED = pattern(
    r"(?i)\blimit\s+(?:\d{1,7}|\$\d+|%s|\?|:\w+|\{)|\.(?:limit|take|first|paginate|page|per|setMaxResults|Take|Limit)\(\s*[\w.$]*\s*[,)]|\[\s*:\s*\w+\s*\]\s*$|\b(?:take|limit)\s*:\s*\w+"
)
_SELECT = pattern(r"(?i)\bselect\b.+\bfrom\s+[\"`]?(\w+(?:\.\w+)?)")
_MODEL = pattern(
    r"\b([A-Z]\w+)\.(?:objects|where|order|all|find|query|findMany|findAll|includes|joins)\b|\bprisma\.(\w+)\.|\.query\(\s*([A-Z]\w+)\s*\)|\bselect\(\s*([A-Z]\w+)\s*\)"
)
_CALL = pattern(r"\.(?:findMany|findAll|query|scalars|select)\(")
_FILTERED = pattern(r"(?i)\bwhere\b|\.filter(?:_by)?\(|\.find_by\b|\bjoin\b")


class Unbounded(Record):
    """A query without its former limit. `table` is the table or the model it names, or empty."""

    place: Place
    base_line: int
    table: str
    old_limit: int | None
    is_filtered: bool
    """Whether a condition may leave only some of the rows."""


def unbounded_queries(context: RuleContext) -> tuple[Unbounded, ...]:
    """Every query of production code whose limit goes while the query stays."""
    found: list[Unbounded] = []
    for file in context.changes.files:
        path = file.head_path
        if file.is_binary or not file.hunks or not path or not file.base_path or language_of(path) not in CODE_LANGUAGES:
            continue
        if is_production_code(path) and not is_ci_path(path) and not is_migration_path(path) and not is_elsewhere(path):
            found += _of_file(context, file, path)
    return tuple(found)


def _of_file(context: RuleContext, file: ChangedFile, path: str) -> list[Unbounded]:
    found: list[Unbounded] = []
    lines = (context.head.text(path) or "").split("\n")
    for hunk in file.hunks:
        gone = [(hunk.base_start + i, text[:1000]) for i, text in enumerate(hunk.removed) if _LIMITED.search(text[:1000])]
        if not gone or not hunk.added:
            continue
        number = hunk.head_start
        spot = function_at(context.head, path, number)
        start, end = (spot.start, spot.end) if spot is not None else (max(1, number - 3), number + len(hunk.added) + 3)
        body = "\n".join(text[:1000] for text in lines[start - 1 : end])
        at = next((i for i, text in enumerate(hunk.added) if _query(text[:1000]) is not None), None)
        if (
            at is None
            or _LIMITED.search(body)
            or re.search(
                r"(?i)\b(?:fetchone|findOne|findUnique|find_by|\.one\(|first\(\)|limit|page_?size|fetch\s+first|top\s*\()", body
            )
        ):
            continue
        named = _query(hunk.added[at][:1000]) or ""
        size = re.search(r"(?i)(?:limit\s+|\.(?:limit|take|first|per)\(\s*|(?:take|limit)\s*:\s*)(\d{1,7})", gone[0][1])
        found.append(
            Unbounded(
                Place(file=path, line=number + at, side="head"),
                gone[0][0],
                named,
                int(size[1]) if size else None,
                _FILTERED.search(body) is not None,
            )
        )
    return found


def _query(line: str) -> str | None:
    """The table or model that a line asks for, empty when it asks for something unnamed, None when it is no query."""
    found = _SELECT.search(line) or _MODEL.search(line)
    if found is not None:
        return next((g for g in found.groups() if g), "")
    return "" if _CALL.search(line) else None
