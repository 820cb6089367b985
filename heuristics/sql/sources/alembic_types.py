"""SQLAlchemy column types as SQL."""

from heuristics.sql.sources.python_values import UNKNOWN, Call, Symbol, Value
from heuristics.sql.words import Dialect

_SIMPLE = {
    "Integer": "INTEGER", "INTEGER": "INTEGER", "INT": "INTEGER", "BigInteger": "BIGINT", "BIGINT": "BIGINT",
    "SmallInteger": "SMALLINT", "SMALLINT": "SMALLINT", "Text": "TEXT", "TEXT": "TEXT", "UnicodeText": "TEXT",
    "Boolean": "BOOLEAN", "BOOLEAN": "BOOLEAN", "Date": "DATE", "DATE": "DATE", "Float": "FLOAT", "FLOAT": "FLOAT",
    "REAL": "REAL", "Double": "DOUBLE PRECISION", "DOUBLE_PRECISION": "DOUBLE PRECISION", "JSON": "JSON", "JSONB": "JSONB",
    "UUID": "UUID", "Uuid": "UUID", "LargeBinary": "BYTEA", "BYTEA": "BYTEA", "Interval": "INTERVAL", "INTERVAL": "INTERVAL",
    "INET": "INET", "CIDR": "CIDR", "MACADDR": "MACADDR", "TSVECTOR": "TSVECTOR", "HSTORE": "HSTORE", "CITEXT": "CITEXT",
    "OID": "OID", "TSRANGE": "TSRANGE", "TSTZRANGE": "TSTZRANGE", "INT4RANGE": "INT4RANGE", "INT8RANGE": "INT8RANGE",
    "NUMRANGE": "NUMRANGE", "DATERANGE": "DATERANGE", "XML": "XML", "MONEY": "MONEY", "NullType": "TEXT", "PickleType": "BYTEA",
    "TINYINT": "TINYINT", "MEDIUMTEXT": "MEDIUMTEXT", "LONGTEXT": "LONGTEXT", "DATETIME": "DATETIME", "MEDIUMBLOB": "MEDIUMBLOB",
    "GUID": "UUID", "AutoString": "VARCHAR",
}  # fmt: skip
_SIZED = {
    "String": "VARCHAR", "VARCHAR": "VARCHAR", "Unicode": "VARCHAR", "CHAR": "CHAR", "Numeric": "NUMERIC", "NUMERIC": "NUMERIC",
    "DECIMAL": "NUMERIC", "BIT": "BIT", "VARBINARY": "VARBINARY", "BINARY": "BINARY", "NVARCHAR": "VARCHAR", "Vector": "VECTOR",
    "VECTOR": "VECTOR",
}  # fmt: skip
_MYSQL = {"BYTEA": "BLOB", "UUID": "CHAR(32)", "BOOLEAN": "BOOL", "JSONB": "JSON"}


def type_sql(value: Value, dialect: Dialect) -> str | None:
    """The SQL of a SQLAlchemy type, written as a call or as a bare class; None when it is not one."""
    text = _type(value, dialect, depth=0)
    if text is not None and dialect in ("mysql", "mariadb"):
        return _MYSQL.get(text, text)
    return text


def _type(value: Value, dialect: Dialect, *, depth: int) -> str | None:
    if isinstance(value, Symbol):
        last = value.last
        if last in ("DateTime", "TIMESTAMP"):
            return "DATETIME" if dialect in ("mysql", "mariadb") else "TIMESTAMP"
        return "TIME" if last == "Time" else _SIZED.get(last) or _SIMPLE.get(last)
    if not isinstance(value, Call) or depth > 5:
        return None
    last = value.last
    if last in _SIZED:
        return _sized(value, _SIZED[last])
    if last in ("DateTime", "TIMESTAMP", "Time", "TIME"):
        return _temporal(value, dialect)
    if last == "ARRAY":
        inner = _type(value.get("item_type", 0), dialect, depth=depth + 1)
        dimensions = value.get("dimensions")
        return None if inner is None else inner + "[]" * (dimensions if isinstance(dimensions, int) and 0 < dimensions < 6 else 1)
    if last in ("Enum", "ENUM"):
        return _enum(value, dialect)
    if last == "with_variant":
        family = {"postgresql": "postgres"}.get(str(value.get("_", 1)), str(value.get("_", 1)))
        return _type(value.get("_", 0) if family == dialect else value.get("base"), dialect, depth=depth + 1)
    if last in _SIMPLE:
        return _SIMPLE[last]
    return None


def _sized(value: Call, name: str) -> str:
    numbers = [v for v in value.args if isinstance(v, int) and not isinstance(v, bool)]
    if not numbers:
        numbers = [v for k in ("length", "precision", "scale", "dim") if isinstance(v := value.keywords.get(k), int)]
    return f"{name}({', '.join(str(n) for n in numbers)})" if numbers else name


def _temporal(value: Call, dialect: Dialect) -> str:
    has_zone = value.get("timezone", 0) is True
    precision = value.get("precision")
    if value.last in ("Time", "TIME"):
        return "TIME WITH TIME ZONE" if has_zone and dialect == "postgres" else "TIME"
    if dialect in ("mysql", "mariadb"):
        return "TIMESTAMP" if value.last == "TIMESTAMP" else "DATETIME"
    size = f"({precision})" if isinstance(precision, int) else ""
    return f"TIMESTAMP{size} WITH TIME ZONE" if has_zone else f"TIMESTAMP{size}"


def _enum(value: Call, dialect: Dialect) -> str:
    labels = [a for a in value.args if isinstance(a, str)]
    if dialect in ("mysql", "mariadb"):
        return "ENUM(" + ", ".join("'" + label.replace("'", "''") + "'" for label in labels) + ")"
    if value.get("native_enum") is False or dialect == "sqlite":
        return f"VARCHAR({max((len(label) for label in labels), default=255)})"
    name = value.get("name")
    first = value.args[0] if value.args else UNKNOWN
    if isinstance(name, str):
        return '"' + name.replace('"', '""') + '"' if not name.islower() else name
    return first.last.lower() if isinstance(first, Symbol) else "unknown_enum"
