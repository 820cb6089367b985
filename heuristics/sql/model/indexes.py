"""Effects of operations on indexes."""

from heuristics.sql.model.draft import Draft
from heuristics.sql.words import Operation


def create_index(draft: Draft, op: Operation) -> None:
    """SHARE (writes wait) for the whole build, or SHARE UPDATE EXCLUSIVE with CONCURRENTLY."""
    scene = draft.scene
    relation = scene.catalog.relation(op.table)
    is_partitioned = relation is not None and relation.kind == "partitioned"
    if op.is_concurrent:
        if scene.in_transaction or op.in_function:
            draft.fail("25001", "CREATE INDEX CONCURRENTLY cannot run inside a transaction block")
        if is_partitioned:
            draft.fail("0A000", f'cannot create index on partitioned table "{op.table}" concurrently')
        draft.lock(op.table, "ShareUpdateExclusive")
        draft.scan(op.table)
        return
    tables = scene.with_children(op) if is_partitioned else [op.table]
    for table in tables:
        draft.lock(table, "Share")
    if op.if_not_exists and scene.catalog.index(op.name) is not None:
        return
    if not (is_partitioned and op.is_only):
        draft.scan(op.table)


def drop_index(draft: Draft, op: Operation) -> None:
    """ACCESS EXCLUSIVE on the table, or SHARE UPDATE EXCLUSIVE with CONCURRENTLY."""
    scene = draft.scene
    index = scene.catalog.index(op.name)
    table = op.table or (index.table if index is not None else None)
    if op.is_concurrent:
        if scene.in_transaction or op.in_function:
            draft.fail("25001", "DROP INDEX CONCURRENTLY cannot run inside a transaction block")
        if index is not None and index.is_partitioned:
            draft.fail("0A000", f'cannot drop partitioned index "{op.name}" concurrently')
    if index is not None and index.is_constraint:
        draft.fail("2BP01", f"cannot drop index {op.name}: constraint {op.name} of {index.table} requires it")
    if table is None and not (scene.catalog.is_complete and index is None):
        draft.note(f"the table of {op.name} is not known here")
    draft.lock(table, "ShareUpdateExclusive" if op.is_concurrent else "AccessExclusive")


def rename_index(draft: Draft, op: Operation) -> None:
    """SHARE UPDATE EXCLUSIVE on the index since 12; ACCESS EXCLUSIVE before, which stops the planner."""
    index = draft.scene.catalog.index(op.name)
    if index is not None and draft.scene.version < 12:
        draft.reads.add(index.table)
        draft.writes.add(index.table)


def attach_index(draft: Draft, op: Operation) -> None:
    """ACCESS EXCLUSIVE on the child's index: queries of that partition wait in the planner."""
    child = draft.scene.catalog.index(op.new_name)
    parent = draft.scene.catalog.index(op.name)
    if child is None or parent is None:
        draft.note(f"the tables of {op.name} and {op.new_name} are not known here")
        return
    draft.reads |= {child.table, parent.table}
    draft.writes |= {child.table, parent.table} if draft.scene.version < 12 else {child.table}


def reindex(draft: Draft, op: Operation) -> None:
    """REINDEX stops writes by its lock and reads by the planner, which needs every index."""
    scene = draft.scene
    index = scene.catalog.index(op.name) if op.value == "index" else None
    table = op.table or (index.table if index is not None else None)
    if op.is_concurrent:
        if scene.in_transaction or op.in_function:
            draft.fail("25001", "REINDEX CONCURRENTLY cannot run inside a transaction block")
        draft.lock(table, "ShareUpdateExclusive")
        draft.scan(table)
        return
    if op.value in ("schema", "database", "system"):
        if scene.in_transaction or op.in_function:
            draft.fail("25001", f"REINDEX {op.value.upper()} cannot run inside a transaction block")
        draft.note("every table is reindexed, one after the other")
    if table is None:
        draft.note(f"the table of {op.name} is not known here")
        return
    draft.lock(table, "Share")
    name = index.table if index is not None else table
    found = scene.catalog.relation(name)
    draft.reads.add(found.name if found is not None else name)
    draft.scan(table)
