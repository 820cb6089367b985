"""The type that a column had before a change, as the way back of the same migration says it."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from heuristics.sql.catalog import key_of
from heuristics.sql.words import Action, Dialect, Operation

Read = Callable[[str, str, SourceTree, Dialect], Iterable[Operation]]
"""Reads a text as if it stood at that path."""

_DIRECTIONS = {"up": "down", "down": "up", "upgrade": "downgrade", "downgrade": "upgrade"}
_IN_CODE = pattern(r"(?<=\bdef )(?:up|down)\b|\b(?:upgrade|downgrade|up|down)\b(?=\s*[(=:])", re.IGNORECASE)
_IN_SQL = pattern(r"(?m)(?<=^-- )(?:\+goose |\+migrate |\+micrate |migrate:)?(?P<way>up|down)\b", re.IGNORECASE)
_SIBLINGS = (
    (pattern(r"\.up\.sql$"), ".down.sql"),
    (pattern(r"(?<=/)up\.sql$"), "down.sql"),
    (pattern(r"(?<=/)V(?=\d[\d._]*__)"), "U"),
    (pattern(r"(?:(?<=/)|^)deploy/(?=[^/]+\.sql$)"), "revert/"),
)
_EXISTING = pattern(r"\b(?:existing_type|type_)(?=\s*=)")
_EXPLICIT = pattern(r"\btype_\s*=|\bmodifyDataType\b")
_LONGEST = 200_000


def with_old_types(operations: Sequence[Operation], tree: SourceTree, read: Read) -> Iterator[Operation]:
    """Type changes whose old type nothing else says, with the one to which the migration's way back returns."""
    ways: dict[str, dict[tuple[str, str], str]] = {}
    for op in operations:
        if op.action is not Action.ALTER_TYPE or op.old_type or not op.columns:
            yield op
            continue
        at = op.statement
        if at.file not in ways:
            ways[at.file] = _types_of_way_back(at.file, at.dialect, tree, read)
        old = ways[at.file].get((key_of(op.table or ""), op.columns[0].lower()))
        if old:
            yield replace(op, old_type=old)
        elif _EXPLICIT.search(at.source) and "existing_type" not in at.source:
            yield replace(op, details={**op.details, "type": "changes"})
        else:
            yield op


def _types_of_way_back(path: str, dialect: Dialect, tree: SourceTree, read: Read) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for text in _ways_back(path, tree):
        for op in read(path, text, tree, dialect):
            if op.action is Action.ALTER_TYPE and op.columns and op.column_type:
                found.setdefault((key_of(op.table or ""), op.columns[0].lower()), op.column_type)
    return found


def _ways_back(path: str, tree: SourceTree) -> Iterator[str]:
    """The text with what was there in place of what comes: existing types, both directions swapped, or the file beside it."""
    text = tree.text(path) or ""
    if len(text) > _LONGEST:
        return
    if "existing_type" in text:
        yield _EXISTING.sub(lambda word: "type_" if word[0] == "existing_type" else "existing_type", text)
    pattern = _IN_SQL if path.endswith(".sql") else _IN_CODE
    swapped = pattern.sub(_swapped, text)
    if swapped != text:
        yield swapped
    for ending, other in _SIBLINGS:
        sibling = ending.sub(other, path)
        beside = tree.text(sibling) if sibling != path else None
        if beside and len(beside) <= _LONGEST:
            yield beside


def _swapped(found: re.Match[str]) -> str:
    word = (found.groupdict().get("way") or found[0]).lower()
    return found[0][: len(found[0]) - len(word)] + _DIRECTIONS[word]
