"""Column and constraint definitions of a PostgreSQL tree, as words."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from heuristics.sql.postgres.expressions import columns_in, conjuncts, functions_in, is_null, relation_name, type_of
from heuristics.sql.postgres.grammar import deparse
from heuristics.sql.postgres.types import SERIALS, split_type, type_text
from heuristics.sql.words import Column, Constraint, ConstraintKind

if TYPE_CHECKING:
    from postgast import pg_query_pb2 as pb


def column_of(definition: "pb.ColumnDef") -> Column:
    """A column with its inline constraints; a serial is its integer type plus `is_serial`."""
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    written = type_of(definition.type_name) if definition.HasField("type_name") else ""
    base, mods, array = split_type(written)
    is_serial = base in SERIALS
    is_not_null, default, functions, generated, is_identity = is_serial, None, (), "", False
    inline: list[Constraint] = []
    for node in definition.constraints:
        item = node.constraint
        match item.contype:
            case pb.CONSTR_NOTNULL:
                is_not_null = True
            case pb.CONSTR_DEFAULT:
                if not is_null(item.raw_expr):
                    default, functions = deparse(item.raw_expr), functions_in(item.raw_expr)
            case pb.CONSTR_IDENTITY:
                is_identity = is_not_null = True
            case pb.CONSTR_GENERATED:
                generated = "virtual" if item.generated_kind == "v" else "stored"
            case _:
                if (constraint := constraint_of(item, column=definition.colname)) is not None:
                    inline.append(constraint)
    if any(c.kind == "primary_key" for c in inline):
        is_not_null = True
    return Column(
        name=definition.colname,
        type=type_text(SERIALS[base], mods, array) if is_serial else written,
        is_not_null=is_not_null,
        default=default,
        default_functions=functions,
        is_identity=is_identity,
        is_serial=is_serial,
        generated=generated,
        collation=".".join(n.string.sval for n in definition.coll_clause.collname),
        constraints=_with_marks(definition.constraints, inline),
    )


_KINDS: dict[str, ConstraintKind] = {
    "CONSTR_CHECK": "check",
    "CONSTR_FOREIGN": "foreign_key",
    "CONSTR_UNIQUE": "unique",
    "CONSTR_PRIMARY": "primary_key",
    "CONSTR_EXCLUSION": "exclude",
    "CONSTR_NOTNULL": "not_null",
}


def constraint_of(item: "pb.Constraint", *, column: str | None = None) -> Constraint | None:
    """A table or inline constraint; None for what constrains no value (deferrability, a default)."""
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    kind = _KINDS.get(pb.ConstrType.Name(item.contype))
    if kind is None:
        return None
    keys = _names(item.fk_attrs if kind == "foreign_key" else item.keys)
    if kind == "exclude":
        keys = tuple(e.list.items[0].index_elem.name for e in item.exclusions if e.HasField("list") and e.list.items)
    if kind == "check":
        keys = columns_in(item.raw_expr)
    elif not keys and column is not None:
        keys = (column,)
    return Constraint(
        kind=kind,
        name=item.conname or None,
        columns=keys,
        referenced_table=relation_name(item.pktable) if kind == "foreign_key" else None,
        referenced_columns=_names(item.pk_attrs),
        is_valid=not item.skip_validation,
        is_enforced=item.is_enforced or kind not in ("check", "foreign_key"),
        conjuncts=conjuncts(item.raw_expr) if kind == "check" else frozenset(),
        using_index=item.indexname or None,
        text=deparse(item.raw_expr) if kind == "check" else "",
    )


def _names(nodes: "Iterable[pb.Node]") -> tuple[str, ...]:
    return tuple(n.string.sval for n in nodes if n.HasField("string"))


def _with_marks(nodes: "Sequence[pb.Node]", inline: list[Constraint]) -> tuple[Constraint, ...]:
    """Inline NOT ENFORCED arrives as a mark of its own after the constraint that it belongs to."""
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    if not any(n.constraint.contype == pb.CONSTR_ATTR_NOT_ENFORCED for n in nodes) or not inline:
        return tuple(inline)
    last = inline[-1]
    unenforced = Constraint(
        kind=last.kind,
        name=last.name,
        columns=last.columns,
        referenced_table=last.referenced_table,
        is_valid=False,
        is_enforced=False,
    )
    return (*inline[:-1], unenforced)
