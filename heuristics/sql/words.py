"""The words of a migration: statements, the operations in them, what each does, and where it stands in a run."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Literal

from gonogo.record import Record

Dialect = Literal["postgres", "mysql", "mariadb", "sqlite", "unknown"]
ConstraintKind = Literal["check", "foreign_key", "unique", "primary_key", "exclude", "not_null"]
ObjectKind = Literal["table", "index", "view", "matview", "sequence", "type", "domain", "function", "schema", "other"]
Conjunct = tuple[str, str, str]
"""One ANDed condition of a CHECK: column, operator, literal (`("a", "is not null", "")`)."""

LOCK_MODES = (
    "AccessShare",
    "RowShare",
    "RowExclusive",
    "ShareUpdateExclusive",
    "Share",
    "ShareRowExclusive",
    "Exclusive",
    "AccessExclusive",
)
"""PostgreSQL's table locks, weakest first (https://www.postgresql.org/docs/current/explicit-locking.html)."""


class Action(StrEnum):
    """What one operation does, in the vocabulary of DDL; several may stand in one statement."""

    CREATE_INDEX = "create_index"
    DROP_INDEX = "drop_index"
    RENAME_INDEX = "rename_index"
    ATTACH_INDEX = "attach_index"
    SET_INDEX_OPTIONS = "set_index_options"
    REINDEX = "reindex"
    ADD_COLUMN = "add_column"
    DROP_COLUMN = "drop_column"
    RENAME_COLUMN = "rename_column"
    ALTER_TYPE = "alter_type"
    SET_NOT_NULL = "set_not_null"
    DROP_NOT_NULL = "drop_not_null"
    SET_DEFAULT = "set_default"
    DROP_DEFAULT = "drop_default"
    SET_COLUMN_OPTION = "set_column_option"
    SET_STATISTICS = "set_statistics"
    ADD_IDENTITY = "add_identity"
    DROP_IDENTITY = "drop_identity"
    SET_EXPRESSION = "set_expression"
    DROP_EXPRESSION = "drop_expression"
    CREATE_TABLE = "create_table"
    DROP_TABLE = "drop_table"
    RENAME_TABLE = "rename_table"
    SET_SCHEMA = "set_schema"
    SET_TABLE_OPTIONS = "set_table_options"
    ALTER_TABLE_OTHER = "alter_table_other"
    SET_LOGGED = "set_logged"
    REWRITE_TABLE = "rewrite_table"
    ADD_FOREIGN_KEY = "add_foreign_key"
    ADD_CHECK = "add_check"
    ADD_UNIQUE = "add_unique"
    ADD_PRIMARY_KEY = "add_primary_key"
    ADD_EXCLUSION = "add_exclusion"
    ADD_NOT_NULL_CONSTRAINT = "add_not_null_constraint"
    VALIDATE_CONSTRAINT = "validate_constraint"
    ALTER_CONSTRAINT = "alter_constraint"
    RENAME_CONSTRAINT = "rename_constraint"
    DROP_CONSTRAINT = "drop_constraint"
    INHERIT = "inherit"
    NO_INHERIT = "no_inherit"
    ATTACH_PARTITION = "attach_partition"
    DETACH_PARTITION = "detach_partition"
    CREATE_TRIGGER = "create_trigger"
    DROP_TRIGGER = "drop_trigger"
    TOGGLE_TRIGGER = "toggle_trigger"
    CREATE_RULE = "create_rule"
    CREATE_POLICY = "create_policy"
    ROW_SECURITY = "row_security"
    VACUUM_FULL = "vacuum_full"
    VACUUM = "vacuum"
    ANALYZE = "analyze"
    CLUSTER = "cluster"
    TRUNCATE = "truncate"
    LOCK_TABLE = "lock_table"
    CREATE_VIEW = "create_view"
    ALTER_VIEW = "alter_view"
    DROP_VIEW = "drop_view"
    CREATE_MATVIEW = "create_matview"
    REFRESH_MATVIEW = "refresh_matview"
    CREATE_TYPE = "create_type"
    ALTER_TYPE_ATTRIBUTE = "alter_type_attribute"
    RENAME_TYPE = "rename_type"
    DROP_TYPE = "drop_type"
    ADD_ENUM_VALUE = "add_enum_value"
    RENAME_ENUM_VALUE = "rename_enum_value"
    CREATE_DOMAIN = "create_domain"
    ADD_DOMAIN_CONSTRAINT = "add_domain_constraint"
    VALIDATE_DOMAIN_CONSTRAINT = "validate_domain_constraint"
    CREATE_SEQUENCE = "create_sequence"
    ALTER_SEQUENCE = "alter_sequence"
    DROP_SEQUENCE = "drop_sequence"
    CREATE_FUNCTION = "create_function"
    DROP_FUNCTION = "drop_function"
    CREATE_SCHEMA = "create_schema"
    DROP_SCHEMA = "drop_schema"
    COMMENT = "comment"
    CREATE_STATISTICS = "create_statistics"
    CREATE_PUBLICATION = "create_publication"
    GRANT = "grant"
    UPDATE = "update"
    DELETE = "delete"
    INSERT = "insert"
    SELECT = "select"
    SET_SETTING = "set_setting"
    TRANSACTION = "transaction"
    DATA = "data"
    """Code that moves data in a way its text does not settle (a Python function, a callback)."""
    OTHER = "other"
    NOT_ANALYSED = "not_analysed"


