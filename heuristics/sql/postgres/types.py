"""PostgreSQL types as text, and which type changes are free."""

import re

from gonogo.pattern import pattern

CANONICAL = {
    "int2": "smallint",
    "int4": "integer",
    "int": "integer",
    "int8": "bigint",
    "float4": "real",
    "float8": "double precision",
    "float": "double precision",
    "bool": "boolean",
    "bpchar": "char",
    "character": "char",
    "character varying": "varchar",
    "decimal": "numeric",
    "bit varying": "varbit",
    "timestamp without time zone": "timestamp",
    "timestamp with time zone": "timestamptz",
    "time without time zone": "time",
    "time with time zone": "timetz",
    "serial4": "serial",
    "serial8": "bigserial",
    "serial2": "smallserial",
}
SERIALS = {"serial": "integer", "bigserial": "bigint", "smallserial": "smallint"}
BUILT_IN = frozenset(
    [
        "smallint",
        "integer",
        "bigint",
        "real",
        "money",
        "numeric",
        "boolean",
        "char",
        "varchar",
        "text",
        "name",
        "bytea",
        "date",
        "time",
        "timetz",
        "timestamp",
        "timestamptz",
        "interval",
        "json",
        "jsonb",
        "xml",
        "uuid",
        "inet",
        "cidr",
        "macaddr",
        "macaddr8",
        "bit",
        "varbit",
        "point",
        "line",
        "lseg",
        "box",
        "path",
        "polygon",
        "circle",
        "tsvector",
        "tsquery",
        "int4range",
        "int8range",
        "numrange",
        "daterange",
        "tsrange",
        "tstzrange",
        "int4multirange",
        "int8multirange",
        "nummultirange",
        "datemultirange",
        "tsmultirange",
        "tstzmultirange",
        "oid",
        "regclass",
        "pg_lsn",
        "citext",
        "hstore",
        "ltree",
        "geometry",
        "geography",
        "vector",
        "halfvec",
        "void",
        "trigger",
        "record",
    ]
) | {"double precision"}
_SHAPE = pattern(r"^(?P<base>[^(\[]+?)\s*(?:\((?P<mods>[^)]*)\))?\s*(?P<zone>with(?:out)? time zone)?\s*(?P<array>(?:\[\d*\])*)$")


def split_type(text: str) -> tuple[str, tuple[int, ...], str]:
    """Base name in its canonical spelling, modifiers, and array brackets of a type as text."""
    found = _SHAPE.match(" ".join(text.strip().lower().split()))
    if found is None:
        return text.strip().lower(), (), ""
    base = found["base"].strip()
    if found["zone"]:
        base = f"{base} {found['zone']}"
    base = base.removeprefix("pg_catalog.").strip('"')
    mods = tuple(int(m) for m in (found["mods"] or "").replace(" ", "").split(",") if m.lstrip("-").isdigit())
    return CANONICAL.get(base, base), mods, re.sub(r"\d", "", found["array"])


def type_text(base: str, mods: tuple[int, ...] = (), array: str = "") -> str:
    """The canonical text of a type."""
    base = CANONICAL.get(base, base)
    return f"{base}({','.join(str(m) for m in mods)}){array}" if mods else f"{base}{array}"


def canonical(text: str) -> str:
    """The canonical text of a type as written."""
    return type_text(*split_type(text))


def is_known(text: str) -> bool:
    """True for a type of PostgreSQL itself or of a common extension (never a domain or enum of the application)."""
    return split_type(text)[0] in BUILT_IN | SERIALS.keys()


def is_free_change(old: str, new: str, *, version: int, time_zone: str | None) -> bool | None:
    """True when no row is touched, False when every row is, None when a setting decides.

    Measured: longer or unlimited varchar and varbit, varchar to text, wider numeric of the same scale, coarser to finer
    timestamps, cidr to inet, and timestamp to timestamptz under UTC since 12.
    """
    (old_base, old_mods, old_array), (new_base, new_mods, new_array) = split_type(old), split_type(new)
    if old_array != new_array:
        return False
    if (old_base, old_mods) == (new_base, new_mods):
        return True
    if new_base in ("varchar", "text") and old_base in ("varchar", "text"):
        return _is_wider(old_mods if old_base == "varchar" else (), new_mods if new_base == "varchar" else ())
    match old_base, new_base:
        case ("varbit", "varbit"):
            return _is_wider(old_mods, new_mods)
        case ("numeric", "numeric"):
            if not new_mods:
                return True
            if not old_mods:
                return False
            (old_precision, old_scale), (new_precision, new_scale) = _numeric(old_mods), _numeric(new_mods)
            return old_scale == new_scale and new_precision >= old_precision
        case (
            ("timestamp", "timestamp")
            | ("timestamptz", "timestamptz")
            | ("time", "time")
            | ("timetz", "timetz")
            | ("interval", "interval")
        ):
            return not new_mods or (bool(old_mods) and new_mods[0] >= old_mods[0])
        case ("cidr", "inet"):
            return True
        case ("timestamp", "timestamptz") | ("timestamptz", "timestamp"):
            if version < 12 or old_mods != new_mods:
                return False
            return None if time_zone is None else time_zone.upper() in ("UTC", "GMT", "ETC/UTC")
        case _:
            return False


def _is_wider(old: tuple[int, ...], new: tuple[int, ...]) -> bool:
    return not new or (bool(old) and new[0] >= old[0])


def _numeric(mods: tuple[int, ...]) -> tuple[int, int]:
    return mods[0], mods[1] if len(mods) > 1 else 0
