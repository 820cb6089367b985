"""Settings that say how long something is kept, and where a change shortens them."""

from collections.abc import Iterator, Mapping

from gonogo.record import Record
from gonogo.resource import Declared, Setting, SettingChange
from heuristics.rule import RuleContext
from heuristics.stateful.kept import KeptFor, kept_changes, kept_seconds

DAY_S = 86_400.0

SECONDS_OF: Mapping[str, float] = {
    "message_retention_s": 1, "message_retention_duration_s": 1, "retention_s": 1, "retention_hours": 3600, "retention_period_hours": 3600,
    "retention_period": 3600, "retention_days": DAY_S, "expiration_days": DAY_S, "noncurrent_expiration_days": DAY_S,
    "backup_retention_days": DAY_S, "retention_in_days": DAY_S,
}  # fmt: skip
"""Normal-form key → seconds of its unit."""

SWITCHES = frozenset(
    {
        "versioning",
        "point_in_time_recovery",
        "point_in_time_recovery.enabled",
        "versioning.enabled",
        "versioning_configuration.status",
    }
)
"""Keys whose switching off loses what could be brought back."""


LINE_KIND = "line"
"""The kind of a declaration that stands for a line which no manifest reader declares."""


class Shortened(Record):
    """One setting that keeps less than before; None is for ever, or unknown when `is_known` is False."""

    change: SettingChange
    old_s: float | None
    new_s: float
    is_switch: bool = False


def shortened(context: RuleContext) -> Iterator[Shortened]:
    """Each once: `lifecycle.x.expiration_days` and the resource's own `expiration_days` are one setting."""
    seen: set[tuple[str, int]] = set()
    for change in context.settings:
        if change.before is None or change.after is None or change.key == "":
            continue
        key = change.key.rsplit(".", 1)[-1] if change.key.startswith("lifecycle.") else change.key
        line = (change.new or change.old).line if (change.new or change.old) else 0  # pyright: ignore[reportOptionalMemberAccess]
        if (change.after.file, line) in seen:
            continue
        found = _shortened(change, key)
        if found is not None:
            seen.add((change.after.file, line))
            yield found
    for kept in context.once(kept_changes):
        if kept.new_s < kept.old_s and (kept.file, kept.line) not in seen and not _is_declared(context, kept):
            seen.add((kept.file, kept.line))
            yield _of_line(kept)


def _is_declared(context: RuleContext, kept: KeptFor) -> bool:
    """Whether a manifest's setting on that line was held against the table already, and is no shortening."""
    return any(
        c.new is not None and c.after is not None and (c.new.file or c.after.file, c.new.line) == (kept.file, kept.line)
        and c.key in SECONDS_OF
        for c in context.settings
    )  # fmt: skip


def _of_line(kept: KeptFor) -> Shortened:
    """A line of a script, of variables or of code, as a setting of what it is about."""

    def declared(line: int) -> Declared:
        return Declared(kind=LINE_KIND, address=kept.key, name=None, file=kept.file, line=line, end_line=line)

    old, new = (Setting(value=v, line=at) for v, at in ((kept.old_s, kept.base_line), (kept.new_s, kept.line)))
    change = SettingChange(key=kept.key, before=declared(kept.base_line), after=declared(kept.line), old=old, new=new)
    return Shortened(change, kept.old_s, kept.new_s)


def _shortened(change: SettingChange, key: str) -> Shortened | None:
    if key in SWITCHES:
        was, now = (_is_on(s.value) if s else None for s in (change.old, change.new))
        return Shortened(change, None, 0, is_switch=True) if was and not now else None
    unit = SECONDS_OF.get(key)
    if unit is None and change.old is not None and change.new is not None:
        was, now = kept_seconds(key, change.old.value), kept_seconds(key, change.new.value)
        return Shortened(change, was, now) if was is not None and now is not None and now < was else None
    if unit is None or change.new is None or not _is_number(change.new.value):
        return None
    new = float(change.new.value) * unit
    old = float(change.old.value) * unit if change.old and _is_number(change.old.value) else None
    if old == 0 and key in ("retention_days", "retention_in_days"):
        old = None  # a log group with 0 keeps for ever
    if change.old is not None and old is None and change.old.value is None:
        return None  # an expression that its text does not settle
    return Shortened(change, old, new) if old is None or new < old else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_on(value: object) -> bool:
    return value is True or str(value).lower() in ("true", "enabled")
