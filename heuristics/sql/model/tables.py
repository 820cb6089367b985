"""Effects of operations on whole tables, views and their relatives."""

from heuristics.sql.catalog import key_of
from heuristics.sql.model.draft import Draft
from heuristics.sql.words import Action, Operation


def create_table(draft: Draft, op: Operation) -> None:
    """A new table blocks nobody; what it references, inherits from or is a partition of is locked."""
    scene = draft.scene
    if op.if_not_exists and scene.catalog.relation(op.table) is not None:
        return
    for constraint in op.constraints:
        if constraint.kind == "foreign_key":
            draft.lock(constraint.referenced_table, "ShareRowExclusive")
    for parent in op.details.get("inherits", "").split(","):
        if parent:
            draft.lock(parent, "ShareUpdateExclusive")
    for table in op.reads:
        draft.lock(table, "AccessShare")
        if op.details.get("with_data") == "true":
            draft.scan(table)
    if op.bound is not None and op.referenced_table is not None:
        draft.lock(op.referenced_table, "AccessExclusive")
        for sibling in scene.catalog.partitions(op.referenced_table):
            if sibling.bound is not None and sibling.bound.is_default:
                draft.lock(sibling.name, "AccessExclusive")
                draft.scan(sibling.name)


def drop_table(draft: Draft, op: Operation) -> None:
    """ACCESS EXCLUSIVE, also on the tables that its foreign keys point at and on the parent of a partition."""
    scene = draft.scene
    if scene.is_absent(op.table) or op.table is None:
        return
    draft.lock(op.table, "AccessExclusive")
    relation = scene.catalog.relation(op.table)
    if relation is None:
        draft.note(f"{op.table} has no foreign key (the table that it points at would be locked too)")
        return
    for constraint in relation.constraints.values():
        if constraint.referenced_table is not None:
            draft.lock(constraint.referenced_table, "AccessExclusive")
    draft.lock(relation.parent, "AccessExclusive")
    for child in scene.catalog.descendants(relation.name):
        draft.lock(child.name, "AccessExclusive")
    for other, key in scene.catalog.referencing(relation.name):
        if other.name != relation.name and not op.is_cascade:
            draft.fail("2BP01", f"cannot drop table {op.table}: foreign key {key.name} of {other.name} depends on it")
        draft.lock(other.name, "AccessExclusive")
    for view in scene.catalog.views_on(relation.name):
        if not op.is_cascade:
            draft.fail("2BP01", f"cannot drop table {op.table}: view {view.name} depends on it")
        draft.lock(view.name, "AccessExclusive")


def truncate(draft: Draft, op: Operation) -> None:
    """ACCESS EXCLUSIVE and new storage; CASCADE empties every referencing table too."""
    scene = draft.scene
    queue, seen = [key_of(op.table or "")], set[str]()
    while queue:
        table = queue.pop()
        if table in seen:
            continue
        seen.add(table)
        draft.lock(table, "AccessExclusive")
        for child in scene.catalog.partitions(table):
            draft.lock(child.name, "AccessExclusive")
        draft.truncate(table)
        for other, key in scene.catalog.referencing(table):
            if other.name in seen:
                continue
            if op.is_cascade:
                queue.append(other.name)
            else:
                draft.fail(
                    "0A000", f"cannot truncate a table referenced in a foreign key constraint ({key.name} of {other.name})"
                )


def rewrite(draft: Draft, op: Operation) -> None:
    """Every row is written again under ACCESS EXCLUSIVE."""
    if op.action is Action.VACUUM_FULL and (draft.scene.in_transaction or op.in_function):
        draft.fail("25001", "VACUUM cannot run inside a transaction block")
    if op.table is None:
        draft.note("every table is written again, one after the other")
        return
    draft.lock(op.table, "AccessExclusive")
    if op.action is Action.REWRITE_TABLE and op.value in ("pg_default", "heap"):
        draft.note(f"{op.table} is not there already")
        return
    draft.rewrite(op.table)


def vacuum(draft: Draft, op: Operation) -> None:
    """VACUUM and ANALYZE: SHARE UPDATE EXCLUSIVE, no DML waits."""
    if op.action is Action.VACUUM and (draft.scene.in_transaction or op.in_function):
        draft.fail("25001", "VACUUM cannot run inside a transaction block")
    draft.lock(op.table, "ShareUpdateExclusive")


def refresh(draft: Draft, op: Operation) -> None:
    """REFRESH MATERIALIZED VIEW: its readers wait for the whole query unless CONCURRENTLY."""
    relation = draft.scene.catalog.relation(op.table)
    draft.lock(op.table, "Exclusive" if op.is_concurrent else "AccessExclusive")
    draft.unwritable.update(draft.locks)
    if not op.is_concurrent:
        draft.rewrite(op.table)
    draft.scan(op.table)
    for table in relation.reads if relation is not None else ():
        draft.lock(table, "AccessShare")
        draft.scan(table)


def create_view(draft: Draft, op: Operation) -> None:
    """A new view blocks nobody; replacing one is ACCESS EXCLUSIVE on it."""
    for table in op.reads:
        draft.lock(table, "AccessShare")
    if (op.is_replace and draft.scene.catalog.relation(op.table) is not None) or (
        op.is_replace and not draft.scene.catalog.is_complete
    ):
        draft.lock(op.table, "AccessExclusive")


def create_matview(draft: Draft, op: Operation) -> None:
    """Its query reads the tables, and nobody waits."""
    if op.details.get("with_data") == "true":
        for table in op.reads:
            draft.lock(table, "AccessShare")
            draft.scan(table)


def drop_view(draft: Draft, op: Operation) -> None:
    """ACCESS EXCLUSIVE on the view."""
    draft.lock(op.table, "AccessExclusive")
    if op.table is not None and not op.is_cascade:
        for view in draft.scene.catalog.views_on(op.table):
            draft.fail("2BP01", f"cannot drop {op.table}: view {view.name} depends on it")


def drop_schema(draft: Draft, op: Operation) -> None:
    """ACCESS EXCLUSIVE on everything in it."""
    inside = [r for r in draft.scene.catalog.relations.values() if r.name.startswith(f"{op.name}.")]
    for relation in inside:
        draft.lock(relation.name, "AccessExclusive")
    if inside and not op.is_cascade:
        draft.fail("2BP01", f"cannot drop schema {op.name}: {inside[0].name} depends on it")


def drop_type(draft: Draft, op: Operation) -> None:
    """Fails while a column has the type; CASCADE drops those columns."""
    for relation, column in draft.scene.catalog.tables_with_type(op.name or ""):
        if not op.is_cascade:
            draft.fail("2BP01", f"cannot drop type {op.name}: column {column} of {relation.name} depends on it")
        draft.lock(relation.name, "AccessExclusive")


def drop_function(draft: Draft, op: Operation) -> None:
    """Fails while a trigger calls it."""
    for trigger, (table, function) in draft.scene.catalog.triggers.items():
        if function == key_of(op.name or "") and not op.is_cascade:
            draft.fail("2BP01", f"cannot drop function {op.name}: trigger {trigger.rpartition('.')[2]} on {table} depends on it")


def alter_attribute(draft: Draft, op: Operation) -> None:
    """A composite type: tables made OF it follow with CASCADE."""
    for relation in draft.scene.catalog.relations.values():
        if relation.of_type is not None and key_of(relation.of_type) == key_of(op.name or ""):
            draft.lock(relation.name, "AccessExclusive")
