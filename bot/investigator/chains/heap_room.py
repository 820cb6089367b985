"""A heap that may grow, and what the process needs besides it, against the memory of its container."""

from collections.abc import Iterator

from bot.investigator.asking import Reading, base_unit, number, quote_place, statistic_reading
from bot.investigator.case import Case
from bot.investigator.chain import Cited, compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.callees import workload_of
from bot.investigator.facts.rates import request_rate
from bot.investigator.facts.traffic import upstream
from gonogo.context import Statistic
from gonogo.evidence import Evidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.limits.raised_heaps import MIB, RaisedHeap, container_mib

CONTAINER_LIMITS = ("memory_limit_mib", "mem_limit_mib", "memory_mib", "memory_mb", "memory_limit_mb", "memory")
"""What live configuration calls the memory of a container, in MiB."""
_RESIDENT = pattern(r"(?i).*(working_?set|resident|(^|_)rss|memory_?(usage|used)(_?bytes)?$|memory_?util|container_memory).*")
_HEAP = pattern(r"(?i).*(heap|jvm_memory_used|old_?gen|go_memstats_(alloc|heap)|redis_(memory_)?used|used_memory).*")
_BESIDES = pattern(r"(?i).*non_?heap.*")
_NO_USE = pattern(r"(?i).*(limit|request|free|available|swap|max(_bytes)?$|max\{|percent_of|gc_|pause).*")
_DEMAND = 0.9
"""From this share of the old heap on, it was as full as it could get, so a bigger one will be used."""
_ROOM = 0.95


class _Memory(Record):
    """What was read of the process, in MiB."""

    heap: Reading | None
    heap_least: Reading | None
    besides_least: float | None
    besides_most: float | None
    cited: tuple[Cited, ...]


def chain_of_heap(case: Case, found: RaisedHeap) -> Iterator[Trajectory]:
    """Nothing where the heap leaves ample room, or where nobody says what the container has."""
    workload = workload_of(case, found.place.file)
    limit, said = _limit(case, workload)
    if limit is None and not found.flag.is_percent:
        return
    share = found.new / 100 if limit is None else found.mib(found.new, limit) / limit
    if share <= found.flag.roomy:
        return
    line = quote_place(case, found.place)
    name = workload.name if workload is not None else "the container"
    known = workload.id if workload is not None else case.repository
    unit = "%" if found.flag.is_percent else " MiB"
    left = (
        f" {found.mib(found.new, limit):,.0f} of {limit:,.0f} MiB and leaves {limit - found.mib(found.new, limit):,.0f} MiB"
        if limit is not None
        else f" {found.new:g} % of the container and leaves {100 - found.new:g} %"
    )
    yield Trajectory(
        title=f"{name} is killed when its heap fills the container",
        impact=Impact.HIGH,
        resource=ResourceId(known),
        metric="memory_working_set_bytes",
        links=(
            trigger(f"`{found.flag.name}` goes from {found.old:,.4g}{unit} to {found.new:,.4g}{unit}", line),
            mechanism(f"the heap may grow to{left} for {found.flag.besides}; a container that uses more is killed (OOMKilled)", line, said),
            _exposure(case, workload, name, said),
            _harm(case, found, workload, limit, said),
        ),
        make_safe=f"Measure what the process holds besides its heap first; keep the heap below {found.flag.roomy:.0%} of the container, or give the container more memory.",
        path=(ResourceId(known),),
        undo=f"Set `{found.flag.name}` back to {found.old:,.4g}{unit} and deploy; work of killed processes has to be repeated.",
    )  # fmt: skip


def _limit(case: Case, workload: Resource | None) -> tuple[float | None, Evidence | None]:
    declared = container_mib(case.diff)
    if declared is not None:
        return declared[0], quote_place(case, declared[1])
    live = number(case, workload.id, *CONTAINER_LIMITS) if workload is not None else None
    return (live.value, live.evidence) if live is not None and live.value > 0 else (None, None)


def _exposure(case: Case, workload: Resource | None, name: str, said: Evidence | None) -> Link:
    if workload is None:
        return unknown(
            Role.EXPOSURE,
            f"{name} runs in production",
            "Which workload runs with this flag?",
            "kubectl get deploy -A; aws ecs list-services",
        )
    rate = request_rate(case, workload.id) or next(
        (r for up in upstream(case, workload.id) if (r := request_rate(case, up)) is not None), None
    )
    running = number(case, workload.id, "replicas", "desired_count", "count", "instances")
    live = number(case, workload.id, *CONTAINER_LIMITS)
    at = f" and answers up to {rate.value:,.3g} requests a second" if rate is not None else ""
    return exposure(f"{name} runs in production{at}", rate, running, live, said)


