"""The limit that a metric of a resource runs into, as the graph knows it."""

from collections.abc import Mapping
from typing import Any

from context_graph.readings import configured
from gonogo.context import Series
from gonogo.resource import Resource

_KEYS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("databaseconnections", "connections_open", "pg_stat_activity_count", "threads_connected"), ("max_connections",)),
    (("concurrentexecutions",), ("reserved_concurrency",)),
    (("approximateageofoldestmessage",), ("message_retention_s",)),
    (("approximatenumberofmessagesvisible", "queue_messages", "queue_depth", "queue_length", "backlog"), ("max_length", "x_max_length")),
    (("consumedwritecapacityunits",), ("write_capacity",)),
    (("consumedreadcapacityunits",), ("read_capacity",)),
    (("replicas", "runningtaskcount"), ("max_replicas", "max_capacity")),
)  # fmt: skip


def known_limit(series: Series, resource: Resource | None, settings: Mapping[str, Any] | None = None) -> tuple[float, str] | None:
    """The limit in the unit of the series, and where it stands; 100 for a share in percent; None when none is known."""
    name = series.metric.partition("{")[0].partition(".")[0].lower()
    for metrics, keys in _KEYS:
        if name not in metrics:
            continue
        for key in keys:
            found = (settings or {}).get(key) if resource is None else configured(resource, key) or (settings or {}).get(key)
            try:
                value = float(str(found)) if found is not None else None
            except ValueError:
                value = None
            if value is not None and value > 0:
                return value, f"{key} of {series.resource}"
    if series.unit.lower() in ("percent", "%"):
        return 100.0, "100 %"
    return None
