"""INSERT statements in code: which columns each names."""

import re
from collections.abc import Iterator

from gonogo.change import Side
from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record
from heuristics.schema.naming import bare
from heuristics.schema.uses import is_application_path

_LIST = pattern(
    r"\(([^()]{1,2000})\)\s*(?:(?i:overriding\s+\w+\s+value)\s*)?(?i:values|select|default|returning|output|[\"'`+\\])", re.DOTALL
)


class Insert(Record):
    """One INSERT with a column list."""

    file: str
    line: int
    side: Side
    columns: tuple[str, ...]


def inserts_into(tree: SourceTree, table: str) -> tuple[Insert, ...]:
    """Every INSERT INTO the table whose column list is written out in code that runs in production."""
    name = bare(table)
    places = tree.search({name}).get(name, ())
    return tuple(
        found
        for path in sorted({p.file for p in places if is_application_path(p.file)})[:300]
        for found in _in_file(tree, path, name)
    )


def _in_file(tree: SourceTree, path: str, name: str) -> Iterator[Insert]:
    text = (tree.text(path) or "")[:1_000_000]
    into = re.compile(
        rf"(?i)\binsert\s+(?:ignore\s+)?into\s+(?:[\"`\[\\]*\w{{1,80}}[\"`\]\\]*\.)?[\"`\[\\]*{re.escape(name)}[\"`\]\\]*\s*[\"'+\s\\]*(?=\()"
    )
    for found in into.finditer(text):
        listed = _LIST.match(text, found.end())
        if listed is None:
            continue
        columns = tuple(c for part in listed.group(1).split(",") if (c := re.sub(r"[^\w]", "", part)))
        yield Insert(path, text.count("\n", 0, found.start()) + 1, tree.side, columns)
