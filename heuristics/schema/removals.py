"""What a migration takes away or renames, one row for each name that code may still use."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from gonogo.record import Record
from heuristics.schema.naming import bare
from heuristics.sql import Action, Simulated

Thing = Literal["column", "table", "label"]
_TABLES = (Action.DROP_TABLE, Action.RENAME_TABLE, Action.SET_SCHEMA)


class Removal(Record):
    """A column, table or enum label that is gone, under its old name, after the step."""

    step: Simulated
    thing: Thing
    table: str
    name: str
    new_name: str | None = None
    kept_by: Simulated | None = None
    """The step that keeps the old name alive: a view over the renamed table, a table made anew."""

    @property
    def sqlstate(self) -> str:
        """What a statement with the old name fails with."""
        return {"column": "42703", "table": "42P01", "label": "22P02"}[self.thing]

    @property
    def called(self) -> str:
        """`players.legacy_score`, or the table."""
        return self.name if self.thing != "column" else f"{self.table}.{self.name}"


def removals_in(steps: Sequence[Simulated]) -> Iterator[Removal]:
    """Every removal of something that stood there before this change."""
    added = {
        (bare(s.operation.table or ""), s.operation.column.name)
        for s in steps
        if s.operation.action is Action.ADD_COLUMN and s.operation.column
    }
    gone = {bare(s.operation.table or "") for s in steps if s.operation.action is Action.DROP_TABLE}
    for at, step in enumerate(steps):
        op = step.operation
        table = bare(op.table or "")
        if step.created_here or step.error is not None or not step.is_committed:
            continue
        if op.action in (Action.DROP_COLUMN, Action.RENAME_COLUMN) and table not in gone:
            for column in op.columns:
                if (table, column) not in added or (op.action is Action.DROP_COLUMN and _stood_before(steps[:at], table, column)):
                    yield Removal(step, "column", table, column, op.new_name, _column_again(steps[at + 1 :], table, column))
        elif op.action in _TABLES and table and op.object_kind in ("table", "view", "matview"):
            new = bare(op.new_name or "") or None
            yield Removal(step, "table", table, table, new, _name_again(steps[at + 1 :], table))
        elif op.action is Action.RENAME_ENUM_VALUE and op.value:
            yield Removal(step, "label", bare(op.name or ""), op.value, op.new_name)


def _stood_before(earlier: Sequence[Simulated], table: str, column: str) -> bool:
    return not any(
        s.operation.action is Action.ADD_COLUMN
        and s.operation.column
        and (bare(s.operation.table or ""), s.operation.column.name) == (table, column)
        for s in earlier
    )


def _column_again(later: Sequence[Simulated], table: str, column: str) -> Simulated | None:
    for step in later:
        op = step.operation
        if bare(op.table or "") == table and (
            (op.action is Action.ADD_COLUMN and op.column is not None and op.column.name == column)
            or (op.action is Action.RENAME_COLUMN and op.new_name == column)
        ):
            return step
    return None


def _name_again(later: Sequence[Simulated], table: str) -> Simulated | None:
    for step in later:
        op = step.operation
        if op.action in (Action.CREATE_VIEW, Action.CREATE_TABLE) and bare(op.table or op.name or "") == table:
            return step
        if op.action is Action.RENAME_TABLE and bare(op.new_name or "") == table:
            return step
        if op.action is Action.NOT_ANALYSED and re.search(
            rf"(?i)create\b.{{0,60}}\b(?:view|synonym)\b.{{0,60}}\b{re.escape(table)}\b", op.statement.sql[:2000]
        ):
            return step
    return None
