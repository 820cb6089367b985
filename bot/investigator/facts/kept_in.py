"""Which live store a line about keeping is of, and how old things get there before its slowest reader has them."""

import re

from bot.investigator.asking import Reading, config, metric_names, statistic_reading
from bot.investigator.case import Case
from gonogo.pattern import pattern
from gonogo.resource import Relation, Resource
from heuristics.runtime.cron import schedule_of

_STORES = pattern(
    r"(?i).*(kafka|\bmsk\b|kinesis|nats|jetstream|pulsar|event_?hub|pubsub|service_?bus|rabbit|redpanda|stream|sqs|topic|queue|\bmq\b|prometheus|loki|mimir|thanos"
    r"|victoria|elasticsearch|opensearch|clickhouse|influx|persistentvolume|\bvolume).*"
)
_AGES = pattern(
    r"(?i).*(age_?of_?oldest|oldest_.*age|iterator_?age|unacked_message_age|lag_?(in_?)?(seconds|millis)|lag_?(s|ms)(?![a-z])|time_?lag|lag_?time|millis_?behind"
    r"|time_?behind|seconds_?behind|data_?freshness|lag\.seconds).*"
)
_TOPIC = pattern(r"(?i)[{,]\s*(?:topic|topic_?name|stream|stream_?name|queue|queue_?name|subject)\s*=\s*[\"']?([^,}\"']+)")


def store_of_line(case: Case, file: str, line: int) -> Resource | None:
    """The store that a manifest declares around the line, else the one that the file names, else the only one deployed here."""
    for change in case.diff.settings:
        declared = change.after
        if declared is not None and declared.file == file and declared.line <= line <= max(declared.end_line, declared.line):
            live = case.live_of(declared)
            if live is not None:
                return live
    stores = [r for a in case.affected if (r := case.production.resource(a.resource)) is not None and is_store(r)]
    text = f"{file}\n{case.diff.head.text(file) or ''}"
    named = [r for r in stores if re.search(rf"(?<![\w-]){re.escape(r.name)}(?![\w-])", text)]
    if len(named) == 1:
        return named[0]
    if (nearest := _named_above(case, file, line, named)) is not None:
        return nearest
    own = {e.target for e in case.out_of(case.repository, Relation.DEPLOYS_TO)}
    deployed = [r for r in stores if r.id in own]
    return deployed[0] if len(deployed) == 1 and not named else None


def _named_above(case: Case, file: str, line: int, stores: list[Resource]) -> Resource | None:
    """Of several topics or streams in a file, the one whose name stands on the line or next above it."""
    parts = [r for r in stores if _PARTS.fullmatch(r.kind)]
    lines = (case.diff.head.text(file) or "").split("\n")
    for text in reversed(lines[max(0, line - 30) : line]):
        here = [r for r in parts if re.search(rf"(?<![\w.-]){re.escape(r.name)}(?![\w.-])", text[:600])]
        if here:
            return here[0] if len(here) == 1 else None
    return None


_PARTS = pattern(r"(?i).*(topic|stream|queue|index|subject)")
_OTHERS = pattern(r"(?i)retention_?in_?days|backup|snapshot|expir|log_?group|cloudwatch|audit|artifact")
_IN_DAYS = pattern(r"(?i)days")
_KAFKA = pattern(r"(?i).*(kafka|msk|redpanda).*")


def is_about(case: Case, key: str, store: Resource) -> bool:
    """Whether the name, and the lines that take the variable of this name, speak of the store and not of log groups or backups.

    Kafka knows no days.
    """
    if _OTHERS.search(key) is not None or (_KAFKA.fullmatch(store.kind) is not None and _IN_DAYS.search(key) is not None):
        return False
    name = key.rpartition(".")[2]
    taken = re.compile(rf"\b(?:var|local|vars|Values)\.(?:[\w.]+\.)?{re.escape(name)}\b")
    lines = [
        line
        for path in sorted({p.file for p in case.diff.head.search({name}).get(name, ())})[:100]
        for line in (case.diff.head.text(path) or "").split("\n")
        if taken.search(line[:600])
    ]
    return not lines or any(_OTHERS.search(line[:600]) is None for line in lines)


def is_watched_by_people(store: Resource) -> bool:
    """Whether it keeps metrics, logs or traces: what goes there is missed by people, not by what runs."""
    return _PEOPLE.fullmatch(f"{store.kind} {store.name}") is not None


_PEOPLE = pattern(r"(?i).*(prometheus|loki|mimir|thanos|tempo|jaeger|victoria|elasticsearch|opensearch|graphite|influx).*")


def is_store(resource: Resource) -> bool:
    """Whether things are kept there for a while: a broker, a topic, a queue, a volume, a store of metrics or logs."""
    return is_store_kind(resource.kind) or _STORES.fullmatch(resource.name) is not None


def is_store_kind(kind: str) -> bool:
    """The same of a kind alone."""
    return _STORES.fullmatch(kind) is not None


def greatest_age(case: Case, store: Resource) -> Reading | None:
    """The greatest age in seconds of what waits in the store, over all of its readers; None when none was measured."""
    found: list[Reading] = []
    readers = [e.source for e in case.into(store.id, Relation.READS_FROM)]
    readers += [e.target for e in case.out_of(store.id, Relation.TRIGGERS, Relation.INVOKES)]
    for resource in dict.fromkeys((store.id, *readers)):
        case.asked.append(f"age or lag of what waits, of {resource}")
        names = {n for n in metric_names(case, resource) if _AGES.fullmatch(n) and _is_of(n, store, is_own=resource == store.id)}
        for series in case.production.series_of(resource):
            reading = statistic_reading(series, "max") if series.metric in names else None
            if reading is not None and reading.unit == "s":
                found.append(reading)
    return max(found, key=lambda r: r.value, default=None)


def reader_between_runs(case: Case, store: Resource, kept_s: float) -> tuple[Resource, Reading] | None:
    """A reader that starts by a schedule with more time between its starts than things are kept, with its schedule in seconds."""
    for edge in case.into(store.id, Relation.READS_FROM):
        reader = case.production.resource(edge.source)
        cited = config(case, reader.id, "schedule", "schedule_expression", "cron") if reader is not None else None
        schedule = schedule_of(str(cited.value)) if cited is not None else None
        if reader is not None and cited is not None and schedule is not None and schedule.interval_min * 60 > kept_s:
            return reader, Reading(schedule.interval_min * 60, "s", cited)
    return None


def _is_of(metric: str, store: Resource, *, is_own: bool) -> bool:
    """A series of a cluster, or of a reader, may be about another topic; it says so."""
    named = _TOPIC.search(metric)
    return named is None or named[1].strip() == store.name or (is_own and "cluster" in store.kind)
