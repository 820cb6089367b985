"""Connections of a database: how many are open, how many it takes, and how many a change may add."""

import re

from bot.investigator.asking import Reading, metric, number, server_statistic
from bot.investigator.case import Case
from gonogo.evidence import DatabaseEvidence, Evidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Resource
from heuristics.limits.changed import as_number

_OPEN = (
    "DatabaseConnections",
    pattern(
        r"(?i)(pg_stat_activity_count|pg_stat_database_numbackends|.*(database|db|postgres|mysql).*connections.*|mysql_global_status_threads_connected)"
    ),
)
_INSTANCES = ("replicas", "desired_count", "count", "machines", "min_instances", "scale", "instances")


class Connections(Record):
    """Open connections at the peak and the most that the server takes, with what says so."""

    database: str
    peak: Reading | None
    most: float | None
    limit: Evidence | None


def connections_of(case: Case, database: str) -> Connections:
    """What was read of a database's connections."""
    most: float | None = None
    limit: Evidence | None = None
    configured = number(case, database, "max_connections", "settings.max_connections")
    if configured is not None:
        most, limit = configured.value, configured.evidence
    else:
        cited: DatabaseEvidence | None = server_statistic(case, database, "settings.max_connections")
        most = as_number(cited.value) if cited is not None else None
        limit = cited if most is not None else None
    return Connections(database, metric(case, database, _OPEN, "max"), most, limit)


def instances_of(case: Case, workload: Resource) -> tuple[float, Evidence | None]:
    """How many copies of a workload run, and what says so; one when nothing does."""
    found = number(case, workload.id, *_INSTANCES)
    if found is not None and found.value > 0:
        return found.value, found.evidence
    running = metric(
        case,
        workload.id,
        [
            re.compile(
                r"(?i).*(replicas_available|running_?task_?count|running_?tasks|current_replicas|instance_count|pods_running).*"
            )
        ],
        "max",
    )
    return (running.value, running.evidence) if running is not None and running.value > 0 else (1.0, None)
