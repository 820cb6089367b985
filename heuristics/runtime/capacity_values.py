"""Capacity that is taken away in files no manifest reader knows: platforms' own files and programs that build infrastructure."""

from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.resource import Declared, Setting, SettingChange
from heuristics.code import ValueChange, is_ci_path, is_production_code
from heuristics.limits.changed import as_number, words_of
from heuristics.rule import RuleContext
from heuristics.runtime.capacity import Capacity, CapacityChange
from heuristics.stages import is_elsewhere

KIND = "platform.service"
"""The kind of the declarations that stand for such files; they are joined to nothing."""
_CEILINGS = {
    ("max", "instances"), ("max", "instance", "count"), ("max", "replicas"), ("max", "replica", "count"), ("max", "task", "count"),
    ("max", "machines"), ("max", "pods"), ("max", "dynos"), ("max", "num", "replicas"), ("max", "tasks", "count"),
}  # fmt: skip
_SCALED_CEILINGS = {("max",), ("maximum",), ("max", "capacity"), ("max", "size"), ("max", "count"), ("max", "scale"), ("range",)}
"""Names that say so only where an autoscaler stands around them."""
_SCALING = pattern(r"(?i)scal(e|ing|able)|auto_?scal|count\.range|asg\b")
_FORMATION = pattern(r"formation\.[\w-]+\.quantity")
_RANGE = pattern(r"\s*(\d{1,6})\s*-\s*(\d{1,6})\s*")


def capacity_of_values(context: RuleContext) -> Iterator[CapacityChange]:
    """Every value of this change that lets a platform run fewer copies: `max_instances`, `scaling.max`, `count.range`, `formation`."""
    taken = {(s.place.file, words_of(s.key.rpartition(".")[2])) for s in context.settings}
    for value in context.values:
        if (value.file, words_of(value.name)) in taken or value.head_line is None:
            continue
        if not is_production_code(value.file) or is_ci_path(value.file) or is_elsewhere(value.file, value.path.partition(".")[0]):
            continue
        what = _what(value)
        old, new = (_number(side) for side in (value.old, value.new))
        if what is None or old is None or new is None or new >= old:
            continue
        change = SettingChange(
            key=value.path,
            before=_declared(value, value.base_line or 1),
            after=_declared(value, value.head_line),
            old=Setting(value=old, line=value.base_line or 0, text=value.old_text or ""),
            new=Setting(value=new, line=value.head_line, text=value.new_text or ""),
        )
        yield CapacityChange(what, change, old, new)


def _what(value: ValueChange) -> Capacity | None:
    if _FORMATION.fullmatch(value.path):
        return Capacity.COPIES
    words = words_of(value.name)
    if words in _CEILINGS or (words in _SCALED_CEILINGS and _SCALING.search(f"{value.path} {value.call}")):
        return Capacity.CEILING
    return None


def _number(side: object) -> float | None:
    """A number of copies; the upper end of a range."""
    if isinstance(side, str) and (found := _RANGE.fullmatch(side)):
        return float(found[2])
    return as_number(side) if isinstance(side, int | float | str) else None


def _declared(value: ValueChange, line: int) -> Declared:
    return Declared(kind=KIND, address=f"{value.file}/{value.path}", name=None, file=value.file, line=line, end_line=line)
