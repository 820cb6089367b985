"""Effects of operations on partitions and inheritance."""

from heuristics.sql.catalog import Relation
from heuristics.sql.model.draft import Draft
from heuristics.sql.words import Conjunct, Operation, PartitionBound


def attach(draft: Draft, op: Operation) -> None:
    """ATTACH PARTITION: the child is read under ACCESS EXCLUSIVE unless a valid CHECK proves its bound."""
    scene = draft.scene
    parent, child = scene.catalog.relation(op.table), scene.catalog.relation(op.referenced_table)
    draft.lock(op.table, "ShareUpdateExclusive" if scene.version >= 12 else "AccessExclusive")
    draft.lock(op.referenced_table, "AccessExclusive")
    for sibling in scene.catalog.partitions(op.table or ""):
        if sibling.bound is not None and sibling.bound.is_default:
            draft.lock(sibling.name, "AccessExclusive")
            draft.scan(sibling.name)
    if parent is None or child is None:
        draft.scan(op.referenced_table)
        draft.note(f"{op.referenced_table} has no valid CHECK that matches the bound")
        return
    for name, column in parent.columns.items():
        own = child.columns.get(name)
        if column.is_not_null and own is not None and not own.is_not_null:
            draft.fail("42804", f'column "{name}" in child table must be marked NOT NULL')
    if _is_proved(parent, child, op.bound):
        draft.proof = "a valid CHECK of the child proves its bound"
    else:
        draft.scan(child.name)
    for constraint in parent.constraints.values():
        if constraint.kind == "foreign_key" and constraint.referenced_table is not None:
            if any(c.kind == "foreign_key" and c.columns == constraint.columns for c in child.constraints.values()):
                continue
            draft.lock(constraint.referenced_table, "ShareRowExclusive" if scene.version >= 12 else "RowShare")
            draft.scan(child.name)
            draft.scan(constraint.referenced_table)
    for index in scene.catalog.indexes_of(parent.name):
        if not any(own.columns == index.columns for own in scene.catalog.indexes_of(child.name)):
            draft.scan(child.name)


def detach(draft: Draft, op: Operation) -> None:
    """DETACH PARTITION: ACCESS EXCLUSIVE on the parent unless CONCURRENTLY (14)."""
    scene = draft.scene
    if op.is_concurrent:
        if scene.in_transaction or op.in_function:
            draft.fail("25001", "ALTER TABLE ... DETACH CONCURRENTLY cannot run inside a transaction block")
        if any(s.bound is not None and s.bound.is_default for s in scene.catalog.partitions(op.table or "")):
            draft.fail("55000", "cannot detach partitions concurrently when a default partition exists")
        draft.lock(op.table, "ShareUpdateExclusive")
        return
    draft.lock(op.table, "AccessExclusive")
    draft.lock(op.referenced_table, "AccessExclusive" if scene.version >= 14 else "ShareUpdateExclusive")


def inherit(draft: Draft, op: Operation) -> None:
    """INHERIT: ACCESS EXCLUSIVE on the child, SHARE UPDATE EXCLUSIVE on the parent."""
    draft.lock(op.table, "AccessExclusive")
    draft.lock(op.referenced_table, "ShareUpdateExclusive")


def _is_proved(parent: Relation, child: Relation, bound: PartitionBound | None) -> bool:
    if bound is None or bound.is_default or len(parent.partition_key) != 1 or "?" in (*bound.lower, *bound.upper, *bound.values):
        return False
    key = parent.partition_key[0]
    column = child.columns.get(key)
    checked: set[Conjunct] = {
        conjunct
        for c in child.constraints.values()
        if c.kind == "check" and c.is_valid and c.is_enforced
        for conjunct in c.conjuncts
    }
    if not ((column is not None and column.is_not_null) or (key, "is not null", "") in checked):
        return False
    if bound.values:
        allowed = set(bound.values)
        return any(
            set(value.split(",")) <= allowed if operator == "in" else value in allowed
            for name, operator, value in checked
            if name == key and operator in ("in", "=")
        )
    lower, upper = bound.lower[0], bound.upper[0]
    from_ok = lower == "minvalue" or any(n == key and o in (">=", ">") and _at_least(v, lower) for n, o, v in checked)
    to_ok = upper == "maxvalue" or any(n == key and _below(o, v, upper) for n, o, v in checked)
    return from_ok and to_ok


def _at_least(value: str, bound: str) -> bool:
    return _compared(value, bound) >= 0


def _below(operator: str, value: str, bound: str) -> bool:
    order = _compared(value, bound)
    return (operator == "<" and order <= 0) or (operator == "<=" and order < 0)


def _compared(left: str, right: str) -> int:
    """-1, 0 or 1; as numbers when both are."""
    try:
        numbers = float(left), float(right)
    except ValueError:
        return (left > right) - (left < right)
    return (numbers[0] > numbers[1]) - (numbers[0] < numbers[1])
