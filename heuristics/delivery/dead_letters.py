"""Dead letter queues that a change disconnects from what fails into them."""

from gonogo.record import Record
from gonogo.resource import Declared, Setting
from heuristics.rule import RuleContext
from heuristics.stages import production_settings

_TARGETS = ("redrive_target", "dead_letter_target", "failure_destination", "dead_letter_policy.dead_letter_topic")
_KEYS = frozenset((*_TARGETS, "redrive_max_receive_count", "redrive_policy"))


class RemovedRedrive(Record):
    """A queue, function or subscription that loses its dead letter queue, or gets another one."""

    before: Declared
    after: Declared
    old: Setting
    target: str
    """Name of the dead letter queue at base; empty when the manifest does not say."""
    moved_to: Setting | None
    """Where failures go from now on."""
    moved_to_declared: Declared | None


def removed_redrives(context: RuleContext) -> tuple[RemovedRedrive, ...]:
    """One for each declaration whose dead letters change their way."""
    found: dict[tuple[str, str], RemovedRedrive] = {}
    for change in production_settings(context):
        if change.before is None or change.after is None or change.key not in _KEYS or change.old is None:
            continue
        key = (change.before.kind, change.before.address)
        new = _first(change.after, (*_TARGETS, "redrive_policy"))
        old = _first(change.before, _TARGETS) or change.old
        if (change.key not in _TARGETS and new is not None) or (new is not None and _target(new) == _target(old)):
            continue
        declared = None
        if new is not None:
            name = _target(new)
            declared = next((d for d in context.declared["head"].resources if name in (d.name, d.address) and name), None)
        found.setdefault(key, RemovedRedrive(change.before, change.after, old, _target(old), new, declared))
    return tuple(found.values())


def _first(declared: Declared, keys: tuple[str, ...]) -> Setting | None:
    return next((found for key in keys if (found := declared.settings.get(key)) is not None), None)


def _target(setting: Setting) -> str:
    value = setting.value if isinstance(setting.value, str) else setting.text
    return value.rpartition(":")[2].rpartition("/")[2]
