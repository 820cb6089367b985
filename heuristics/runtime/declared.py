"""Changed settings of what runs in production, as numbers, with the place to point at."""

import math
from collections.abc import Iterator

from gonogo.change import Side
from gonogo.resource import Declared, Place, Setting, SettingChange
from heuristics.rule import RuleContext
from heuristics.stages import names_other_stage


def production_settings(context: RuleContext) -> Iterator[SettingChange]:
    """Settings that differ in declarations that are not visibly for another environment than production."""
    for change in context.settings:
        if change.key and change.after is not None and is_for_production(change.after):
            yield change


def is_for_production(declared: Declared) -> bool:
    """Whether neither the environment nor the path of a declaration says staging, development or test."""
    return not names_other_stage(declared.environment) and not names_other_stage(declared.file)


def number_of(setting: Setting | None) -> float | None:
    """The setting as a number; None when it is absent, an expression or no number."""
    value = setting.value if setting is not None else None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def setting_number(declared: Declared | None, *keys: str, default: float | None = None) -> float | None:
    """The first of these settings of a declaration that is a number."""
    for key in keys:
        found = number_of(declared.settings.get(key)) if declared is not None else None
        if found is not None:
            return found
    return default


def place_of_change(change: SettingChange) -> Place:
    """The head line that says the new value; the base line that said the old one when the setting is gone."""
    if change.after is not None and change.new is not None:
        return _place(change.after, change.new, "head")
    if change.before is not None and change.old is not None and change.old.line > 0:
        return _place(change.before, change.old, "base")
    if change.after is not None:
        return Place(file=change.after.file, line=change.after.line, side="head")
    return _place(change.declared, change.old, "base")


def base_place_of(change: SettingChange) -> Place | None:
    """The base line that said the old value."""
    return _place(change.before, change.old, "base") if change.before is not None and change.old is not None else None


def shown(setting: Setting | None) -> str:
    """The value as a reader knows it."""
    if setting is None:
        return "unset"
    value = setting.value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, str | int | float) else setting.text or "unset"


def label(declared: Declared) -> str:
    """What to call a declaration in a sentence."""
    return declared.name or declared.address.rpartition("/")[2].rpartition(".")[2]


def _place(declared: Declared, setting: Setting | None, side: Side) -> Place:
    return declared.place(setting, side)
