"""Whether rows are known to break a condition of a check, or known to satisfy it."""

from collections.abc import Callable

from gonogo.record import Record
from heuristics.schema.column_values import HeldValue, number_of
from heuristics.schema.columns import ColumnFacts
from heuristics.sql.words import Conjunct

_HOLDS: dict[str, Callable[[float, float], bool]] = {
    ">=": lambda value, limit: value >= limit,
    ">": lambda value, limit: value > limit,
    "<=": lambda value, limit: value <= limit,
    "<": lambda value, limit: value < limit,
}


class Judged(Record):
    """What statistics say of one condition; `value` is one that breaks it, where a value is listed."""

    is_broken: bool
    value: HeldValue | None = None


def violates(conjunct: Conjunct, facts: ColumnFacts) -> Judged | None:
    """Whether a row is known to break `column operator literal`, or none is known to; None when the statistics don't say."""
    _, operator, literal = conjunct
    if operator == "is not null":
        nulls = facts.nulls(None)
        return None if nulls is None else Judged(nulls > 0)
    if operator in ("in", "not in", "=", "<>"):
        return _listed(operator, literal, facts)
    limit = number_of(literal.strip("'"))
    if limit is None or operator not in _HOLDS:
        return None
    return _compared(operator, limit, facts)


def _listed(operator: str, literal: str, facts: ColumnFacts) -> Judged | None:
    named = {_plain(part) for part in (literal.split(",") if operator in ("in", "not in") else [literal])}
    is_allowed = operator in ("in", "=")
    breaking = next((v for v in facts.held.values if (_plain(v.text) in named) is not is_allowed), None)
    if breaking is not None:
        return Judged(is_broken=True, value=breaking)
    return Judged(is_broken=False) if facts.held.is_whole else None


def _compared(operator: str, limit: float, facts: ColumnFacts) -> Judged | None:
    holds = _HOLDS[operator]
    for held in facts.held.values:
        value = number_of(held.text)
        if value is not None and not holds(value, limit):
            return Judged(is_broken=True, value=held)
    extreme = facts.lowest if operator.startswith(">") else facts.highest
    return None if extreme is None else Judged(not holds(extreme, limit))


def _plain(text: str) -> str:
    bare = text.strip().strip("'\"")
    value = number_of(bare)
    if value is not None:
        return f"{value:g}"
    return {"t": "true", "f": "false"}.get(bare, bare)
