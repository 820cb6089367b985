"""Connections of a database: how many are open, how many it takes, and how many a change may add."""

import re

from bot.investigator.asking import Reading, metric, number, server_statistic
from bot.investigator.case import Case
from gonogo.context import Statistic
from gonogo.evidence import DatabaseEvidence, Evidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Resource
from heuristics.limits.changed import as_number

_OPEN = (
    "DatabaseConnections",
    pattern(
        r"(?i)(pg_stat_activity_count|pg_stat_database_numbackends|numbackends|threads_connected|connections(_open|_active|_used|_total)?|active_?connections|backends"
        r"|.*(database|db|postgres|postgresql|pg|mysql|sql|server).*connections(?!.*(max|limit|failed|aborted|refused)).*|mysql_global_status_threads_connected)"
    ),
)
"""Metrics of connections that are open on a server."""
_MOST = (
    "max_connections", "settings.max_connections", "parameters.max_connections", "parameter.max_connections", "database_flags.max_connections",
    "flags.max_connections", "connection_limit", "max_client_connections", "max_user_connections",
)  # fmt: skip
_INSTANCES = ("replicas", "desired_count", "count", "machines", "min_instances", "scale", "instances")


_MOST_TOLD = (pattern(r"(?i)(pg|postgres(ql)?|mysql)_(settings|global_variables)_max_connections|max_connections"),)


def _level(told: Reading) -> float:
    """A level, whatever its unit is called."""
    return told.evidence.value if told.evidence.kind == "metric" else told.value


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
    configured = number(case, database, *_MOST)
    if configured is not None:
        most, limit = configured.value, configured.evidence
    else:
        cited: DatabaseEvidence | None = server_statistic(case, database, "settings.max_connections")
        most = as_number(cited.value) if cited is not None else None
        limit = cited if most is not None else None
        if most is None:
            told = metric(case, database, _MOST_TOLD, "min")
            most, limit = (_level(told), told.evidence) if told is not None else (None, None)
    return Connections(database, open_connections(case, database), most, limit)


def open_connections(case: Case, database: str, statistic: Statistic = "max") -> Reading | None:
    """Open connections at the peak, or another statistic of them: a level, whatever the unit is called."""
    found = metric(case, database, _OPEN, statistic)
    return Reading(_level(found), "", found.evidence) if found is not None else None


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