class Statement(Record, kw_only=True):
    """One statement that the runner will send, with the place of its source.

    `sql` is as exact as can be known; `source` is what stands in the file. Statements of equal, non-None
    `transaction` run in one transaction of the runner.
    """

    file: str
    line: int
    end_line: int
    sql: str
    source: str
    framework: str
    dialect: Dialect
    direction: Literal["up"] = "up"
    migration_id: str | None = None
    transaction: str | None = None
    is_analysed: bool = True
    note: str = ""
    """Why it was not analysed, or what about its SQL is a guess."""

    @property
    def in_transaction(self) -> bool:
        """True when the runner, or the script itself, holds a transaction open around it."""
        return self.transaction is not None


class Constraint(Record, kw_only=True):
    """A constraint as it is written."""

    kind: ConstraintKind
    name: str | None = None
    columns: tuple[str, ...] = ()
    referenced_table: str | None = None
    referenced_columns: tuple[str, ...] = ()
    is_valid: bool = True
    is_enforced: bool = True
    conjuncts: frozenset[Conjunct] = frozenset()
    using_index: str | None = None
    text: str = ""

    def proves_not_null(self, column: str) -> bool:
        """True when rows that satisfy it have a value in that column, and all rows are known to."""
        return self.kind == "check" and self.is_valid and self.is_enforced and (column, "is not null", "") in self.conjuncts


class Column(Record, kw_only=True):
    """A column as it is written or as it is known."""

    name: str
    type: str = ""
    is_not_null: bool = False
    default: str | None = None
    default_functions: tuple[str, ...] = ()
    is_identity: bool = False
    is_serial: bool = False
    generated: Literal["", "stored", "virtual"] = ""
    collation: str = ""
    constraints: tuple[Constraint, ...] = ()


class PartitionBound(Record, kw_only=True):
    """The bound of a partition: default, a range of literals, or a list of them; None where it is an expression."""

    is_default: bool = False
    lower: tuple[str, ...] = ()
    upper: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


class Operation(Record, kw_only=True):
    """One thing that a statement does to one object."""

    statement: Statement
    action: Action
    table: str | None = None
    """The table (or view) it acts on, schema-qualified as written."""
    columns: tuple[str, ...] = ()
    name: str | None = None
    """The index, constraint, trigger, type, sequence or setting."""
    referenced_table: str | None = None
    new_name: str | None = None
    column_type: str | None = None
    old_type: str | None = None
    object_kind: ObjectKind = "table"
    is_concurrent: bool = False
    is_unique: bool = False
    is_not_valid: bool = False
    is_cascade: bool = False
    is_only: bool = False
    is_replace: bool = False
    has_default: bool = False
    default: str | None = None
    default_is_volatile: bool | None = False
    """None: a function that is not built in, and whose definition was not seen."""
    is_not_null: bool = False
    if_exists: bool = False
    if_not_exists: bool = False
    has_where: bool = False
    in_function: bool = False
    """Inside a DO block or a function body that the migration calls."""
    value: str | None = None
    """The value of a setting, the label of an enum, the mode of a lock, the algorithm that was asked for."""
    index_method: str = ""
    using: str | None = None
    """The USING expression of a type change."""
    column: Column | None = None
    defined: tuple[Column, ...] = ()
    constraint: Constraint | None = None
    constraints: tuple[Constraint, ...] = ()
    reads: tuple[str, ...] = ()
    """Tables that a query in it reads."""
    reads_columns: tuple[str, ...] = ()
    literals: tuple[str, ...] = ()
    bound: PartitionBound | None = None
    key: tuple[str, ...] = ()
    details: Mapping[str, str] = field(default_factory=dict[str, str])


class Effect(Record, kw_only=True):
    """What one operation does by itself on the server, by the measured model.

    `locks` holds the strongest lock on each table (view, sequence) that stood there before. `scans` and `rewrites` are the
    tables whose every row is read or written: the time grows with them. A brief lock is in `blocks_reads` too.
    """

    locks: Mapping[str, str] = field(default_factory=dict[str, str])
    blocks_reads: tuple[str, ...] = ()
    blocks_writes: tuple[str, ...] = ()
    rewrites: tuple[str, ...] = ()
    scans: tuple[str, ...] = ()
    error: str | None = None
    """The predicted SQLSTATE with a short text, or None."""
    depends_on: tuple[str, ...] = ()
    """What is not known and would change the answer; empty when the answer is exact."""
    algorithm: str | None = None
    """MySQL and MariaDB: the cheapest algorithm the server accepts (INSTANT, NOCOPY, INPLACE, COPY)."""

    @property
    def is_online(self) -> bool:
        """True when nothing whose time grows with a table happens while its reads or writes wait, and it does not fail."""
        slow = (*self.scans, *self.rewrites)
        return self.error is None and not (slow and (self.blocks_reads or self.blocks_writes))


class Simulated(Record, kw_only=True):
    """One operation in its place in the run."""

    operation: Operation
    effect: Effect
    created_here: bool = False
    """Its table was created earlier in the same change: nobody else uses it."""
    held: Mapping[str, str] = field(default_factory=dict[str, str])
    """The strongest lock on each table while this operation runs, its own and those of the transaction so far."""
    blocks_reads: tuple[str, ...] = ()
    """Tables whose reads wait while it runs, under all the locks held."""
    blocks_writes: tuple[str, ...] = ()
    slow_under: Mapping[str, str] = field(default_factory=dict[str, str])
    """When it is slow (scans, rewrites, or moves data): the locks that other sessions wait for meanwhile."""
    lock_timeout_ms: int | None = None
    """In force by SET in the run; 0 means no limit; None means the server's setting."""
    statement_timeout_ms: int | None = None
    error: str | None = None
    proof: str | None = None
    """Why it is cheaper than it looks: the constraint or fact that was found."""
    is_reached: bool = True
    """False when an earlier statement of its transaction is predicted to fail."""
    is_committed: bool = True
    """False when the script begins a transaction and never commits it."""
