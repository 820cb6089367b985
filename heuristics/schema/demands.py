"""What a migration demands of the rows that are there already, and of the statements that write new ones."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.schema.naming import bare
from heuristics.sql import Action, Operation, Simulated, parsed
from heuristics.sql.words import Conjunct

Kind = Literal["not-null", "new-not-null", "unique", "check", "length", "range", "reference"]

SQLSTATE = {
    "not-null": "23502",
    "new-not-null": "23502",
    "unique": "23505",
    "check": "23514",
    "length": "22001",
    "range": "22003",
    "reference": "23503",
}
_MYSQL_ERRORS: dict[Kind, str] = {
    "not-null": "1138",
    "new-not-null": "1138",
    "unique": "1062",
    "check": "3819",
    "length": "1406",
    "range": "1264",
    "reference": "1452",
}
_INTEGERS = {
    "smallint": 2**15 - 1, "int2": 2**15 - 1, "integer": 2**31 - 1, "int": 2**31 - 1, "int4": 2**31 - 1, "mediumint": 2**23 - 1,
    "tinyint": 2**7 - 1, "bigint": 2**63 - 1, "int8": 2**63 - 1,
}  # fmt: skip
_AND = pattern(r"(?i)\band\b")
_LONGEST_CHECK = 2_000
_TEXT = pattern(
    r"(?i)^\s*(?:character varying|varchar|nvarchar|character|char|bpchar|text|\w*text|citext)\b\s*(?:\(\s*(\d+)\s*\))?"
)


class Demand(Record):
    """One demand of one step. `limit` is the longest text or the largest number that the new type holds."""

    step: Simulated
    kind: Kind
    table: str
    columns: tuple[str, ...]
    limit: float | None = None
    conjuncts: frozenset[Conjunct] = frozenset()
    is_partial: bool = False
    filled_by: Operation | None = None
    """An earlier UPDATE of this change that gives the rows a value."""
    is_new_column: bool = False
    is_restated: bool = False
    """It may be nothing new: MySQL's MODIFY says the whole column again."""

    @property
    def is_read_whole(self) -> bool:
        """Whether `conjuncts` is all that a check asks: one condition on each side of every AND."""
        text = self.step.operation.constraint.text if self.step.operation.constraint is not None else ""
        return len(self.conjuncts) > len(_AND.findall(text))

    @property
    def sqlstate(self) -> str:
        """What the statement fails with when a row does not satisfy it: MySQL and MariaDB have numbers of their own."""
        is_mysql = self.step.operation.statement.dialect in ("mysql", "mariadb")
        return _MYSQL_ERRORS[self.kind] if is_mysql else SQLSTATE[self.kind]


def demands_in(steps: Sequence[Simulated]) -> Iterator[Demand]:
    """Every demand that rows which stand there before this change must meet."""
    for at, step in enumerate(steps):
        op = step.operation
        if step.created_here or op.table is None or not step.is_committed:
            continue
        for demand in _demands(step, op):
            yield _with_history(demand, steps[:at])


def _demands(step: Simulated, op: Operation) -> Iterator[Demand]:
    table = bare(op.table or "")
    match op.action:
        case Action.SET_NOT_NULL | Action.ADD_NOT_NULL_CONSTRAINT if not op.is_not_valid and step.proof is None:
            columns = op.columns or (op.constraint.columns if op.constraint else ())
            yield from (Demand(step, "not-null", table, (column,)) for column in columns)
        case Action.ADD_COLUMN if op.column is not None and _must_be_given(op):
            yield Demand(step, "new-not-null", table, (op.column.name,))
        case Action.CREATE_INDEX if op.is_unique and op.columns:
            yield Demand(step, "unique", table, op.columns, is_partial=op.has_where)
        case Action.ADD_UNIQUE | Action.ADD_PRIMARY_KEY if not (op.constraint and op.constraint.using_index):
            columns = op.columns or (op.constraint.columns if op.constraint else ())
            if columns:
                yield Demand(step, "unique", table, columns)
        case Action.ADD_FOREIGN_KEY if not op.is_not_valid and (op.columns or op.constraint):
            yield Demand(step, "reference", table, op.columns or (op.constraint.columns if op.constraint else ()))
        case Action.ADD_CHECK if not op.is_not_valid and op.constraint is not None:
            yield Demand(step, "check", table, op.constraint.columns, conjuncts=op.constraint.conjuncts or _conditions(op))
        case Action.ALTER_TYPE if op.column_type:
            if op.is_not_null and op.statement.dialect in ("mysql", "mariadb"):
                yield from (Demand(step, "not-null", table, (column,), is_restated=True) for column in op.columns)
            limit = _limit(op.column_type)
            if limit is not None:
                yield from (Demand(step, limit[0], table, (column,), limit=limit[1]) for column in op.columns)
        case _:
            return


def _conditions(op: Operation) -> frozenset[Conjunct]:
    """The conditions of a check that only its text says: simple ones read alike in every dialect."""
    text = op.constraint.text if op.constraint is not None else ""
    if not text or len(text) > _LONGEST_CHECK or op.statement.dialect not in ("mysql", "mariadb"):
        return frozenset()
    sql = f"ALTER TABLE t ADD CHECK ({text})"
    read = parsed(replace(op.statement, sql=sql, dialect="postgres"))
    return next((o.constraint.conjuncts for o in read if o.constraint is not None), frozenset[Conjunct]())


def _must_be_given(op: Operation) -> bool:
    column = op.column
    if column is None or not (op.is_not_null or column.is_not_null):
        return False
    has_default = (op.has_default or column.default is not None) and (
        op.default or column.default or ""
    ).strip().lower() != "null"
    return not has_default and not column.is_identity and not column.is_serial and column.generated == ""


def _with_history(demand: Demand, earlier: Sequence[Simulated]) -> Demand:
    filled: Operation | None = None
    is_new = False
    for step in earlier:
        op = step.operation
        if bare(op.table or "") != demand.table:
            continue
        if op.action is Action.ADD_COLUMN and op.column is not None and op.column.name in demand.columns:
            is_new = not (op.has_default or op.column.default is not None)
        if op.action in (Action.UPDATE, Action.DELETE, Action.DATA) and (
            op.action is not Action.UPDATE or set(op.columns) & set(demand.columns)
        ):
            filled = op
    return replace(demand, filled_by=filled, is_new_column=is_new)


def _limit(column_type: str) -> tuple[Kind, float] | None:
    text = _TEXT.match(column_type)
    if text is not None:
        return ("length", float(text.group(1))) if text.group(1) else None
    name = re.match(r"[a-z0-9]+", column_type.strip().lower())
    number = _INTEGERS.get(name.group(0)) if name else None
    return ("range", float(number)) if number is not None else None


def is_narrowing(demand: Demand, old_type: str) -> bool | None:
    """Whether the new type holds less than the old one; None when the old type is not known."""
    if not old_type:
        return None
    text = _TEXT.match(old_type)
    if demand.kind == "length":
        if text is None:
            return False
        return text.group(1) is None or float(text.group(1)) > (demand.limit or 0)
    old = _limit(old_type)
    if old is None or old[0] != "range":
        return bool(re.match(r"(?i)\s*(?:numeric|decimal|double|real|float)", old_type))
    return old[1] > (demand.limit or 0)
