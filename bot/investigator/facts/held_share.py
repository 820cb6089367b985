"""How much of a volume one topic, stream, queue or index takes that shares it with others, and how fast that comes in."""

import re
from collections.abc import Iterable, Iterator

from bot.investigator.asking import Reading, number, statistic_reading
from bot.investigator.case import Case
from bot.investigator.facts.disk_use import DiskUse, disk_use
from bot.investigator.facts.kept_in import is_store
from gonogo.context import Series
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Relation, Resource

_SHARING = pattern(r"(?i).*(topic|stream|queue|index|indices|data_?stream|subject)([._].*)?")
_PART = pattern(r"(?i)(?:.*[^g]\.)?retention\.ms|(?:.*\.)?retention_ms_config|(?:.*\.)?max_?age|(?:.*\.)?min_(?:index_)?age")
_HELD = pattern(
    r"(?i).*(log_?size|size_?(in_?)?bytes|(store|storage|disk|topic|stream|queue|index|partition|retained|backlog|total|log)_?(total_?)?(size|bytes)(_?bytes)?|size(onbroker)?|bytes_?(stored|retained|on_?disk))"
)
_INCOMING = pattern(
    r"(?i).*(bytes_?in|incoming_?bytes|in_?bytes|bytes_?(received|written|produced|published|appended)|(received|written|produced|published|indexing)_?bytes|ingest\w*bytes)(_?(per_?sec(ond)?|total|rate|sum|count|s))*"
)
_A_SECOND = {
    "bytes/second": 1.0, "byte/second": 1.0, "bytes/s": 1.0, "b/s": 1.0, "bps": 1.0, "kilobytes/second": 1e3, "megabytes/second": 1e6,
    "kibibytes/second": 1024.0, "mebibytes/second": 1024.0**2,
}  # fmt: skip
_SIZES = {"bytes": 1.0, "byte": 1.0, "b": 1.0, "kilobytes": 1e3, "kibibytes": 1024.0, "megabytes": 1e6, "mib": 1024.0**2, "mebibytes": 1024.0**2, "gigabytes": 1e9, "gib": 1024.0**3, "gibibytes": 1024.0**3}  # fmt: skip
_LABEL = pattern(r"([\w.]+)\s*=\s*[\"']?([^,}\"']*)[\"']?")
_OF_ONE = pattern(
    r"(?i)(broker|broker_?id|instance|node|node_?(id|name)|pod|pod_?name|server|host|hostname|volume|persistentvolumeclaim)"
)
_PARTITION = pattern(r"(?i)(partition|partition_?id|shard|segment)")
_NAMED = pattern(r"(?i)(topic|topic_?name|stream|stream_?name|queue|queue_?name|index|index_?name)")
_MACHINES = ("broker_count", "number_of_broker_nodes", "brokers", "node_count", "nodes", "replicas", "instance_count", "desired_count", "ready_replicas")  # fmt: skip
_COPIES = ("replication_factor", "replicas", "num_replicas", "number_of_replicas")


class Share(Record):
    """Bytes of one volume that grow with the time of keeping, at the least and at the most; `rate` is bytes a second there."""

    least: float
    most: float
    readings: tuple[Reading, ...]
    is_steady: bool = True
    is_rate: bool = False
    """Whether `least` and `most` are bytes a second, for no size was read."""


def shares_its_volume(store: Resource, key: str) -> bool:
    """Whether the time of keeping is that of one of several things on a volume, and not of the whole server."""
    return _SHARING.fullmatch(store.kind) is not None or _PART.fullmatch(key) is not None


def holders(case: Case, store: Resource) -> tuple[Resource, ...]:
    """The store and the servers that hold it, by live edges."""
    out = [
        e.target for e in case.out_of(store.id, Relation.CONNECTS_TO, Relation.DEPENDS_ON, Relation.WRITES_TO, Relation.ROUTES_TO)
    ]
    into = [
        e.source
        for e in case.into(store.id)
        if e.relation is not Relation.DEPLOYS_TO and (r := case.production.resource(e.source)) is not None and is_store(r)
    ]
    found = [store, *(r for one in (*out, *into) if (r := case.production.resource(one)) is not None)]
    return tuple({r.id: r for r in found if not r.kind.startswith(("team", "github"))}.values())


def shared_use(case: Case, store: Resource) -> DiskUse | None:
    """How full the fullest volume is of the servers that hold the store."""
    found = [use for one in holders(case, store) if (use := disk_use(case, one)) is not None]
    return max(found, key=lambda u: u.usual, default=None)


