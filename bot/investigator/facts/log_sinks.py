"""Where the log of a program ends up: a disk with so much room, files with a cap, or a service with a quota."""

import re
from collections.abc import Iterator, Mapping
from typing import cast

from bot.investigator.asking import Reading, config, metric, number, statistic_reading
from bot.investigator.case import Case
from bot.investigator.facts.runners import declarations_of
from gonogo.evidence import ConfigEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Relation, Resource
from gonogo.word import Json, ResourceId

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
    """The least that a log service takes of what the program writes, directly or through one collector."""
    first = [e.target for e in case.out_of(resource.id, *_SENDS)]
    for owner in dict.fromkeys([*first, *(e.target for near in first for e in case.out_of(near, *_SENDS))]):
        found = case.production.resource(owner)
        limits = [
            (value * factor, cited)
            for key, value in _numbers(found.attributes) if (factor := _per_second(key, is_log=_OF_LOGS.search(found.kind) is not None)) is not None and value > 0
            if (cited := number(case, owner, key)) is not None
        ] if found is not None else []  # fmt: skip
        if limits:
            limit, cited = min(limits, key=lambda one: one[0])
            today = _today(case, owner)
            return Quota(owner, limit, cited, _name(today) if today else "IncomingBytes", today)
    return None


_SENDS = (Relation.WRITES_TO, Relation.PUBLISHES_TO, Relation.CONNECTS_TO, Relation.DEPENDS_ON)
_TAKES_IN = pattern(r"(?i).*(ingest|intake|incoming|log_?volume|log_?rate|indexing).*")
_IS_MOST = pattern(r"(?i).*(limit|quota|cap|max|rate|allowance|budget|commit|provisioned).*")
_OF_LOGS = pattern(
    r"(?i)logs?(?![a-z]*in)|loki|datadog|elastic|opensearch|splunk|new_?relic|grafana|sumo|papertrail|humio|honeycomb|axiom|graylog|stackdriver|monitor|insights|workspace"
)
_NOT_A_RATE = pattern(
    r"(?i).*(burst|per_?stream|per_?pod|retention|line_?size|entry|label|stream_?count|streams?$|age|used|current|price|cost|usd|eur|request|event|lines_?).*"
)
_AMOUNTS = pattern(
    r"(?i)(?:^|[_.])(bytes?|k(?:i?b|ilobytes?)|m(?:i?b|egabytes?)|g(?:i?b|igabytes?)|t(?:i?b|erabytes?))(?=$|[_.]|per)"
)
_SPANS = pattern(
    r"(?i)(?:per_?|/|_)(s|sec|seconds?|min|minutes?|h|hours?|days?|daily|months?|monthly)(?=$|[_.])|^(daily|monthly)|[_.](daily|monthly)(?=[_.])"
)
_SECONDS = {"s": 1.0, "m": 60.0, "h": 3_600.0, "d": _DAY_S}
_IN = (
    "IncomingBytes", pattern(r"(?i).*(ingest|incoming|received|intake|accepted)\w*bytes.*"), pattern(r"(?i).*bytes\w*(ingest|incoming|received|intake|accepted).*"),
)  # fmt: skip


def _numbers(attributes: Mapping[str, Json]) -> Iterator[tuple[str, float]]:
    """Every number of a configuration, with its dotted key."""
    for key, value in attributes.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield key, float(value)
        elif isinstance(value, Mapping):
            inner = cast("Mapping[str, Json]", value)
            yield from (
                (f"{key}.{k}", float(v)) for k, v in inner.items() if isinstance(v, int | float) and not isinstance(v, bool)
            )


def _per_second(key: str, *, is_log: bool = False) -> float | None:
    """Bytes a second in one of what the key counts: `ingestion_rate_limit_mb_per_s`, `daily_quota_gb`, `ingestion_rate_bytes`."""
    amount, span = _AMOUNTS.search(key), _SPANS.search(key)
    is_about = _TAKES_IN.fullmatch(key) is not None or (is_log and (span is not None or "quota" in key.lower()))
    if not is_about or not _IS_MOST.fullmatch(key) or _NOT_A_RATE.fullmatch(key):
        return None
    if amount is None:
        return None
    word = amount[1].lower()
    base = 1024.0 if "i" in word[:2] and word[0] != "b" and word.endswith("ib") else 1000.0
    size = 1.0 if word[0] == "b" else base ** ("kmgt".index(word[0]) + 1)
    said = (
        next((g.lower() for g in span.groups() if g), "")
        if span is not None
        else "s"
        if "rate" in key.lower() or "second" in key.lower()
        else ""
    )
    if not said:
        said = "day" if word[0] in "gt" else "s"
    seconds = 30 * _DAY_S if said.startswith("mon") else _SECONDS[said[0]]
    return size / seconds


def _today(case: Case, owner: str) -> Reading | None:
    """Bytes a second that it takes now."""
    found = metric(case, owner, _IN, "mean")
    if found is None:
        return None
    name = _name(found)
    step = next((s.step_s for s in case.production.series_of(owner) if s.metric == name), 0.0)
    if re.fullmatch(r"(?i)(b|bytes?)/s(ec(ond)?)?", found.unit):
        return Reading(found.value, "B/s", found.evidence)
    if found.unit != "B":
        return None
    is_rate = re.search(r"(?i)per_?s(ec|$|_|\{)|rate", name) is not None
    return Reading(found.value if is_rate or not step else found.value / step, "B/s", found.evidence)


def _name(reading: Reading) -> str:
    return reading.evidence.metric if reading.evidence.kind == "metric" else ""
