"""Columns that code of a change begins to use, and that a migration merged before the change makes."""

import re
from collections.abc import Iterator

from gonogo.change import ChangeSet
from gonogo.ports import SourceTree
from heuristics.schema.late import Addition, additions_in
from heuristics.schema.naming import snake
from heuristics.schema.uses import is_application_path
from heuristics.sql import is_migration_path, migrations_in, simulate

_WORDS = 300
_FILES = 40


def merged_additions(changes: ChangeSet, *, base: SourceTree, head: SourceTree) -> tuple[Addition, ...]:
    """Additions of columns in migrations that this change leaves alone, named on a line that it adds; at most 40 files are read."""
    words = set(list(dict.fromkeys(_new_words(changes, base)))[:_WORDS])
    changed = {f.head_path for f in changes.files}
    if not words:
        return ()
    places = head.search(words)
    paths = sorted({p.file for listed in places.values() for p in listed if p.file not in changed and is_migration_path(p.file)})
    found: dict[tuple[str, str], Addition] = {}
    for path in paths[-_FILES:]:
        for addition in additions_in(simulate(migrations_in([path], head), engine="", server_version=None)):
            if addition.column is not None and addition.column in words:
                found[addition.table.lower(), addition.column.lower()] = addition
    return tuple(found.values())


def _new_words(changes: ChangeSet, base: SourceTree) -> Iterator[str]:
    """Names on added lines of application code that the file did not have before, as they stand and as a database spells them."""
    for file in changes.files:
        path = file.head_path
        if path is None or not file.hunks or not is_application_path(path):
            continue
        before = set(re.findall(r"[A-Za-z_]\w{2,62}", (base.text(file.base_path) or "") if file.base_path else ""))
        for text in file.added_lines().values():
            for word in re.findall(r"[A-Za-z_]\w{2,62}", text[:2_000]):
                if word not in before:
                    yield word
                    yield snake(word)
