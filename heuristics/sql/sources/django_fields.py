"""Django fields as columns."""

from gonogo.record import Record
from heuristics.sql.sources.python_values import Call, SqlText, Symbol
from heuristics.sql.words import Dialect

_PG = {
    "AutoField": "integer", "BigAutoField": "bigint", "SmallAutoField": "smallint", "BooleanField": "boolean",
    "NullBooleanField": "boolean", "TextField": "text", "IntegerField": "integer", "BigIntegerField": "bigint",
    "SmallIntegerField": "smallint", "PositiveIntegerField": "integer", "PositiveBigIntegerField": "bigint",
    "PositiveSmallIntegerField": "smallint", "FloatField": "double precision", "DateField": "date", "DateTimeField": "timestamptz",
    "TimeField": "time", "DurationField": "interval", "JSONField": "jsonb", "UUIDField": "uuid", "BinaryField": "bytea",
    "GenericIPAddressField": "inet", "IPAddressField": "inet", "HStoreField": "hstore", "SearchVectorField": "tsvector",
    "CITextField": "citext", "IntegerRangeField": "int4range", "BigIntegerRangeField": "int8range", "DecimalRangeField": "numrange",
    "DateTimeRangeField": "tstzrange", "DateRangeField": "daterange", "PointField": "geometry", "PolygonField": "geometry",
}  # fmt: skip
_MY = {
    "AutoField": "integer", "BigAutoField": "bigint", "SmallAutoField": "smallint", "BooleanField": "bool", "NullBooleanField": "bool",
    "TextField": "longtext", "IntegerField": "integer", "BigIntegerField": "bigint", "SmallIntegerField": "smallint",
    "PositiveIntegerField": "integer UNSIGNED", "PositiveBigIntegerField": "bigint UNSIGNED",
    "PositiveSmallIntegerField": "smallint UNSIGNED", "FloatField": "double precision", "DateField": "date",
    "DateTimeField": "datetime(6)", "TimeField": "time(6)", "DurationField": "bigint", "JSONField": "json", "UUIDField": "char(32)",
    "BinaryField": "longblob", "GenericIPAddressField": "char(39)", "IPAddressField": "char(15)",
}  # fmt: skip
_LENGTHS = {"EmailField": 254, "URLField": 200, "SlugField": 50, "FileField": 100, "ImageField": 100, "FilePathField": 100}
RELATIONS = frozenset({"ForeignKey", "OneToOneField", "ParentalKey"})
_TEXTS = frozenset({"CharField", "TextField", "EmailField", "URLField", "SlugField", "FileField", "ImageField", "CICharField"})


class Field(Record):
    """A field of a model, as its migration writes it."""

    name: str
    call: Call

    @property
    def kind(self) -> str:
        """The class, `CharField`."""
        return self.call.last

    @property
    def column(self) -> str:
        """The column's name."""
        given = self.call.text("db_column")
        return given or (f"{self.name}_id" if self.is_relation else self.name)

    @property
    def is_relation(self) -> bool:
        """A foreign key."""
        return self.kind in RELATIONS

    @property
    def is_many(self) -> bool:
        """A table of its own instead of a column."""
        return self.kind in ("ManyToManyField", "TaggableManager", "ParentalManyToManyField")

    @property
    def is_virtual(self) -> bool:
        """No column at all."""
        return self.kind in ("GenericForeignKey", "GenericRelation", "CompositePrimaryKey")

    @property
    def is_nullable(self) -> bool:
        """May be NULL."""
        return self.call.get("null") is True or self.kind == "NullBooleanField"

    @property
    def is_unique(self) -> bool:
        """Has a unique constraint of its own."""
        return self.call.get("unique") is True or self.kind == "OneToOneField"

    @property
    def is_key(self) -> bool:
        """The primary key."""
        return self.call.get("primary_key") is True

    @property
    def is_indexed(self) -> bool:
        """Has an index of its own that is not its unique constraint."""
        if self.is_unique or self.is_key:
            return False
        given = self.call.get("db_index")
        return given is True or (given is not False and self.kind in (*RELATIONS - {"OneToOneField"}, "SlugField"))

    @property
    def is_constrained(self) -> bool:
        """A relation with a foreign key in the database."""
        return self.is_relation and self.call.get("db_constraint") is not False

    @property
    def target(self) -> str:
        """The model a relation points at, as written (`app.Model`, `self`, a setting)."""
        value = self.call.get("to", 0)
        if isinstance(value, str):
            return value
        if isinstance(value, Symbol) and value.name.endswith("AUTH_USER_MODEL"):
            return "settings.AUTH_USER_MODEL"
        if isinstance(value, Call) and value.last == "swappable_dependency":
            return "settings.AUTH_USER_MODEL"
        return value.last if isinstance(value, Symbol) else ""

    @property
    def has_db_default(self) -> bool:
        """Its default is kept in the database."""
        return "db_default" in self.call.keywords and self.call.get("db_default") is not None

    def has_default(self) -> bool:
        """Django fills existing rows with a default that it then takes out of the database again."""
        if "default" in self.call.keywords:
            return self.call.get("default") is not None or not self.is_nullable
        if self.call.get("auto_now") is True or self.call.get("auto_now_add") is True:
            return True
        return not self.is_nullable and self.call.get("blank") is True and self.kind in _TEXTS

    def default_literal(self) -> str:
        """The default that is sent: a callable is called once, so it is a constant."""
        value = self.call.get("db_default") if self.has_db_default else self.call.get("default")
        match value:
            case SqlText(sql=sql):
                return sql
            case Call() if self.has_db_default:
                return _expression(value)
            case bool():
                return "true" if value else "false"
            case int() | float():
                return str(value)
            case str():
                return "'" + value.replace("'", "''") + "'"
            case _:
                return "'one constant value'"

    def type_sql(self, dialect: Dialect, depth: int = 0) -> str:
        """The column's type."""
        is_mysql = dialect in ("mysql", "mariadb")
        if self.kind in ("CharField", "CICharField"):
            length = self.call.get("max_length", 0)
            return f"varchar({length})" if isinstance(length, int) else "varchar"
        if self.kind in _LENGTHS:
            length = self.call.get("max_length")
            return f"varchar({length if isinstance(length, int) else _LENGTHS[self.kind]})"
        if self.kind == "DecimalField":
            digits, places = self.call.get("max_digits"), self.call.get("decimal_places")
            return f"numeric({digits}, {places})" if isinstance(digits, int) and isinstance(places, int) else "numeric"
        if self.kind == "ArrayField" and depth < 3:
            inner = self.call.get("base_field", 0)
            return f"{Field(self.name, inner).type_sql(dialect, depth + 1)}[]" if isinstance(inner, Call) else "text[]"
        if self.kind == "GeneratedField" and depth < 3:
            output = self.call.get("output_field")
            return Field(self.name, output).type_sql(dialect, depth + 1) if isinstance(output, Call) else "text"
        if self.is_relation:
            return "bigint"
        known = (_MY if is_mysql else _PG).get(self.kind)
        return known or f'"{self.kind}"' if not is_mysql else known or "longtext"


def _expression(value: Call) -> str:
    """A database default: `Now()`, `Value(3)`, a function of the database."""
    inner = value.get("value", 0)
    if value.last == "Value":
        if inner is None:
            return "NULL"
        return str(inner).lower() if isinstance(inner, bool) else str(inner) if isinstance(inner, int | float) else f"'{inner}'"
    return {"Now": "now()", "RandomUUID": "gen_random_uuid()", "Random": "random()", "TransactionNow": "now()"}.get(
        value.last, f"{value.last.lower()}()"
    )
