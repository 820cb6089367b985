"""How copies are exchanged: all at once, too many at a time, or without the time to end their work."""

import math
from collections.abc import Iterator

from gonogo.record import Record
from gonogo.resource import Declared, SettingChange
from heuristics.rule import RuleContext
from heuristics.runtime.declared import number_of, production_settings, setting_number


class FewerDuring(Record):
    """A roll-out that leaves only `remaining` of `copies` copies at work; None when the number is not declared."""

    change: SettingChange
    copies: float | None
    share: float
    """What part of the copies stays at work, at the least."""
    is_certain: bool = True
    """False when the platform may keep more than it must, or only a node drain does it."""

    @property
    def remaining(self) -> float | None:
        """How many copies stay, at the least."""
        return None if self.copies is None else max(0.0, math.ceil(self.copies * self.share - 1e-9))


class ShorterGrace(Record):
    """Less time for work under way before a copy is killed, or a target is cut off."""

    change: SettingChange
    old_s: float
    new_s: float
    is_connection: bool
    """True for a load balancer that drains connections."""


def fewer_during_rollout(context: RuleContext) -> Iterator[FewerDuring]:
    """Every setting that leaves fewer copies at work than before while copies are exchanged."""
    for change in production_settings(context):
        before, after = change.before, change.after
        if after is None or before is None:
            continue
        if change.key == "strategy":
            if change.new is not None and change.new.value == "Recreate":
                yield FewerDuring(change, _copies(after), 0.0)
        elif change.key in ("max_unavailable", "min_available", "min_healthy_percent"):
            old, new = _share(before, change.key), _share(after, change.key)
            if old is not None and new is not None and new < old - 1e-9:
                yield FewerDuring(change, _copies(after), new, is_certain=_is_certain(after, change.key))


def shorter_grace(context: RuleContext) -> Iterator[ShorterGrace]:
    """Termination grace and deregistration delay that went down."""
    for change in production_settings(context):
        default = {
            "termination_grace_s": 10.0 if change.declared.kind == "compose.service" else 30.0,
            "deregistration_delay_s": 300.0,
        }.get(change.key)
        if default is None:
            continue
        old, new = (number_of(s) if s is not None else default for s in (change.old, change.new))
        if old is not None and new is not None and new < old:
            yield ShorterGrace(change, old, new, change.key == "deregistration_delay_s")


def _copies(declared: Declared) -> float | None:
    return setting_number(declared, "replicas", "desired_count")


def _share(declared: Declared, key: str) -> float | None:
    """What part of the copies stays at work under this setting."""
    if declared.kind == "kubernetes.daemonset":
        return None
    setting = declared.settings.get(key)
    count = _copies(declared)
    if setting is None:  # the platforms' defaults
        return {"max_unavailable": 0.75, "min_healthy_percent": 1.0}.get(key)
    value = setting.value
    if isinstance(value, str) and value.endswith("%") and value[:-1].replace(".", "", 1).isdigit():
        share = float(value[:-1]) / 100
        if key == "max_unavailable" and count:
            share = math.floor(count * share) / count  # rounded down: kubernetes.io, Deployment, max unavailable
        return share if key == "min_available" else 1 - share
    number = number_of(setting)
    if number is None:
        return None
    if key == "min_healthy_percent":
        return number / 100
    if not count:
        return None
    return min(number / count, 1.0) if key == "min_available" else max(0.0, 1 - number / count)


def _is_certain(declared: Declared, key: str) -> bool:
    if declared.kind == "kubernetes.poddisruptionbudget":
        return False
    most = setting_number(declared, "max_percent", default=200.0) or 200.0
    return key != "min_healthy_percent" or most <= 100
