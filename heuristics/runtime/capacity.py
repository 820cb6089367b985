"""Settings that take capacity away: copies, limits, classes, throughput, memory policy."""

from collections.abc import Iterator
from enum import StrEnum

from gonogo.record import Record
from gonogo.resource import Declared, SettingChange
from heuristics.rule import RuleContext
from heuristics.runtime.declared import number_of, production_settings
from heuristics.runtime.instances import Size, size_of


class Capacity(StrEnum):
    """What is taken away."""

    COPIES = "copies"
    FLOOR = "autoscaling minimum"
    CEILING = "autoscaling maximum"
    CPU_LIMIT = "processor limit"
    CLASS = "instance class"
    READS = "read capacity"
    WRITES = "write capacity"
    NODES = "nodes"
    UNITS = "capacity units"
    STORAGE = "storage"
    IOPS = "input and output operations"
    EVICTION = "eviction policy"
    CONNECTIONS = "connection limit"


class CapacityChange(Record):
    """One setting that lowers capacity. `old` and `new` are in the setting's unit; an absent `old` was unlimited.

    For an instance class they are virtual processors, with the sizes beside them.
    """

    what: Capacity
    change: SettingChange
    old: float | None
    new: float
    old_size: Size | None = None
    new_size: Size | None = None
    about: str = ""
    """The name of the workload, when the setting's key says it."""


def capacity_lowered(context: RuleContext) -> Iterator[CapacityChange]:
    """Every setting of this change that leaves production with less capacity than before."""
    for change in production_settings(context):
        what = _capacity_of(change.declared, change.key)
        if what is None:
            continue
        if what is Capacity.CLASS:
            found = _smaller_class(change)
        elif what is Capacity.EVICTION:
            found = _eviction_disabled(change)
        else:
            found = _lowered(what, change)
        if found is not None:
            yield found


def autoscalers(context: RuleContext) -> tuple[Declared, ...]:
    """The autoscalers that head declares."""
    return tuple(d for d in context.declared["head"].resources if d.kind in _AUTOSCALERS)


_AUTOSCALERS = ("kubernetes.horizontalpodautoscaler", "kubernetes.scaledobject", "aws.autoscaling.target")
_COPIES_OF = ("kubernetes.", "aws.ecs.service", "aws.autoscaling.group", "compose.service", "helm.release", "google.", "azure.", "kustomize.overlay")  # fmt: skip
_BY_LAST: dict[str, Capacity] = {
    "min_replicas": Capacity.FLOOR,
    "max_replicas": Capacity.CEILING, "max_instance_count": Capacity.CEILING, "max_instances": Capacity.CEILING,
    "dev/max_scale": Capacity.CEILING, "dev/maxScale": Capacity.CEILING,
    "min_instance_count": Capacity.FLOOR, "min_instances": Capacity.FLOOR, "dev/min_scale": Capacity.FLOOR, "dev/minScale": Capacity.FLOOR,
    "cpu_limit": Capacity.CPU_LIMIT,
    "instance_class": Capacity.CLASS, "node_type": Capacity.CLASS, "instance_type": Capacity.CLASS, "machine_type": Capacity.CLASS,
    "tier": Capacity.CLASS, "vm_size": Capacity.CLASS, "sku_name": Capacity.CLASS, "instance_types": Capacity.CLASS,
    "read_capacity": Capacity.READS, "max_read_capacity": Capacity.READS,
    "write_capacity": Capacity.WRITES, "max_write_capacity": Capacity.WRITES,
    "node_count": Capacity.NODES, "node_groups": Capacity.NODES, "replicas_per_node_group": Capacity.NODES,
    "instance_count": Capacity.NODES, "number_of_broker_nodes": Capacity.NODES, "desired_size": Capacity.NODES,
    "allocated_storage_gb": Capacity.STORAGE,
    "iops": Capacity.IOPS,
}  # fmt: skip
_POLICY_KEYS = ("parameter.maxmemory-policy", "maxmemory_policy", "maxmemory-policy")


def _capacity_of(declared: Declared, key: str) -> Capacity | None:
    kind, last = declared.kind, key.rpartition(".")[2]
    if key in _POLICY_KEYS:
        return Capacity.EVICTION
    if key in ("parameter.max_connections", "max_connections"):
        return Capacity.CONNECTIONS
    if kind == "kustomize.overlay":
        return Capacity.COPIES if key.startswith("replicas.") else None
    if key in ("replicas", "desired_count", "replica_count"):
        return Capacity.COPIES if kind.startswith(_COPIES_OF) else None
    if kind == "aws.ecs.task_definition":
        return Capacity.CPU_LIMIT if key == "cpu" else None
    if kind == "aws.rds.cluster" and last == "max_capacity":
        return Capacity.UNITS
    if key.startswith(("container.", "init_container.", "environment", "parameter.", "labels", "tags")):
        return None
    return _BY_LAST.get(last)


def _lowered(what: Capacity, change: SettingChange) -> CapacityChange | None:
    old, new = number_of(change.old), number_of(change.new)
    about = change.key.partition(".")[2] if change.declared.kind == "kustomize.overlay" else ""
    if what is Capacity.COPIES and change.new is None and change.declared.kind == "kubernetes.deployment":
        new = 1  # what an absent number means: https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#replicas
    if what is Capacity.CPU_LIMIT and change.declared.kind == "aws.ecs.task_definition":
        old, new = (value / 1024 if value is not None and value >= 16 else value for value in (old, new))
    if new is None:
        return None
    if what in (Capacity.READS, Capacity.WRITES) and old is not None:
        return None  # lowered throughput has a playbook of its own; here it takes the place of on-demand mode
    was_unlimited = old is None and change.old is None and (what is Capacity.CPU_LIMIT or _was_on_demand(change, what))
    if was_unlimited or (old is not None and new < old):
        return CapacityChange(what, change, old, new, about=about)
    return None


def _was_on_demand(change: SettingChange, what: Capacity) -> bool:
    """A table that paid per request and is given fixed throughput now."""
    if what not in (Capacity.READS, Capacity.WRITES) or change.before is None:
        return False
    mode = change.before.settings.get("billing_mode")
    return mode is not None and mode.value == "PAY_PER_REQUEST"


def _smaller_class(change: SettingChange) -> CapacityChange | None:
    old, new = (_class_name(s.value) if s is not None else None for s in (change.old, change.new))
    before, after = (size_of(name) if name else None for name in (old, new))
    if before is None or after is None:
        return None
    has_less_memory = before.memory_gib is not None and after.memory_gib is not None and after.memory_gib < before.memory_gib
    if after.vcpus >= before.vcpus and not has_less_memory:
        return None
    return CapacityChange(Capacity.CLASS, change, before.vcpus, after.vcpus, before, after)


def _class_name(value: object) -> str | None:
    if isinstance(value, list) and len(value) == 1:  # pyright: ignore[reportUnknownArgumentType]  a list of a manifest
        value = value[0]  # pyright: ignore[reportUnknownVariableType]
    return value if isinstance(value, str) else None


def _eviction_disabled(change: SettingChange) -> CapacityChange | None:
    old, new = (s.value if s is not None else None for s in (change.old, change.new))
    if new == "noeviction" and old != "noeviction":
        return CapacityChange(Capacity.EVICTION, change, None, 0)
    return None
