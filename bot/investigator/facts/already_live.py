"""Whether the live resource already has what a manifest sets from now on: then the tool finds no difference, and does nothing."""

from collections.abc import Mapping, Sequence
from typing import cast

from bot.investigator.asking import config
from bot.investigator.case import Case
from gonogo.evidence import ConfigEvidence
from gonogo.resource import Resource, SettingChange
from gonogo.word import Json

_IDENTITIES = frozenset({"name", "identifier", "creation_token", "table_name", "domain_name", "cluster_name", "dataset_id", "table_id"})  # fmt: skip
"""What a resource is found by: that one of the new name exists does not say that it is this one."""
_ALSO: Mapping[str, tuple[str, ...]] = {
    "hash_key": ("key_schema",),
    "range_key": ("key_schema",),
    "fifo": ("fifo_queue", "fifo_topic"),
    "object_lock_enabled": ("object_lock_configuration.object_lock_enabled", "object_lock"),
    "encrypted": ("storage_encrypted", "encryption"),
    "storage_encrypted": ("encrypted", "is_encrypted"),
    "at_rest_encryption_enabled": ("encryption_at_rest", "encrypted_at_rest"),
    "kms_key_id": ("kms_key_arn", "kms_master_key_id", "kms_key"),
    "kms_key_arn": ("kms_key_id",),
    "encryption_key_name": ("disk_encryption_configuration.kms_key_name",),
    "subnet_group": ("db_subnet_group.db_subnet_group_name", "db_subnet_group"),
    "subnet_group_name": ("cache_subnet_group_name",),
    "master_username": ("username",),
    "location": ("region",),
    "region": ("location",),
}
"""Our name of a setting → how live configuration calls it besides."""
_ON = {"true": True, "enabled": True, "on": True, "false": False, "disabled": False, "off": False}


def already_live(case: Case, live: Resource, change: SettingChange) -> ConfigEvidence | None:
    """The live setting that equals the new value of the change; None when it differs, was not read, or the value is not known."""
    if change.key in _IDENTITIES or change.new is None or change.new.value is None:
        return None
    for key in (change.key, *_ALSO.get(change.key, ())):
        cited = config(case, live.id, key)
        if cited is not None:
            return cited if _is_same(change.key, _part(change.key, cited.value), change.new.value) else None
    return None


def _part(key: str, value: Json) -> Json:
    """The key of that role, of a table's key schema as DynamoDB describes it."""
    role = {"hash_key": "HASH", "range_key": "RANGE"}.get(key)
    if role is None or not isinstance(value, list | tuple):
        return value
    rows = [cast("Mapping[str, Json]", e) for e in cast("Sequence[object]", value) if isinstance(e, Mapping)]
    named = [{k.lower().replace("_", ""): v for k, v in row.items()} for row in rows]
    return next((row.get("attributename") for row in named if row.get("keytype") == role), None)


def _is_same(key: str, live: Json, new: Json) -> bool:
    if isinstance(live, list | tuple) or isinstance(new, list | tuple):
        return _listed(live) == _listed(new)
    if isinstance(live, Mapping) or isinstance(new, Mapping):
        return live == new
    one, other = _plain(live), _plain(new)
    if "kms" in key or key.startswith("encryption_key"):
        return str(one).rpartition("/")[2] == str(other).rpartition("/")[2] and str(one) != ""
    return one == other


def _listed(value: Json) -> list[str]:
    items = cast("Sequence[object]", value) if isinstance(value, list | tuple) else [value]
    return sorted(str(item) for item in items)


def _plain(value: Json) -> Json:
    if isinstance(value, str):
        return _ON.get(value.lower(), value)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
