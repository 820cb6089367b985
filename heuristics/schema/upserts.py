"""Statements that need a unique index: ON CONFLICT targets in SQL, and upserts of ORMs and query builders."""

import re
from collections.abc import Collection, Iterator

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from heuristics.schema.naming import bare, class_names, property_names
from heuristics.schema.uses import Use, is_application_path

_CONFLICT = pattern(
    r"(?is)\bon\s+conflict\s*\(([^()]{1,300})\)|(?:\bunique_by|\bconflict_target|\bindex_elements|\bconflictFields|\bonConflict|\bupdate_conflicts)\W{1,12}([^\n\])]{1,200})"
)


def upserts_on(tree: SourceTree, table: str, columns: Collection[str]) -> tuple[Use, ...]:
    """Upserts into the table whose conflict target is exactly these columns."""
    names = {bare(table), *class_names(table)}
    return tuple(_found(tree, names, {c.lower() for c in columns}))


def _found(tree: SourceTree, names: set[str], columns: set[str]) -> Iterator[Use]:
    places = tree.search(names)
    for path in sorted({p.file for listed in places.values() for p in listed if is_application_path(p.file)})[:300]:
        text = (tree.text(path) or "")[:500_000]
        for found in _CONFLICT.finditer(text):
            target = {w.lower() for w in re.findall(r"\w+", found.group(1) or found.group(2) or "")}
            spelled = {c: {p.lower() for p in property_names(c)} for c in columns}
            if not all(target & words for words in spelled.values()) or len(target) > len(columns) + 1:
                continue
            near = text[max(0, found.start() - 900) : found.end() + 200]
            if any(re.search(rf"(?<!\w){re.escape(n)}(?!\w)", near) for n in names):
                line = text.count("\n", 0, found.start()) + 1
                yield Use(path, line, tree.side, text.split("\n")[line - 1].strip(), "sql", is_certain=True)
