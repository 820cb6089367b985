"""`VALIDATE CONSTRAINT` asks of the rows what the constraint asked of new ones when it was added NOT VALID."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from heuristics.schema.demands import Demand
from heuristics.schema.naming import bare
from heuristics.sql import Action, Simulated
from heuristics.sql.words import Constraint


def validations_in(steps: Sequence[Simulated], known: Mapping[str, Sequence[Constraint]]) -> Iterator[Demand]:
    """A demand for each check that is validated; `known` holds production's constraints by table."""
    for at, step in enumerate(steps):
        op = step.operation
        name = op.name
        if (
            op.action is not Action.VALIDATE_CONSTRAINT
            or op.table is None
            or name is None
            or step.created_here
            or not step.is_committed
        ):
            continue
        table = bare(op.table)
        added = [
            s.operation.constraint
            for s in steps[:at]
            if s.operation.action is Action.ADD_CHECK
            and bare(s.operation.table or "") == table
            and s.operation.constraint is not None
        ]
        asked = next((c for c in (*added, *known.get(table, ())) if c.name == name and c.kind == "check"), None)
        if asked is None or (asked.is_valid and asked not in added) or not asked.conjuncts:
            continue
        whole = replace(step, operation=replace(op, constraint=asked))
        columns = asked.columns or tuple(sorted({c[0] for c in asked.conjuncts}))
        yield Demand(whole, "check", table, columns, conjuncts=asked.conjuncts)
