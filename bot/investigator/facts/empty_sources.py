"""Whether the source of a network rule has anybody in it, by what production says of the source itself."""

from bot.investigator.asking import config
from bot.investigator.case import Case
from gonogo.evidence import ConfigEvidence
from gonogo.resource import Resource

_LISTS = (
    "network_interfaces", "network_interface_ids", "attached_to", "attachments", "attached_resources", "associated_resources", "interfaces", "enis",
    "members", "used_by",
)  # fmt: skip
_COUNTS = ("network_interface_count", "network_interfaces_count", "interface_count", "eni_count", "attachment_count", "attachments_count", "attached_count", "member_count")  # fmt: skip
_STATES = ("in_use", "is_attached", "attached", "is_used")


def attached_to_nothing(case: Case, source: Resource) -> ConfigEvidence | None:
    """What says that a live group has no network interface: an empty list, a count of none, or a state; None when nothing does."""
    for key in _LISTS:
        listed = config(case, source.id, key)
        if listed is not None:
            return listed if listed.value in ([], ()) else None
    for key in (*_COUNTS, *_STATES):
        told = config(case, source.id, key)
        if told is not None:
            return told if not isinstance(told.value, str | list | tuple | dict) and not told.value else None
    return None


def source_group(case: Case, group_id: str | None) -> Resource | None:
    """The live group of this id, by the end of its own id, its attributes or its name."""
    if not group_id:
        return None
    for resource in case.production.resources:
        if "group" in resource.kind and (
            resource.id.endswith((f"/{group_id}", f":{group_id}"))
            or group_id in (resource.id, resource.attributes.get("group_id"), resource.attributes.get("id"))
        ):
            return resource
    return None
