"""How full the volume of a store is, in percent of it: by a percentage, by bytes of a capacity, or by what is free."""

from collections.abc import Iterator

from bot.investigator.asking import Reading, base_unit, number, statistic_reading
from bot.investigator.case import Case
from gonogo.context import Series, Statistic
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Relation, Resource

_GIB = 1024.0**3
_PERCENT = pattern(
    r"(?i).*(data_?logs_?disk_?used|disk_?(space_?)?(used|usage|utili[sz]ation)(_?percent\w*)?|disk/(percent_)?(used|utilization)\w*|(volume|storage|fs|filesystem|pvc?)_?(stats_)?(used|usage|utili[sz]ation)?_?(percent\w*|ratio|pct|utili[sz]ation)"
    r"|percent_?used_?(disk|storage|volume)\w*|(percentage)?volume_?(space_?)?used(_?percent)?)([.{].*)?"
)
_USED = pattern(
    r"(?i).*(volume_stats_used_bytes|(disk|storage|fs|filesystem|volume|data_dir|log_dir|pvc?)_?(space_?)?(used|usage|size)_?(bytes)?|tsdb_storage_blocks_bytes|store_size_bytes|log_?dir_?size|volumebytesused)([.{].*)?"
)
_FREE = pattern(
    r"(?i).*(free_?(storage|disk)_?(space)?|(disk|storage|fs|filesystem|volume|volume_stats)_?(free|available|avail)_?(bytes)?)([.{].*)?"
)
_CAPACITY = pattern(
    r"(?i).*(volume_stats_capacity_bytes|(disk|storage|fs|filesystem|volume)_?(capacity|total|size)_?(bytes)?)([.{].*)?"
)
_SIZES = (
    "volume_size_gib", "volume_size", "ebs_volume_size", "storage_gib", "storage_gb", "allocated_storage_gib", "allocated_storage", "disk_size_gib", "disk_size_gb", "disk_gib",
    "size_gib", "capacity_gib", "pvc_size_gib", "storage_size_gib",
)  # fmt: skip

_BYTES = ("capacity_bytes", "size_bytes", "storage_bytes", "volume_size_bytes", "storage_capacity_bytes")


class DiskUse(Record):
    """Percent of the volume at the least, the median and the most of the window, and what was read."""

    least: float
    usual: float
    most: float
    readings: tuple[Reading, ...]
    capacity: float | None = None
    """Bytes of the volume; None where only a percentage was read."""

    @property
    def is_steady(self) -> bool:
        """Whether about as much goes as comes: the volume is no fuller at the end than at the beginning."""
        return self.most <= self.least * 1.2 + 1


def disk_use(case: Case, store: Resource) -> DiskUse | None:
    """Of the store, or of a volume that it is tied to; the fullest one where several were read. None when none was."""
    tied = [e.target for e in case.out_of(store.id, Relation.DEPENDS_ON, Relation.CONNECTS_TO, Relation.WRITES_TO)]
    tied += [e.source for e in case.into(store.id, Relation.DEPENDS_ON)]
    volumes = [t for t in tied if (r := case.production.resource(t)) is not None and "volume" in r.kind]
    found = [use for resource in dict.fromkeys((store.id, *volumes)) for use in _uses(case, resource)]
    return max(found, key=lambda u: u.usual, default=None)


def _uses(case: Case, resource: str) -> Iterator[DiskUse]:
    case.asked.append(f"how full the volume of {resource} is")
    series = case.production.series_of(resource)
    sized = number(case, resource, *_SIZES)
    capacity = next((s for s in series if _CAPACITY.fullmatch(s.metric) and base_unit(s)[1] == "B"), None)
    whole = statistic_reading(capacity, "p50") if capacity is not None else None
    if whole is None and sized is not None and sized.value > 0:
        whole = Reading(sized.value * _GIB, "B", sized.evidence)
    if whole is None and (exact := number(case, resource, *_BYTES)) is not None and exact.value > 0:
        whole = Reading(exact.value, "B", exact.evidence)
    for one in series:
        unit = base_unit(one)[1]
        if _PERCENT.fullmatch(one.metric) and (unit == "%" or (unit not in ("B", "s", "1/s") and "ratio" in one.metric.lower())):
            yield from _of(one, 1.0 if unit == "%" else 100.0, 0.0, (), whole)
        elif whole is not None and unit == "B" and whole.value > 0 and not _CAPACITY.fullmatch(one.metric):
            if _FREE.fullmatch(one.metric):
                yield from _of(one, -100 / whole.value, 100.0, (whole,), whole)
            elif _USED.fullmatch(one.metric):
                yield from _of(one, 100 / whole.value, 0.0, (whole,), whole)


def _of(series: Series, factor: float, offset: float, also: tuple[Reading, ...], whole: Reading | None) -> Iterator[DiskUse]:
    named: tuple[Statistic, ...] = ("min", "p50", "max")
    read = [statistic_reading(series, s) for s in named]
    values = sorted(r.value * factor + offset for r in read if r is not None)
    if len(values) == len(named) and 0 < values[-1] <= 100:
        cited = (*(r for r in read if r is not None), *also)
        yield DiskUse(values[0], values[1], values[2], cited, whole.value if whole is not None else None)
