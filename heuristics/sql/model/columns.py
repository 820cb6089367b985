"""Effects of operations on columns."""

from heuristics.sql.model.draft import Draft
from heuristics.sql.postgres.expressions import VOLATILE
from heuristics.sql.postgres.types import BUILT_IN, is_free_change, split_type
from heuristics.sql.words import Action, Column, Operation


def add_column(draft: Draft, op: Operation) -> None:
    """ADD COLUMN: never a rewrite for a constant or stable default since 11; a constrained domain always."""
    scene, column = draft.scene, op.column
    for table in scene.with_children(op):
        draft.lock(table, "AccessExclusive")
    for constraint in op.constraints:
        if constraint.kind == "foreign_key":
            draft.lock(constraint.referenced_table, "ShareRowExclusive")
    if column is None or scene.is_absent(op.table):
        return
    if op.if_not_exists and scene.catalog.column(op.table, column.name) is not None:
        return
    rewrites = _default_rewrites(draft, column)
    relation = scene.catalog.relation(op.table)
    has_value = column.default is not None or column.is_serial or column.is_identity or bool(column.generated)
    if column.is_not_null and not has_value and not (relation is not None and relation.has_rows is False):
        draft.fail("23502", f'column "{column.name}" contains null values: every existing row of {op.table} lacks it')
        if relation is None or relation.has_rows is None:
            draft.note(f"{op.table} has rows")
        return
    if rewrites:
        for table in scene.with_children(op):
            draft.rewrite(table)
    for constraint in op.constraints:
        match constraint.kind:
            case "foreign_key":
                if has_value and constraint.is_valid and constraint.is_enforced:
                    draft.scan(op.table)
                    draft.scan(constraint.referenced_table)
            case "check":
                if constraint.is_valid and constraint.is_enforced:
                    draft.scan(op.table)
            case _:
                draft.scan(op.table)


def _default_rewrites(draft: Draft, column: Column) -> bool:
    scene = draft.scene
    if column.generated == "stored" or column.is_serial or column.is_identity:
        return True
    if column.generated == "virtual":
        return False
    base = split_type(column.type)[0]
    domain = scene.catalog.domains.get(base.removeprefix("public."))
    if domain is not None and domain.constraints:
        return True
    if (
        column.type
        and domain is None
        and base not in BUILT_IN
        and not _is_known_type(draft, base)
        and not scene.catalog.is_complete
    ):
        draft.note(f"{column.type} is not a domain with a constraint (that rewrites the table)")
    if column.default is None:
        return False
    if scene.version < 11:
        return True
    return any(_is_volatile(draft, name) for name in column.default_functions)


def _is_known_type(draft: Draft, base: str) -> bool:
    name = base.removeprefix("public.")
    return name in draft.scene.catalog.enums or name in draft.scene.catalog.composites


def _is_volatile(draft: Draft, name: str) -> bool:
    from heuristics.sql.postgres.expressions import default_is_volatile  # noqa: PLC0415

    function = draft.scene.catalog.functions.get(name.removeprefix("public."))
    if function is not None:
        # A volatile SQL function with a constant body is inlined before the check since 12 (measured).
        return function.volatility == "volatile" and not (function.is_inlined and draft.scene.version >= 12)
    known = default_is_volatile((name,))
    if known is None:
        draft.note(f"{name}() is volatile: then every row is written")
        return True
    return known or name.rpartition(".")[2].lower() in VOLATILE


def drop_column(draft: Draft, op: Operation) -> None:
    """DROP COLUMN: brief, unless a view reads it."""
    scene = draft.scene
    for table in scene.with_children(op):
        draft.lock(table, "AccessExclusive")
    for name in op.columns:
        views = scene.catalog.views_on(op.table or "", name)
        if views and not op.is_cascade:
            draft.fail("2BP01", f"cannot drop column {name} of table {op.table}: {views[0].name} depends on it")
        relation = scene.catalog.relation(op.table)
        for constraint in relation.constraints.values() if relation is not None else ():
            if constraint.kind == "foreign_key" and name in constraint.columns:
                draft.lock(constraint.referenced_table, "AccessExclusive")


