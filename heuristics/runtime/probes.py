"""Health checks that give up sooner, ask for another path, or are gone."""

import re
from collections.abc import Iterator
from enum import StrEnum

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place, SettingChange
from heuristics.code.paths import is_docs_path, is_production_code, is_test_path
from heuristics.rule import RuleContext
from heuristics.runtime.declared import place_of_change, production_settings, setting_number


class Probe(StrEnum):
    """Which check it is; a failed one restarts the copy, or keeps traffic away."""

    LIVENESS = "liveness"
    STARTUP = "startup"
    READINESS = "readiness"
    TARGET = "health_check"


class Budget(Record):
    """How long a copy may take to come up before it is stopped, in seconds."""

    earliest_s: float
    latest_s: float
    how: str


class TighterStart(Record):
    """A check that now leaves less time to come up than before (or that is new)."""

    probe: Probe
    change: SettingChange
    before: Budget | None
    after: Budget
    held_back_by: Declared | None = None
    """The declaration whose start-up probe, unchanged or longer, holds this check back."""


class TighterTimeout(Record):
    """A check that now waits less for its answer."""

    probe: Probe
    change: SettingChange
    old_s: float
    new_s: float
    path: str


class MissingPath(Record):
    """A check that asks for a path that no code of this repository answers, though it answered the old one."""

    probe: Probe
    declared: Declared
    place: Place
    path: str
    old_path: str
    was: Place
    """Where base's code had the old path."""


def tighter_starts(context: RuleContext) -> Iterator[TighterStart]:
    """One a declaration and probe: changed delays, periods and thresholds add up."""
    seen: set[tuple[str, Probe]] = set()
    for change in production_settings(context):
        probe = Probe.TARGET if change.key == "health_check_grace_s" else probe_of(change.key)
        if probe is None or probe is Probe.READINESS or (probe is Probe.TARGET and change.key != "health_check_grace_s"):
            continue
        if (change.declared.address, probe) in seen:
            continue
        found = _tighter(change, probe)
        if found is not None:
            seen.add((change.declared.address, probe))
            yield found


def tighter_timeouts(context: RuleContext) -> Iterator[TighterTimeout]:
    """Checks whose own time-out became shorter."""
    for change in production_settings(context):
        if (
            not change.key.endswith(("liveness_timeout_s", "readiness_timeout_s", "startup_timeout_s"))
            and change.key != "health_check_timeout_s"
        ):
            continue
        prefix = change.key.removesuffix("_timeout_s")
        probe = Probe(prefix.rpartition(".")[2])
        default = 5.0 if probe is Probe.TARGET else 1.0
        old, new = (
            setting_number(change.before, change.key, default=default),
            setting_number(change.after, change.key, default=default),
        )
        if old is not None and new is not None and new < old:
            path = change.declared.settings.get(f"{prefix}_path")
            yield TighterTimeout(probe, change, old, new, str(path.value) if path is not None and path.value else "")


def missing_paths(context: RuleContext) -> Iterator[MissingPath]:
    """Changed probe paths, and probes whose route goes from the code in this change."""
    for change in production_settings(context):
        probe = probe_of(change.key) if change.key.endswith("_path") else None
        if probe is None or change.old is None or change.new is None:
            continue
        old, new = change.old.value, change.new.value
        if (
            isinstance(old, str)
            and isinstance(new, str)
            and (was := _answered_only(context, old, new)) is not None
            and change.after is not None
        ):
            yield MissingPath(probe, change.after, place_of_change(change), new, old, was)


def readiness_removed(context: RuleContext) -> Iterator[SettingChange]:
    """Workloads that lose their readiness probe and have no start-up probe either."""
    for change in production_settings(context):
        if (
            change.key == "readiness"
            and change.new is None
            and change.after is not None
            and "startup" not in change.after.settings
        ):
            yield change


def budget_of(declared: Declared, probe: Probe) -> Budget | None:
    """How long the check of this declaration waits, by its settings and their defaults; None when it has none."""
    if probe is Probe.TARGET:
        grace = setting_number(declared, "health_check_grace_s")
        return None if grace is None else Budget(grace, grace + 300, f"{grace:g} s of grace and the target group's checks")
    prefix = _prefix(declared, probe)
    if prefix is None:
        return None
    is_container = declared.kind == "aws.ecs.task_definition"
    period = (
        setting_number(
            declared, f"{prefix}_period_s", default=30.0 if is_container or declared.kind == "compose.service" else 10.0
        )
        or 10.0
    )
    timeout = setting_number(declared, f"{prefix}_timeout_s", default=5.0 if is_container else 1.0) or 1.0
    failures = setting_number(declared, f"{prefix}_failure_threshold", default=3.0) or 3.0
    delay = setting_number(declared, f"{prefix}_initial_delay_s", default=0.0) or 0.0
    earliest = delay + period * max(failures - 1, 0)
    return Budget(earliest, earliest + period + timeout, f"{delay:g} s of delay and {failures:g} failures {period:g} s apart")


def _tighter(change: SettingChange, probe: Probe) -> TighterStart | None:
    if change.after is None:
        return None
    before = budget_of(change.before, probe) if change.before is not None else None
    if before is None and probe is Probe.STARTUP and change.before is not None:
        before = budget_of(change.before, Probe.LIVENESS)  # which counted from the start until now
    after = budget_of(change.after, probe)
    if probe is Probe.STARTUP and after is None and before is not None:  # the probe is gone: liveness counts from the start
        probe, after = Probe.LIVENESS, budget_of(change.after, Probe.LIVENESS)
    if after is None or (before is not None and after.earliest_s >= before.earliest_s):
        return None
    held_back = probe is Probe.LIVENESS and budget_of(change.after, Probe.STARTUP) is not None
    return TighterStart(probe, change, before, after, change.after if held_back else None)


def _prefix(declared: Declared, probe: Probe) -> str | None:
    name = probe.value
    if name in declared.settings or any(key.startswith(f"{name}_") for key in declared.settings):
        return name
    return None


def probe_of(key: str) -> Probe | None:
    """Which check a setting belongs to; None for those of side containers and other settings."""
    if key.startswith(("container.", "init_container.")):
        return None
    found = re.match(
        r"(liveness|startup|readiness|health_check)(?:_(?:initial_delay_s|period_s|interval_s|failure_threshold|timeout_s|path|command|port|grace_s))?$",
        key,
    )
    return Probe(found[1]) if found else None


_CONVENTIONAL = pattern(r"^/(actuator|-/|metrics|nginx_status|_/|swagger|api-docs)|^/up$|^/rails/health|^/?$")


def _answered_only(context: RuleContext, old: str, new: str) -> Place | None:
    """Where base's code has the old path, when head's code has nothing that could answer the new one."""
    ends = [p.split("?")[0].rstrip("/").rpartition("/")[2] for p in (old, new)]
    if not all(ends) or ends[0] == ends[1] or _CONVENTIONAL.search(new):
        return None
    before = _in_code(context, "base", old, ends[0])
    return before if before is not None and _in_code(context, "head", new, ends[1]) is None else None


def _in_code(context: RuleContext, side: str, path: str, end: str) -> Place | None:
    tree = context.base if side == "base" else context.head
    for places in tree.search([path, end]).values():
        for place in places:
            if (
                is_production_code(place.file)
                and not is_test_path(place.file)
                and not is_docs_path(place.file)
                and not _is_manifest(place.file)
            ):
                return place
    return None


def _is_manifest(path: str) -> bool:
    return path.endswith((".yaml", ".yml", ".tf", ".json", ".toml", ".md", ".tpl"))
