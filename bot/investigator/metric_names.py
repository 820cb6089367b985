"""What the name of a metric says beside what it measures: a statistic after a dot, its own resource in braces, a level or a count of events."""

from gonogo.context import Statistic
from gonogo.pattern import pattern

_STATISTIC = pattern(r"(?i)[.](sum|total|mean|avg|average|max|maximum)$")
_DIMENSION = pattern(r"([\w.\-]+)=[\"']?((?:[^,{}\"']|\{[^{}]*\})*)[\"']?")
_OWN = pattern(
    r"(?i)(table|function|queue|topic|stream|service|cluster|db_?instance|db_?cluster|cache_?cluster|replication_?group|load_?balancer|target_?group|bucket|api|resource"
    r"|deployment|workload|container|pod|job|app|application|instance|index|worker|script|dispatcher)_?(name|id|identifier|arn)?"
)
_LEVEL = pattern(
    r"(?i)connections|tasks?count|running|desired|healthy|visible|oldest|concurren|replica|size|depth|length|backlog|lag|inflight|in_flight|threads|pending|items$|pods|hosts"
    r"|capacity$|units$|queue|number_?of_?objects|(object|item|document|file|key|row)s?_?count$|(^|_)(objects|documents|files|rows|keys)$|searchabledocuments"
    r"|(^|_)(enqueued|scheduled|waiting|active|busy)_?(jobs|tasks|messages)$|(jobs|tasks|messages)_(ready|waiting|active|queued|unacked|unacknowledged)"
)
_EVENTS = pattern(
    r"(?i)consumed|sent|received|deleted|produced|publish|deliver|(?<!un)ack(ed|nowledged|_total|$)|confirmed|enqueue_?(count|rate)|dequeue_?(count|rate)|incoming|processed|completed"
    r"|(enqueued|dequeued|added|started|finished|succeeded|failed|executed|handled|dispatched|submitted|accepted)(_total|_count|_per_second|_rate)?$"
)
_COUNTER = pattern(r"(?i)_total$")
_ONLY_LEVELS = pattern(
    r"(?i)depth|length|size|backlog|lag|pending|oldest|concurren|connections|replica|running|desired|visible|in_?flight|threads"
)


def plain_name(metric: str, statistic: Statistic, unit: str, resource: str) -> str:
    """The name without a statistic that is as good as none, and without braces that only name the resource itself.

    `ConsumedWriteCapacityUnits.sum{TableName=readings}` of the table `readings` is `ConsumedWriteCapacityUnits`. The sum
    over a step stands for a count of events, the average for a level; the highest value of a step also for a level's peak.
    """
    name, brace, rest = metric.partition("{")
    if brace and not _only_names(rest.removesuffix("}"), resource):
        return metric
    found = _STATISTIC.search(name)
    if found is None:
        return name
    base, what = name[: found.start()], found[1].lower()
    is_events = unit.lower() in ("count", "counts", "requests", "messages") and not is_level(base)
    if what in ("sum", "total"):
        return base if is_events else metric
    if is_events or (what in ("max", "maximum") and statistic not in ("max", "p99", "p95")):
        return metric
    return base


def is_level(name: str) -> bool:
    """Whether a Count is a level (connections, messages visible) and not a number of events in a step."""
    bare = _STATISTIC.sub("", name.partition("{")[0])
    if not _LEVEL.search(bare) or _EVENTS.search(bare):
        return False
    return not _COUNTER.search(bare) or _ONLY_LEVELS.search(bare) is not None


def _only_names(dimensions: str, resource: str) -> bool:
    found = _DIMENSION.findall(dimensions)
    parts = {part.lower() for part in (resource, resource.rpartition("/")[2], resource.rpartition(":")[2], resource.rpartition(":")[2].partition("/")[2]) if part}  # fmt: skip
    return bool(found) and all(_OWN.fullmatch(key) and value.strip().lower() in parts for key, value in found)
