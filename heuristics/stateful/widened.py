"""Rules that delete what is old, and where a change makes one reach more than before: a wider filter, or a rule switched on."""

from collections.abc import Iterator, Mapping
from typing import cast

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Setting, SettingChange
from heuristics.rule import RuleContext

_DAY_S = 86_400.0
_STEM = pattern(r"(?P<stem>lifecycle\.[^.]+|lifecycle_rule(?:\.[^.]+)?(?=\.(?:condition|action))|rule(?:\.[^.]+)?(?=\.(?:filters|enabled|actions)))\.(?P<rest>.+)")  # fmt: skip
_PREFIXES = ("prefix", "condition.matches_prefix", "filters.prefix_match")
_NARROWING = ("tag", "tag_value", "size_above", "condition.matches_suffix", "condition.matches_storage_class", "condition.with_state", "filters.blob_types", "filters.match_blob_index_tag")  # fmt: skip
_AGES = ("expiration_days", "condition.age", "actions.base_blob.delete_after_days_since_modification_greater_than", "actions.base_blob.delete_after_days_since_creation_greater_than")  # fmt: skip
_SWITCHES = ("status", "enabled")


class Widened(Record):
    """One rule that deletes more. `before` are the prefixes that it was for (empty with `was_off`), `after` those that it is for.

    An empty text among the prefixes is everything. `new_s` is the age in seconds from which it deletes.
    """

    change: SettingChange
    rule: str
    new_s: float
    before: tuple[str, ...]
    after: tuple[str, ...]
    was_off: bool = False

    @property
    def added(self) -> str:
        """The first prefix that comes to it; empty for everything."""
        return next((p for p in self.after if not any(p.startswith(old) for old in self.before)), "")


def widened(context: RuleContext) -> Iterator[Widened]:
    """One a rule, at the first setting that widens it."""
    seen: set[tuple[str, str]] = set()
    for change in context.settings:
        stem = _STEM.fullmatch(change.key)
        if stem is None or change.before is None or change.after is None or (change.after.address, stem["stem"]) in seen:
            continue
        found = _of_rule(change, stem["stem"], stem["rest"])
        if found is not None:
            seen.add((change.after.address, stem["stem"]))
            yield found


def _of_rule(change: SettingChange, stem: str, rest: str) -> Widened | None:
    assert change.before is not None
    assert change.after is not None
    old, new = change.before.settings, change.after.settings
    days = _deletes_after(new, stem)
    if days is None or not _is_on(new, stem):
        return None
    before, after = _prefixes(old, stem), _prefixes(new, stem)
    if rest in _SWITCHES and not _is_on(old, stem) and _deletes_after(old, stem) is not None:
        return Widened(change, stem, days * _DAY_S, (), after, was_off=True)
    if _deletes_after(old, stem) is None:
        return None  # a new rule, whose age is a setting of its own
    gone = rest in _NARROWING and change.new is None
    wider = rest in _PREFIXES and any(not any(p.startswith(o) for o in before) for p in after)
    if not wider and not gone:
        return None
    return Widened(change, stem, days * _DAY_S, before if wider else (), after)


def _prefixes(settings: Mapping[str, Setting], stem: str) -> tuple[str, ...]:
    for key in _PREFIXES:
        found = settings.get(f"{stem}.{key}")
        if found is not None and found.value is not None:
            listed = cast("list[object]", found.value) if isinstance(found.value, list) else [found.value]
            return tuple(str(item) for item in listed) or ("",)
    return ("",)


def _deletes_after(settings: Mapping[str, Setting], stem: str) -> float | None:
    action = settings.get(f"{stem}.action.type")
    if action is not None and action.value != "Delete":
        return None
    for key in _AGES:
        found = settings.get(f"{stem}.{key}")
        if found is not None and isinstance(found.value, int | float) and not isinstance(found.value, bool):
            return float(found.value)
    return None


def _is_on(settings: Mapping[str, Setting], stem: str) -> bool:
    for key in _SWITCHES:
        found = settings.get(f"{stem}.{key}")
        if found is not None:
            return str(found.value).lower() in ("true", "enabled")
    return True