def share_of(case: Case, store: Resource, text: str) -> Share | None:
    """What the store takes of one volume; `text` is the changed file, which names it where only the server is known."""
    held = holders(case, store)
    machines = next((m for one in held if one is not store and (m := number(case, one.id, *_MACHINES)) is not None), None)
    copies = number(case, store.id, *_COPIES) if _SHARING.fullmatch(store.kind) else None
    series = list(_about(case, store, held, text))
    sized = [s for s in series if _HELD.fullmatch(_bare(s)) and s.unit.lower() in _SIZES and not _INCOMING.fullmatch(_bare(s))]
    if sized:
        return _by_size(sized, machines)
    coming = [s for s in series if _INCOMING.fullmatch(_bare(s))]
    return _by_rate(coming, machines, copies)


def _about(case: Case, store: Resource, held: Iterable[Resource], text: str) -> Iterator[Series]:
    """Series of the store itself, and those of its servers that name it."""
    is_own = _SHARING.fullmatch(store.kind) is not None
    for one in held:
        case.asked.append(f"bytes of {store.name} at {one.id}")
        for series in case.production.series_of(one.id):
            named = [v for k, v in _labels(series).items() if _NAMED.fullmatch(k)]
            is_its_own = (one is store and is_own and named in ([], [store.name])) or named == [store.name]
            if is_its_own or (not is_own and len(named) == 1 and _is_only(case, one, named[0], text)):
                yield series


def _is_only(case: Case, server: Resource, name: str, text: str) -> bool:
    """Whether the changed file names this one, and no other one of the server."""
    names = {v for s in case.production.series_of(server.id) for k, v in _labels(s).items() if _NAMED.fullmatch(k)}
    return [n for n in names if re.search(rf"(?<![\w.-]){re.escape(n)}(?![\w.-])", text)] == [name]


def _by_size(series: list[Series], machines: Reading | None) -> Share | None:
    groups: dict[str, list[Series]] = {}
    for one in series:
        place = next((f"{k}={v}" for k, v in sorted(_labels(one).items()) if _OF_ONE.fullmatch(k)), "")
        groups.setdefault(f"{_bare(one)}|{place}", []).append(one)
    found = [
        share for key, group in groups.items() if (share := _added(group, machines, is_placed=not key.endswith("|"))) is not None
    ]
    return max(found, key=lambda s: s.least, default=None)


def _added(group: list[Series], machines: Reading | None, *, is_placed: bool) -> Share | None:
    if len(group) > 1 and not all(any(_PARTITION.fullmatch(k) for k in _labels(s)) for s in group):
        group = group[:1]
    low = [r for s in group if (r := statistic_reading(s, "min")) is not None]
    high = [r for s in group if (r := statistic_reading(s, "max")) is not None]
    if not low or len(low) != len(high):
        return None
    factors = [_SIZES[s.unit.lower()] for s in group]
    least = sum(r.evidence.value * f for r, f in zip(low, factors, strict=True) if isinstance(r.evidence.value, int | float))
    most = sum(r.evidence.value * f for r, f in zip(high, factors, strict=True) if isinstance(r.evidence.value, int | float))
    is_steady = most <= least * 1.2 + 1
    if is_placed:
        return Share(least, most, (*low, *high), is_steady)
    split = machines.value if machines is not None and machines.value >= 1 else None
    cited = (*low, *high, *((machines,) if machines is not None else ()))
    return Share(least / split if split is not None else 0.0, most, cited, is_steady)


def _by_rate(series: list[Series], machines: Reading | None, copies: Reading | None) -> Share | None:
    found: list[Share] = []
    for one in series:
        mean = statistic_reading(one, "mean")
        factor = _A_SECOND.get(one.unit.lower())
        if factor is None and one.unit.lower() in _SIZES and not _bare(one).lower().endswith("total"):
            factor = _SIZES[one.unit.lower()] / one.step_s
        if mean is None or factor is None or not isinstance(mean.evidence.value, int | float):
            continue
        rate, times = mean.evidence.value * factor, copies.value if copies is not None and copies.value >= 1 else None
        cited = tuple(r for r in (mean, machines, copies) if r is not None)
        if any(_OF_ONE.fullmatch(k) for k in _labels(one)):
            found.append(Share(rate, rate * (times or 1.0), (mean,), is_rate=True))
        elif machines is not None and machines.value >= 1:
            found.append(Share(rate * (times or 1.0) / machines.value, rate * (times or 1.0), cited, is_rate=True))
        else:
            found.append(Share(0.0, rate * (times or 1.0), cited, is_rate=True))
    return max(found, key=lambda s: s.least, default=None)


def _bare(series: Series) -> str:
    return series.metric.partition("{")[0]


def _labels(series: Series) -> dict[str, str]:
    return {k: v.strip() for k, v in _LABEL.findall(series.metric.partition("{")[2])}
