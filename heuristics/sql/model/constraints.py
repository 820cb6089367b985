"""Effects of operations on constraints."""

from heuristics.sql.model.draft import Draft
from heuristics.sql.words import Operation


def add_foreign_key(draft: Draft, op: Operation) -> None:
    """SHARE ROW EXCLUSIVE on both tables; both are read unless NOT VALID."""
    scene, constraint = draft.scene, op.constraint
    relation = scene.catalog.relation(op.table)
    is_partitioned = relation is not None and relation.kind == "partitioned"
    if is_partitioned and op.is_not_valid and scene.version < 18:
        draft.fail("42809", f'cannot add NOT VALID foreign key on partitioned table "{op.table}"')
    for table in scene.with_children(op) if is_partitioned else [op.table]:
        draft.lock(table, "ShareRowExclusive")
    draft.lock(op.referenced_table, "ShareRowExclusive")
    if constraint is not None and constraint.is_valid and constraint.is_enforced and not _is_empty(draft, op.table):
        draft.scan(op.table)
        draft.scan(op.referenced_table)


def add_check(draft: Draft, op: Operation) -> None:
    """ACCESS EXCLUSIVE; every row is read unless NOT VALID (or NOT ENFORCED)."""
    tables = draft.scene.with_children(op)
    for table in tables:
        draft.lock(table, "AccessExclusive")
    if op.constraint is not None and op.constraint.is_valid and op.constraint.is_enforced:
        for table in tables:
            draft.scan(table)


def add_unique(draft: Draft, op: Operation) -> None:
    """UNIQUE, PRIMARY KEY or EXCLUDE: builds its index under ACCESS EXCLUSIVE unless one is taken over."""
    scene, constraint = draft.scene, op.constraint
    relation = scene.catalog.relation(op.table)
    if relation is not None and relation.kind == "partitioned" and constraint is not None:
        missing = [k for k in relation.partition_key if k and k not in constraint.columns]
        if missing:
            draft.fail(
                "0A000", f"unique constraint on partitioned table must include all partitioning columns ({', '.join(missing)})"
            )
    tables = scene.with_children(op) if relation is not None and relation.kind == "partitioned" else [op.table]
    for table in tables:
        draft.lock(table, "AccessExclusive")
    if constraint is None or constraint.using_index is None:
        for table in tables:
            draft.scan(table)
        return
    if constraint.kind != "primary_key":
        return
    index = scene.catalog.index(constraint.using_index)
    columns = [scene.catalog.column(op.table, c) for c in index.columns] if index is not None else []
    if not columns or any(c is None for c in columns):
        draft.note(f"the columns of {constraint.using_index} are NOT NULL already (else every row is read)")
    elif any(c is not None and not c.is_not_null for c in columns):
        draft.scan(op.table)


def validate(draft: Draft, op: Operation) -> None:
    """VALIDATE CONSTRAINT: a scan that blocks neither reads nor writes."""
    relation = draft.scene.catalog.relation(op.table)
    constraint = relation.constraints.get(op.name or "") if relation is not None else None
    draft.lock(op.table, "ShareUpdateExclusive")
    if constraint is not None and constraint.referenced_table is not None:
        draft.lock(constraint.referenced_table, "RowShare")
        draft.scan(op.table)
        draft.scan(constraint.referenced_table)
        return
    draft.scan(op.table)


def drop_constraint(draft: Draft, op: Operation) -> None:
    """ACCESS EXCLUSIVE; for a foreign key also on the table that it points at."""
    draft.lock(op.table, "AccessExclusive")
    relation = draft.scene.catalog.relation(op.table)
    constraint = relation.constraints.get(op.name or "") if relation is not None else None
    if constraint is None:
        if not draft.scene.catalog.is_complete and not draft.scene.is_absent(op.table):
            draft.note(f"{op.name} is not a foreign key (then the table that it points at is locked too)")
        return
    if constraint.referenced_table is not None:
        draft.lock(constraint.referenced_table, "AccessExclusive")
    if constraint.kind in ("primary_key", "unique") and not op.is_cascade:
        for other, key in draft.scene.catalog.referencing(op.table or ""):
            if not key.referenced_columns or key.referenced_columns == constraint.columns:
                draft.fail("2BP01", f"cannot drop constraint {op.name}: foreign key {key.name} of {other.name} depends on it")


def add_not_null_constraint(draft: Draft, op: Operation) -> None:
    """ADD CONSTRAINT ... NOT NULL (18): reads the table unless NOT VALID."""
    draft.lock(op.table, "AccessExclusive")
    if not op.is_not_valid:
        draft.scan(op.table)


def domain_constraint(draft: Draft, op: Operation) -> None:
    """SHARE on every table with a column of the domain, and each is read, unless NOT VALID."""
    if op.is_not_valid:
        return
    users = list(draft.scene.catalog.tables_with_type(op.name or ""))
    for relation, _ in users:
        draft.lock(relation.name, "Share")
        draft.scan(relation.name)
    if not users and not draft.scene.catalog.is_complete:
        draft.note(f"no table has a column of the domain {op.name} (each would be locked and read)")


def _is_empty(draft: Draft, table: str | None) -> bool:
    relation = draft.scene.catalog.relation(table)
    return relation is not None and relation.has_rows is False
