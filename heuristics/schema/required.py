"""Columns that a migration makes obligatory for every INSERT: NOT NULL, and no default that stays."""

from collections.abc import Iterator, Sequence

from gonogo.record import Record
from heuristics.schema.naming import bare
from heuristics.sql import Action, Simulated


class Required(Record):
    """From this step on, an INSERT must give the column a value."""

    step: Simulated
    table: str
    column: str
    is_new: bool
    """The column is made by this change, so the deployed version cannot know it."""


def required_in(steps: Sequence[Simulated]) -> Iterator[Required]:
    """Every column of a standing table that becomes obligatory."""
    for at, step in enumerate(steps):
        op = step.operation
        if step.created_here or op.table is None or not step.is_committed:
            continue
        table = bare(op.table)
        match op.action:
            case Action.ADD_COLUMN if op.column is not None and (op.is_not_null or op.column.is_not_null):
                makes_itself = op.column.is_identity or op.column.is_serial or op.column.generated != ""
                has_default = op.has_default or op.column.default is not None
                if not makes_itself and (not has_default or _drops_default(steps[at + 1 :], table, op.column.name)):
                    yield Required(step, table, op.column.name, is_new=True)
            case Action.SET_NOT_NULL:
                for column in op.columns:
                    if not _has_default(steps[:at], table, column):
                        yield Required(step, table, column, is_new=_is_made(steps[:at], table, column))
            case _:
                continue


def _drops_default(later: Sequence[Simulated], table: str, column: str) -> bool:
    return any(
        s.operation.action is Action.DROP_DEFAULT and bare(s.operation.table or "") == table and column in s.operation.columns
        for s in later
    )


def _has_default(earlier: Sequence[Simulated], table: str, column: str) -> bool:
    for step in reversed(earlier):
        op = step.operation
        if bare(op.table or "") != table:
            continue
        if op.action in (Action.SET_DEFAULT, Action.DROP_DEFAULT) and column in op.columns:
            return op.action is Action.SET_DEFAULT
        if op.action is Action.ADD_COLUMN and op.column is not None and op.column.name == column:
            return op.has_default or op.column.default is not None
    return False


def _is_made(earlier: Sequence[Simulated], table: str, column: str) -> bool:
    return any(
        s.operation.action is Action.ADD_COLUMN
        and s.operation.column is not None
        and (bare(s.operation.table or ""), s.operation.column.name) == (table, column)
        for s in earlier
    )
