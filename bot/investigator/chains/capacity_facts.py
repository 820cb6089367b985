"""What production says of a change that takes capacity away: one judge a kind of capacity."""

from collections.abc import Callable

from bot.investigator.case import Case
from bot.investigator.chains.capacity_ceiling import ceiling_judged
from bot.investigator.chains.capacity_copies import copies_judged, floor_judged
from bot.investigator.chains.capacity_judged import Judged
from bot.investigator.chains.capacity_limits import (
    connections_judged,
    eviction_judged,
    iops_judged,
    storage_judged,
    throughput_judged,
    units_judged,
)
from bot.investigator.chains.capacity_machines import class_judged, cpu_limit_judged, nodes_judged
from gonogo.resource import Resource
from heuristics.runtime.capacity import Capacity, CapacityChange

Judge = Callable[[Case, CapacityChange, Resource], Judged | None]


def judged(case: Case, found: CapacityChange, resource: Resource) -> Judged | None:
    """What is known of this change; None when nothing of what takes effect changes for the worse."""
    return _JUDGES[found.what](case, found, resource)


_JUDGES: dict[Capacity, Judge] = {
    Capacity.COPIES: copies_judged, Capacity.CEILING: ceiling_judged, Capacity.FLOOR: floor_judged, Capacity.CPU_LIMIT: cpu_limit_judged, Capacity.CLASS: class_judged,
    Capacity.NODES: nodes_judged, Capacity.READS: throughput_judged, Capacity.WRITES: throughput_judged, Capacity.UNITS: units_judged,
    Capacity.IOPS: iops_judged, Capacity.STORAGE: storage_judged, Capacity.EVICTION: eviction_judged, Capacity.CONNECTIONS: connections_judged,
}  # fmt: skip