def set_not_null(draft: Draft, op: Operation) -> None:
    """SET NOT NULL: reads the table unless the column already is, or (since 12) a valid CHECK says so."""
    scene = draft.scene
    tables = scene.with_children(op)
    for table in tables:
        draft.lock(table, "AccessExclusive")
    for name in op.columns:
        column = scene.catalog.column(op.table, name)
        if column is not None and column.is_not_null:
            draft.proof = f"{name} is NOT NULL already"
            continue
        relation = scene.catalog.relation(op.table)
        proofs = [
            c.name
            for c in (relation.constraints.values() if relation is not None else ())
            if c.proves_not_null(name) and c.name not in scene.dropped_constraints
        ]
        if proofs and scene.version >= 12:
            draft.proof = f"the validated CHECK {proofs[0]} proves it: no scan since PostgreSQL 12"
            continue
        for table in tables:
            draft.scan(table)
        if not scene.catalog.is_complete and op.table is not None and scene.catalog.relation(op.table) is None:
            draft.note(f"{op.table} has no validated CHECK ({name} IS NOT NULL)")


def alter_type(draft: Draft, op: Operation) -> None:
    """ALTER COLUMN TYPE: free, a scan, or a rewrite, as the two types and what hangs on the column decide."""
    scene = draft.scene
    tables = scene.with_children(op)
    for table in tables:
        draft.lock(table, "AccessExclusive")
    if scene.is_absent(op.table):
        return
    name, new = (op.columns or ("",))[0], op.column_type or ""
    views = scene.catalog.views_on(op.table or "", name)
    if views:
        draft.fail("0A000", f"cannot alter type of a column used by a view or rule: {views[0].name}")
        return
    column = scene.catalog.column(op.table, name)
    old = op.old_type or (column.type if column is not None else "")
    is_free = _is_free(draft, op, old=old, new=new)
    if not is_free:
        for table in tables:
            draft.rewrite(table)
        return
    relation = scene.catalog.relation(op.table)
    if relation is None:
        draft.note(f"no CHECK of {op.table} names {name} (then every row is read)")
        return
    checks = [c for c in relation.constraints.values() if c.kind == "check" and c.is_valid and name in c.columns]
    recollates = "collation" in op.details and any(name in i.columns for i in scene.catalog.indexes_of(relation.name))
    if recollates or (checks and old != new):
        for table in tables:
            draft.scan(table)
    else:
        draft.proof = f"{old} to {new} touches no row"


def _is_free(draft: Draft, op: Operation, *, old: str, new: str) -> bool:
    """Whether no row is written; every cast on the way must be free."""
    if op.using is not None and "using_type" not in op.details:
        return False
    between = op.details.get("using_type", "") or new
    if not old:
        if split_type(new)[0] in ("text", "varchar", "numeric", "timestamp", "timestamptz", "inet", "varbit"):
            draft.note(f"the type of {op.table}.{(op.columns or ('?',))[0]} before the change can not become {new} for free")
        return False
    return all(_step_is_free(draft, old=a, new=b) for a, b in ((old, between), (between, new)))


def _step_is_free(draft: Draft, *, old: str, new: str) -> bool:
    domains = draft.scene.catalog.domains
    target = domains.get(new.removeprefix("public."))
    if target is not None and old != new:
        return not target.constraints and _step_is_free(draft, old=old, new=target.base)
    source = domains.get(old.removeprefix("public."))
    if source is not None and old != new:
        return _step_is_free(draft, old=source.base, new=new)
    zone = draft.scene.catalog.settings.get("timezone") or draft.scene.catalog.settings.get("time zone")
    free = is_free_change(old, new, version=draft.scene.version, time_zone=zone)
    if free is None:
        draft.note("the session's TimeZone is not UTC")
        return False
    return free


def brief(draft: Draft, op: Operation) -> None:
    """Only the catalog changes, under ACCESS EXCLUSIVE."""
    for table in draft.scene.with_children(op) if op.action in _RECURSE else [op.table]:
        draft.lock(table, "AccessExclusive")


_RECURSE = frozenset(
    {Action.RENAME_COLUMN, Action.SET_DEFAULT, Action.DROP_DEFAULT, Action.DROP_NOT_NULL, Action.SET_COLUMN_OPTION}
)


def set_expression(draft: Draft, op: Operation) -> None:
    """SET EXPRESSION: a stored column is computed again for every row."""
    brief(draft, op)
    column = draft.scene.catalog.column(op.table, (op.columns or ("",))[0])
    if column is None or column.generated != "virtual":
        draft.rewrite(op.table)
