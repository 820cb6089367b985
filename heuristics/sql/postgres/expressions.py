"""What an expression calls, names and proves."""

from typing import TYPE_CHECKING

from heuristics.sql.postgres.grammar import walk
from heuristics.sql.postgres.types import type_text
from heuristics.sql.words import Conjunct

if TYPE_CHECKING:
    from collections.abc import Iterable

    from google.protobuf.message import Message
    from postgast import pg_query_pb2 as pb

VOLATILE = frozenset(
    [
        "random",
        "random_normal",
        "clock_timestamp",
        "timeofday",
        "gen_random_uuid",
        "uuid_generate_v1",
        "uuid_generate_v1mc",
        "uuid_generate_v4",
        "uuidv4",
        "uuidv7",
        "nextval",
        "currval",
        "lastval",
        "setval",
        "set_config",
        "gen_random_bytes",
        "gen_salt",
        "txid_current_if_assigned",
        "pg_sleep",
        "pg_advisory_lock",
        "dblink",
        "generate_series_volatile",
    ]
)
STABLE = frozenset(
    [
        "now",
        "transaction_timestamp",
        "statement_timestamp",
        "to_timestamp",
        "to_date",
        "to_char",
        "to_number",
        "lower",
        "upper",
        "initcap",
        "length",
        "md5",
        "sha256",
        "sha512",
        "concat",
        "concat_ws",
        "substring",
        "substr",
        "overlay",
        "position",
        "btrim",
        "ltrim",
        "rtrim",
        "replace",
        "translate",
        "repeat",
        "reverse",
        "left",
        "right",
        "lpad",
        "rpad",
        "split_part",
        "string_to_array",
        "array_to_string",
        "array_append",
        "array_cat",
        "array_fill",
        "array_length",
        "array_remove",
        "regexp_replace",
        "regexp_match",
        "regexp_split_to_array",
        "date_trunc",
        "date_part",
        "date_bin",
        "extract",
        "age",
        "make_date",
        "make_time",
        "make_timestamp",
        "make_timestamptz",
        "make_interval",
        "justify_days",
        "justify_hours",
        "justify_interval",
        "timezone",
        "abs",
        "round",
        "floor",
        "ceil",
        "ceiling",
        "trunc",
        "sign",
        "sqrt",
        "power",
        "exp",
        "ln",
        "log",
        "mod",
        "div",
        "greatest",
        "least",
        "encode",
        "decode",
        "digest",
        "hmac",
        "crypt",
        "convert_from",
        "convert_to",
        "to_json",
        "to_jsonb",
        "row_to_json",
        "json_build_object",
        "jsonb_build_object",
        "json_build_array",
        "jsonb_build_array",
        "json_object",
        "jsonb_object",
        "jsonb_set",
        "jsonb_strip_nulls",
        "array_to_json",
        "to_tsvector",
        "to_tsquery",
        "plainto_tsquery",
        "setweight",
        "current_setting",
        "current_schema",
        "current_database",
        "session_user",
        "int4range",
        "int8range",
        "numrange",
        "daterange",
        "tsrange",
        "tstzrange",
        "uuid_nil",
        "uuid_ns_dns",
        "uuid_ns_url",
        "hstore",
        "point",
        "box",
        "inet_client_addr",
        "pg_backend_pid",
        "txid_current",
        "pg_current_xact_id",
        "coalesce",
        "nullif",
        "like_escape",
        "similar_to_escape",
        "quote_literal",
        "quote_ident",
        "format",
        "chr",
        "ascii",
        "bit_length",
        "char_length",
        "octet_length",
        "get_byte",
        "gen_random_constant",
        "isfinite",
        "width_bucket",
        "lower_inc",
        "upper_inc",
        "range_merge",
        "unistr",
        "normalize",
        "is_normalized",
        "overlaps",
        "timestamptz",
        "timestamp",
        "date",
        "text",
        "varchar",
        "bpchar",
        "int4",
        "int8",
        "float8",
        "numeric",
        "bool",
    ]
)


def functions_in(node: "Message") -> tuple[str, ...]:
    """The functions an expression calls, in order, without `pg_catalog.`."""
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    return tuple(dict.fromkeys(dotted(m.funcname) for m in walk(node) if isinstance(m, pb.FuncCall)))


def default_is_volatile(functions: tuple[str, ...]) -> bool | None:
    """True when a call gives another value for each row, None when one of them is not known here."""
    bare = [f.rpartition(".")[2].lower() for f in functions]
    if any(f in VOLATILE for f in bare):
        return True
    return None if any(f not in STABLE for f in bare) else False


def columns_in(node: "Message") -> tuple[str, ...]:
    """The columns an expression names, each once."""
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    found: dict[str, None] = {}
    for message in walk(node):
        if isinstance(message, pb.ColumnRef) and message.fields and message.fields[-1].HasField("string"):
            found[message.fields[-1].string.sval] = None
    return tuple(found)


def tables_in(node: "Message") -> tuple[str, ...]:
    """The relations a query reads, without its own CTEs."""
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    own = {m.ctename for m in walk(node) if isinstance(m, pb.CommonTableExpr)}
    named = (relation_name(m) for m in walk(node) if isinstance(m, pb.RangeVar))
    return tuple(dict.fromkeys(name for name in named if name not in own))


def strings_in(node: "Message") -> tuple[str, ...]:
    """The string literals in a statement."""
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    return tuple(m.sval.sval for m in walk(node) if isinstance(m, pb.A_Const) and m.HasField("sval"))


def relation_name(relation: "pb.RangeVar") -> str:
    """The name as written, with its schema when it has one."""
    return f"{relation.schemaname}.{relation.relname}" if relation.schemaname else relation.relname