def _harm(case: Case, found: RaisedHeap, workload: Resource | None, limit: float | None, said: Evidence | None) -> Link:
    name = workload.name if workload is not None else "the process"
    memory = _memory(case, found, workload.id, limit) if workload is not None and limit is not None else None
    if memory is not None and limit is not None:
        heap = found.mib(found.new, limit)
        claim = f"{name} needs more than the {limit:,.0f} MiB of its container"
        is_full = memory.heap is not None and memory.heap.value >= found.mib(found.old, limit) * _DEMAND
        if memory.besides_most is not None and heap + memory.besides_most <= limit * _ROOM:
            total = heap + memory.besides_most
            return harm(f"{claim}: a full heap and at most {memory.besides_most:,.0f} MiB besides it are {total:,.0f} MiB", *memory.cited, said,
                        comparison=compare(round(total, 3), ">", limit, "MiB"))  # fmt: skip
        if memory.besides_least is not None and is_full and heap + memory.besides_least > limit:
            total = heap + memory.besides_least
            return harm(
                f"{claim}: it fills its heap today, and a full one of {heap:,.0f} MiB with the {memory.besides_least:,.0f} MiB that it usually holds besides is {total:,.0f} MiB",
                *memory.cited, said, comparison=compare(round(total, 3), ">", limit, "MiB"),
            )  # fmt: skip
    size = f"{limit:,.0f} MiB" if limit is not None else "its container's memory"
    return unknown(
        Role.HARM, f"a full heap and {found.flag.besides} need more than {size}", f"How much does {name} hold besides its heap, and how full does the heap get?",
        f'max_over_time(container_memory_working_set_bytes{{pod=~"{name}-.*"}}[7d]); max_over_time(jvm_memory_used_bytes{{area="heap"}}[7d]); max_over_time(jvm_memory_used_bytes{{area="nonheap"}}[7d])',
        *(memory.cited if memory is not None else ()),
    )  # fmt: skip


def _memory(case: Case, found: RaisedHeap, workload: str, limit: float) -> _Memory:
    heap, heap_least = (_mib(case, workload, s, limit, is_heap=True) for s in ("max", "min"))
    resident, usual = (_mib(case, workload, s, limit, is_heap=False) for s in ("max", "p50"))
    beside, beside_usual = (_beside(case, workload, s) for s in ("max", "p50"))
    most = beside.value * 1.5 if beside is not None else None
    least = beside_usual.value if beside_usual is not None else None
    if resident is not None and heap_least is not None:
        most = resident.value - min(heap_least.value, resident.value)
    if usual is not None and heap is not None and usual.value > found.mib(found.old, limit):
        least = usual.value - found.mib(found.old, limit)
    cited = (resident if heap_least is not None else None, usual, heap, heap_least, beside, beside_usual)
    return _Memory(heap, heap_least, least, most, tuple(c for c in cited if c is not None))


def _mib(case: Case, workload: str, statistic: Statistic, limit: float, *, is_heap: bool) -> Reading | None:
    """The heap, or all that the process holds, of one copy; more than its container holds is a sum of several."""
    best: Reading | None = None
    for series in case.production.series_of(workload):
        bare, name = series.metric.partition("{")[0], series.metric
        is_of_heap = _HEAP.fullmatch(name) is not None
        if _BESIDES.fullmatch(name):
            continue
        if is_of_heap != is_heap or (not is_heap and not _RESIDENT.fullmatch(bare)) or _NO_USE.fullmatch(name):
            continue
        case.asked.append(f"metric {series.metric} {statistic} of {workload}")
        reading = statistic_reading(series, statistic)
        unit = base_unit(series)[1]
        factor = 1 / MIB if unit == "B" else limit / 100 if unit == "%" and not is_heap else None
        if reading is None or factor is None or reading.value * factor > limit * 1.05:
            continue
        found = Reading(reading.value * factor, "MiB", reading.evidence)
        if best is None or found.value > best.value:
            best = found
    return best


def _beside(case: Case, workload: str, statistic: Statistic) -> Reading | None:
    for series in case.production.series_of(workload):
        reading = statistic_reading(series, statistic) if _BESIDES.fullmatch(series.metric) else None
        if reading is not None and base_unit(series)[1] == "B":
            return Reading(reading.value / MIB, "MiB", reading.evidence)
    return None
