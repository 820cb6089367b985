"""Where the log of a program ends up: a disk with so much room, files with a cap, or a service with a quota."""

import re

from bot.investigator.asking import Reading, config, metric, number, statistic_reading
from bot.investigator.case import Case
from bot.investigator.facts.runners import declarations_of
from gonogo.evidence import ConfigEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Relation, Resource
from gonogo.word import ResourceId

_FREE = pattern(
    r"(?i)(node_filesystem_(avail|free)_bytes|disk_(free|available)(_bytes)?|FreeStorageSpace|filesystem_(free|avail)\w*|DiskFreeBytes|volume_available_bytes)(\{[^}]*\})?"
)
_FILE_DRIVERS = ("json-file", "local", "file")
_DAY_S = 86_400.0


class Disk(Record):
    """A disk and the least that was free on it. `is_uncapped`: the log is known to go to plain files on it, or nothing speaks against it."""

    resource: ResourceId
    name: str
    free: Reading
    metric: str
    is_uncapped: bool
    cited: ConfigEvidence | None = None


class Cap(Record):
    """The most that the log files may take, in bytes."""

    total: float
    cited: ConfigEvidence


class Quota(Record):
    """Bytes a second that a log service takes, and what it gets today."""

    resource: ResourceId
    limit: float
    cited: Reading
    metric: str
    today: Reading | None = None


def disk_of(case: Case, resource: Resource) -> Disk | None:
    """The disk of the program or of the host that it runs on, with the least room at the worst."""
    hosts = [
        e.target
        for e in case.out_of(resource.id, Relation.CONNECTS_TO, Relation.DEPENDS_ON, Relation.DEPLOYS_TO, Relation.WRITES_TO)
    ]
    for owner in (resource.id, *hosts):
        found = case.production.resource(owner)
        if owner != resource.id and (
            found is None or not found.kind.startswith(("host", "vm", "aws.ec2", "server", "node", "gcp.compute", "azure.vm"))
        ):
            continue
        for series in case.production.series_of(owner):
            if not _FREE.fullmatch(series.metric):
                continue
            case.asked.append(f"metric {series.metric} min of {owner}")
            free = statistic_reading(series, "min")
            if free is not None and free.unit == "B":
                driver = config(case, resource.id, "log_driver")
                is_file = driver is None or str(driver.value) in _FILE_DRIVERS
                is_own = resource.kind.startswith(
                    ("docker", "host", "vm", "compose", "systemd", "server", "aws.rds", "postgres", "mysql")
                )
                return Disk(ResourceId(owner), found.name if found else owner, free, series.metric, is_file and is_own, driver)
    return None


def cap_of(case: Case, resource: Resource) -> Cap | None:
    """What live log options, or those that the manifest keeps declaring, cap the files at."""
    size, count = (
        config(case, resource.id, "log_options.max-size", "log_options.max_size", "log_max_size"),
        config(case, resource.id, "log_options.max-file", "log_options.max_file", "log_max_file"),
    )
    total = _bytes(size.value) if size is not None else None
    if size is None or total is None:
        return None
    copies = float(str(count.value)) if count is not None and str(count.value).isdigit() else 1.0
    if any("max-size" in k and s.value is None for d in declarations_of(case, resource.id) for k, s in d.settings.items()):
        return None
    return Cap(total * copies, size)


def _bytes(written: object) -> float | None:
    found = re.fullmatch(r"(?i)\s*(\d{1,9}(?:\.\d+)?)\s*([kmg]?)i?b?\s*", str(written))
    return float(found[1]) * {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9}[found[2].lower()] if found else None


def quota_of(case: Case, resource: Resource) -> Quota | None:
    """The quota of the log service that the program writes to."""
    for edge in case.out_of(resource.id, Relation.WRITES_TO, Relation.PUBLISHES_TO, Relation.CONNECTS_TO):
        by_day = number(
            case,
            edge.target,
            "daily_quota_gb",
            "ingest_quota_gb_per_day",
            "ingestion_quota_gb",
            "daily_cap_gb",
            "quota_gb_per_day",
        )
        by_second = number(case, edge.target, "ingest_limit_bytes_per_s", "ingestion_rate_bytes", "max_bytes_per_second")
        by_mb = number(case, edge.target, "ingestion_rate_mb", "ingest_limit_mb_per_s", "ingestion_rate_limit_mb")
        for found, factor in ((by_day, 1e9 / _DAY_S), (by_second, 1.0), (by_mb, 1e6)):
            if found is not None and found.value > 0:
                today = metric(
                    case, edge.target, ("IncomingBytes", re.compile(r"(?i)(ingest\w*|incoming|received)_?bytes.*")), "mean"
                )
                if today is not None and today.unit == "B":  # a sum over its step
                    step = next((s.step_s for s in case.production.series_of(edge.target) if s.metric == _name(today)), 0.0)
                    is_rate = "per_second" in _name(today) or "rate" in _name(today)
                    today = Reading(today.value if is_rate or not step else today.value / step, "B/s", today.evidence)
                else:
                    today = None
                return Quota(
                    ResourceId(edge.target), found.value * factor, found, _name(today) if today else "IncomingBytes", today
                )
    return None


def _name(reading: Reading) -> str:
    return reading.evidence.metric if reading.evidence.kind == "metric" else ""