def dotted(names: "Iterable[pb.Node]") -> str:
    """A name of several parts, as text, without `pg_catalog.`."""
    return ".".join(n.string.sval for n in names if n.HasField("string")).removeprefix("pg_catalog.")


def type_of(name: "pb.TypeName") -> str:
    """A type as canonical text."""
    base = dotted(name.names)
    mods = tuple(int(m.a_const.ival.ival) for m in name.typmods if m.HasField("a_const") and m.a_const.HasField("ival"))
    if base == "bpchar" and mods == (1,):
        base = "char"
    return type_text(base, mods if base != "interval" else (), "[]" * len(name.array_bounds))


def literal(node: "pb.Node") -> str | None:
    """The text of a constant, casts around it taken away; None for anything else."""
    seen = 0
    while node.HasField("type_cast") and seen < 20:
        node, seen = node.type_cast.arg, seen + 1
    if node.HasField("a_const"):
        const = node.a_const
        match const.WhichOneof("val"):
            case "ival":
                return str(const.ival.ival)
            case "fval":
                return const.fval.fval
            case "sval":
                return const.sval.sval
            case "boolval":
                return "true" if const.boolval.boolval else "false"
            case _:
                return None
    return None


def is_null(node: "pb.Node") -> bool:
    """True for the constant NULL, casts or not."""
    seen = 0
    while node.HasField("type_cast") and seen < 20:
        node, seen = node.type_cast.arg, seen + 1
    return node.HasField("a_const") and node.a_const.isnull


def conjuncts(node: "pb.Node") -> frozenset[Conjunct]:
    """The ANDed conditions of an expression that have a simple form; others are left out."""
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    found: set[Conjunct] = set()
    stack = [node]
    while stack:
        node = stack.pop()
        if node.HasField("bool_expr") and node.bool_expr.boolop == pb.AND_EXPR:
            stack.extend(node.bool_expr.args)
        elif node.HasField("null_test") and node.null_test.nulltesttype == pb.IS_NOT_NULL:
            found.update((c, "is not null", "") for c in _column(node.null_test.arg))
        elif node.HasField("bool_expr") and node.bool_expr.boolop == pb.OR_EXPR:
            found.update(_one_of(node))
        elif node.HasField("a_expr"):
            found.update(_comparison(node.a_expr))
    return frozenset(found)


def _one_of(node: "pb.Node") -> list[Conjunct]:
    """`a = 'x' OR a = 'y'` as `in`; `a IS NULL OR …` asks no more than the rest: a check lets a NULL pass."""
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    branches = [b for b in node.bool_expr.args if not (b.HasField("null_test") and b.null_test.nulltesttype == pb.IS_NULL)]
    nullable = [c for b in node.bool_expr.args if b not in branches for c in _column(b.null_test.arg)]
    parts = [conjuncts(b) for b in branches]
    if len(parts) == 1 and parts[0] and all(c[0] in nullable for c in parts[0]):
        return list(parts[0])
    single = [next(iter(p)) for p in parts if len(p) == 1]
    columns = {c[0] for c in single} | set(nullable)
    if len(single) != len(parts) or len(columns) != 1 or any(c[1] not in ("=", "in") for c in single):
        return []
    return [(single[0][0], "in", ",".join(sorted(v for c in single for v in c[2].split(","))))]


def _column(node: "pb.Node") -> tuple[str, ...]:
    while node.HasField("type_cast"):
        node = node.type_cast.arg
    if node.HasField("column_ref") and node.column_ref.fields and node.column_ref.fields[-1].HasField("string"):
        return (node.column_ref.fields[-1].string.sval,)
    return ()


def _listed(expression: "pb.A_Expr") -> "list[pb.Node] | None":
    """The elements of `x IN (…)`, `x = ANY (ARRAY[…])` and `x <> ALL (ARRAY[…])`."""
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    right = expression.rexpr
    if expression.kind == pb.AEXPR_IN and right.HasField("list"):
        return list(right.list.items)
    while right.HasField("type_cast"):
        right = right.type_cast.arg
    is_any = expression.kind == pb.AEXPR_OP_ANY and dotted(expression.name) == "="
    is_all = expression.kind == pb.AEXPR_OP_ALL and dotted(expression.name) == "<>"
    return list(right.a_array_expr.elements) if (is_any or is_all) and right.HasField("a_array_expr") else None


_MIRROR = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "="}


def _comparison(expression: "pb.A_Expr") -> list[Conjunct]:
    from postgast import pg_query_pb2 as pb  # noqa: PLC0415

    operator = dotted(expression.name)
    left, right = expression.lexpr, expression.rexpr
    if expression.kind == pb.AEXPR_BETWEEN and right.HasField("list") and len(right.list.items) == 2:
        low, high = (literal(i) for i in right.list.items)
        return [(c, op, v) for c in _column(left) for op, v in ((">=", low), ("<=", high)) if v is not None]
    listed = _listed(expression)
    if listed is not None and operator in ("=", "<>"):
        values = [literal(i) for i in listed]
        word = "in" if operator == "=" else "not in"
        return [(c, word, ",".join(sorted(v for v in values if v is not None))) for c in _column(left) if None not in values]
    if expression.kind == pb.AEXPR_OP and operator == "<>" and (value := literal(right)) is not None:
        return [(c, "<>", value) for c in _column(left)]
    if expression.kind != pb.AEXPR_OP or operator not in _MIRROR:
        return []
    if (value := literal(right)) is not None:
        return [(c, operator, value) for c in _column(left)]
    if (value := literal(left)) is not None:
        return [(c, _MIRROR[operator], value) for c in _column(right)]
    return []
