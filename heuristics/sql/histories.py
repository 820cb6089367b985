"""Migrations one after the other, each on the schema that those before it left."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from gonogo.ports import SourceTree
from gonogo.record import Record
from heuristics.sql.catalog import Catalog, key_of
from heuristics.sql.graphs import Node, nodes_in
from heuristics.sql.migrations import order_of, read_given
from heuristics.sql.paths import kind_of
from heuristics.sql.replay import apply_operation
from heuristics.sql.words import Action, Dialect, Operation

_MOST_EARLIER = 300
_NAMED_BY_FOLDER = ("migration.sql", "up.sql", "down.sql")


class Migration(Record):
    """One file, what it runs, and the schema it meets."""

    file: str
    operations: tuple[Operation, ...]
    before: Catalog


def histories(
    wanted: Collection[str], tree: SourceTree, *, dialect: Dialect, schema: Catalog | None = None
) -> Iterator[Migration]:
    """The wanted files, those of one history in the order in which they run.

    Without a `schema` the other migrations of the same history say what was there before. A file that does not stand where
    migrations stand is by itself.
    """
    found: dict[str, list[str]] = {}
    for path in wanted:
        if kind_of(path) is None:
            yield Migration(path, *_alone(path, tree, dialect, schema))
        else:
            found.setdefault(_history_of(path), []).append(path)
    if not found:
        return
    beside: dict[str, list[str]] = {}
    if schema is None:
        for path in tree.paths():
            if kind_of(path) is not None:
                beside.setdefault(_history_of(path), []).append(path)
    for history, own in sorted(found.items()):
        yield from _in_order(own, beside.get(history, []), tree, dialect=dialect, schema=schema)


def _alone(path: str, tree: SourceTree, dialect: Dialect, schema: Catalog | None) -> tuple[tuple[Operation, ...], Catalog]:
    before = schema.copy() if schema is not None else Catalog()
    operations = read_given(path, tree, dialect=dialect, before=before)
    _add_unknown(before, operations)
    return operations, before


def _in_order(
    own: Sequence[str], beside: Iterable[str], tree: SourceTree, *, dialect: Dialect, schema: Catalog | None
) -> Iterator[Migration]:
    """Play the history; what was not asked for is read for its schema only."""
    wanted = set(own)
    listed = _sorted(wanted | set(beside), tree)
    first = next(place for place, path in enumerate(listed) if path in wanted)
    last = max(place for place, path in enumerate(listed) if path in wanted)
    catalog = schema.copy() if schema is not None else Catalog()
    for path in listed[max(0, first - _MOST_EARLIER) : last + 1]:
        operations = read_given(path, tree, dialect=dialect, before=catalog)
        known = set(catalog.relations)
        if path in wanted:
            before = catalog.copy()
            _add_unknown(before, operations)
            yield Migration(path, operations, before)
        for op in operations:
            apply_operation(catalog, op)
        for name, relation in catalog.relations.items():
            if name not in known:
                relation.has_rows = None  # by the time the next one runs, the program has used it


def _history_of(path: str) -> str:
    """Files with one are applied after each other: a folder, or the folder of folders where each migration has its own."""
    if kind_of(path) == "python":
        return ""  # a Django app refers to the tables of another one
    folder, _, name = path.rpartition("/")
    return folder.rpartition("/")[0] if name.lower() in _NAMED_BY_FOLDER else folder


def _sorted(paths: Collection[str], tree: SourceTree) -> list[str]:
    """In the order they run: as parents say it, else by number."""
    by_number = sorted(paths, key=order_of)
    folders = {p.rpartition("/")[0] for p in paths if p.endswith(".py")}
    nodes = {node.file: node for folder in sorted(folders) for node in nodes_in(tree, folder)}
    return _after_parents(by_number, nodes) if nodes else by_number


def _after_parents(paths: Sequence[str], nodes: dict[str, Node]) -> list[str]:
    files = {alias: node.file for node in nodes.values() for alias in node.aliases}
    files |= {node.identity: node.file for node in nodes.values()}
    placed: dict[str, None] = {}
    for start in paths:
        waiting = [start]
        entered: set[str] = set()
        while waiting:
            path = waiting[-1]
            node = nodes.get(path)
            parents = [files[p] for p in (*node.parents, *node.needs, *node.aliases) if p in files] if node is not None else []
            missing = [p for p in parents if p not in placed and p not in entered]
            entered.add(path)
            if missing:
                waiting += missing
                continue
            placed[waiting.pop()] = None
    wanted = set(paths)
    return [path for path in placed if path in wanted]


def _add_unknown(catalog: Catalog, operations: Sequence[Operation]) -> None:
    """A table that a complete schema does not have, and that nothing here makes, is taken as one that was left out of it."""
    if not catalog.is_complete:
        return
    made = {key_of(n) for op in operations for n in _made_by(op)}
    for op in operations:
        may_lack = op.if_exists or "table_if_exists" in op.details or op.object_kind not in ("table", "index")
        if op.table and op.action is not Action.CREATE_TABLE and not may_lack and key_of(op.table) not in made:
            catalog.known(op.table)


def _made_by(op: Operation) -> Iterator[str]:
    if op.action in (Action.CREATE_TABLE, Action.CREATE_VIEW, Action.CREATE_MATVIEW) and op.table:
        yield op.table
    if op.action in (Action.RENAME_TABLE, Action.SET_SCHEMA) and op.new_name:
        yield op.new_name


def with_unknown_rows(catalog: Catalog, *, is_empty: bool) -> Catalog:
    """A schema as it was read: whether a table without rows is empty, or its rows are just not in the file."""
    if not is_empty:
        for relation in catalog.relations.values():
            if relation.has_rows is False:
                relation.has_rows = None
    for relation in catalog.relations.values():
        relation.created_in = None
    return replace(catalog, is_complete=True)
