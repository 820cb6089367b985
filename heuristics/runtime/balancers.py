"""Load balancers that a change replaces, or takes from the public network.

`internal` or the scheme, the name and the type force a new balancer (Terraform: 'Forces new resource'; CloudFormation: 'Replacement').
Terraform deletes the old one first unless it is told otherwise, and a new one takes minutes to be active.
"""

from collections.abc import Iterator

from gonogo.record import Record
from gonogo.resource import SettingChange
from heuristics.rule import RuleContext
from heuristics.runtime.declared import production_settings

_KINDS = ("aws.elb.loadbalancer", "aws.elb.classic_loadbalancer")
_FORCING = ("internal", "scheme", "name", "type")


class NewBalancer(Record):
    """One balancer that goes, with another one in its place."""

    change: SettingChange
    is_hidden: bool
    """The new one has addresses of the private network only."""
    is_gap: bool
    """The old one is deleted before the new one is there."""


def new_balancers(context: RuleContext) -> Iterator[NewBalancer]:
    """One a balancer, what hides it first."""
    found: dict[tuple[str, str], NewBalancer] = {}
    for change in production_settings(context):
        after = change.after
        if change.declared.kind not in _KINDS or change.key not in _FORCING or after is None or change.before is None:
            continue
        was, now = _is_internal(change, "old"), _is_internal(change, "new")
        if change.key in ("internal", "scheme") and was == now:
            continue
        is_terraform = after.file.endswith((".tf", ".tf.json", ".tofu"))
        first = after.settings.get("create_before_destroy")
        one = NewBalancer(
            change, now is True and was is not True, is_terraform and not (first is not None and first.value is True)
        )
        key = (after.file, after.address)
        if key not in found or one.is_hidden:
            found[key] = one
    yield from found.values()


def _is_internal(change: SettingChange, which: str) -> bool | None:
    """An absent setting means a public one; None for an expression."""
    setting = change.old if which == "old" else change.new
    if setting is None:
        return False
    if isinstance(setting.value, bool):
        return setting.value
    return None if setting.value is None else str(setting.value).lower() in ("internal", "true")
