"""A smaller memory limit, or a bigger heap inside the same one, against what the function or the container really uses."""

import re
from collections.abc import Iterator

from bot.investigator.asking import Reading, base_unit, captures, log_count, quote_place, statistic_reading
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.heap_room import chain_of_heap
from bot.investigator.facts.callees import own_workloads, short, workload_of
from bot.investigator.facts.latencies import latencies
from bot.investigator.facts.rates import request_rate
from bot.investigator.playbook import PlaybookInfo
from gonogo.context import Series
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.limits.memory import MIB, Holds, MemoryLimit, lowered_memory, service_of
from heuristics.limits.raised_heaps import raised_heaps
from heuristics.rule import live_key

INFO = PlaybookInfo(id="function-memory", question="Does it use more memory than it would have?")

_REPORT = r"Max Memory Used: (?P<mb>\d+) MB"
_USED = pattern(
    r"(?i).*(memory|mem|rss|working_?set).*(working_?set|usage|used|utili[sz]ation|rss|bytes|percent|mb|mib|max)?(\.(max|maximum|p99|p95|average|avg|mean))?(\{[^}]*\})?"
)
_HEAP_USED = pattern(r"(?i).*(jvm_memory_used|heap_?(used|size|total)|nodejs_heap|jvm_memory).*")
_NOT_USED = pattern(
    r"(?i).*(limit|request|free|available|swap|cache|reserved|database|max_bytes|committed|fragmentation|freeable|heap).*"
)
_OPEN_FROM = 0.9
"""Above this share of the new limit there is no room to say that it fits."""


class _Use(Record):
    """Memory used at the peak in MiB, and how it was read."""

    peak_mib: float
    reading: Reading
    usual_mib: float
    how: str
    logged: int = 0
    support: Reading | None = None


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a lowered limit."""
    for found in lowered_memory(case.diff):
        resource = _resource(case, found)
        use = _use(case, found, resource) if resource else None
        yield _chain(case, found, resource, use)
    for heap in raised_heaps(case.diff):
        yield from chain_of_heap(case, heap)


def _chain(case: Case, found: MemoryLimit, resource: str | None, use: _Use | None) -> Trajectory:
    place = found.changed.place
    line = quote_place(case, place)
    mine = own_workloads(case)
    known = resource or (mine[0].id if mine else case.repository)
    declared = found.changed.declared
    name = short(case, resource) if resource else (declared.name or declared.address) if declared else short(case, known)
    what = {Holds.DISK: "scratch disk", Holds.HEAP: "heap"}.get(found.holds, "memory")
    ends = {
        Holds.FUNCTION: "an invocation that needs more is killed (Runtime.ExitError)", Holds.CONTAINER: "a container that uses more is killed (OOMKilled) and restarts",
        Holds.HEAP: "a process that needs more fails with out of memory", Holds.DISK: "a write past it fails with no space left on device",
    }[found.holds]  # fmt: skip
    rate = request_rate(case, known) if resource else None
    said = f"{name} runs" + (f" up to {rate.value:.3g} times a second" if rate else " in production")
    keep = max(found.new_mib, (use.peak_mib if use else found.old_mib) * 1.3)
    return Trajectory(
        title=f"{name} runs out of {what} at {found.new_mib:,.0f} MiB",
        impact=Impact.HIGH,
        resource=ResourceId(known),
        metric=use.reading.evidence.metric
        if use and use.reading.evidence.kind == "metric"
        else "Max Memory Used"
        if use
        else "Errors",
        links=(
            trigger(f"`{found.changed.name}` goes from {found.old_mib:,.0f} to {found.new_mib:,.0f} MiB", line),
            mechanism(ends + _cpu_note(case, found, resource), line),
            exposure(said, rate, use.reading if use else None)
            if resource
            else unknown(
                Role.EXPOSURE,
                said,
                "Which resource in production has this limit?",
                "kubectl get deploy -A; aws lambda list-functions",
            ),
            _harm(found, use, name, what),
        ),
        make_safe=f"Set the limit at least 30 % above the peak: {keep:,.0f} MiB, or lower what it needs first.",
        path=(ResourceId(known),),
        undo=f"Set it back to {found.old_mib:,.0f} MiB and deploy; work that was killed has to be repeated.",
    )


def _harm(found: MemoryLimit, use: _Use | None, name: str, what: str) -> Link:
    if use is None:
        return unknown(
            Role.HARM, f"{name} needs more than {found.new_mib:,.0f} MiB of {what}", f"How much {what} does {name} use at its peak?",
            f"filter @type = 'REPORT' | stats max(@maxMemoryUsed / 1000 / 1000) by bin(1d)  # CloudWatch Logs Insights, /aws/lambda/{name}"
            if found.holds is Holds.FUNCTION
            else f'max_over_time(container_memory_working_set_bytes{{pod=~"{name}-.*"}}[7d]) / 1024 / 1024',
        )  # fmt: skip
    claim = f"{name} uses up to {use.peak_mib:,.0f} MiB ({use.how})"
    if use.peak_mib > found.new_mib:
        often = "most of the time" if use.usual_mib > found.new_mib else "at its peak"
        return harm(
            f"{claim}: {often} more than the {found.new_mib:,.0f} MiB that are left to it",
            use.reading,
            use.support,
            comparison=compare(use.peak_mib, ">", found.new_mib, "MiB"),
        )
    if use.peak_mib <= found.new_mib * _OPEN_FROM:
        return harm(f"{name} uses more than {found.new_mib:,.0f} MiB: it uses {use.peak_mib:,.0f} MiB ({use.how})", use.reading, use.support,
                    comparison=compare(use.peak_mib, ">", found.new_mib, "MiB"))  # fmt: skip
    return unknown(
        Role.HARM, f"{claim}, {use.peak_mib / found.new_mib:.0%} of {found.new_mib:,.0f} MiB, which leaves no room",
        f"How much {what} does {name} use in its busiest hour, and with its largest inputs?",
        f'max_over_time(container_memory_working_set_bytes{{pod=~"{name}-.*"}}[30d]) / 1024 / 1024', use.reading,
    )  # fmt: skip


def _cpu_note(case: Case, found: MemoryLimit, resource: str | None) -> str:
    if found.holds is not Holds.FUNCTION:
        return ""
    slowest = (
        next((peak for one in latencies(case, resource, outgoing=False) if (peak := one.peak())), None) if resource else None
    )
    factor = found.old_mib / found.new_mib
    said = f"; a run that waits for CPU takes up to {factor:.2g} times as long, since CPU is given out with memory"
    return said + (f" ({slowest.value:.3g} s becomes {slowest.value * factor:.3g} s at most)" if slowest else "")


# -- which resource, and what it uses ----------------------------------------------------------


def _resource(case: Case, found: MemoryLimit) -> str | None:
    declared = found.changed.declared
    if declared is None:
        workload = workload_of(case, found.changed.file)
        return workload.id if workload else None
    live = case.diff.live_of(declared)
    if live is not None:
        return live
    services = [r for s in service_of(case.diff, declared) if (r := case.diff.live.get(live_key(s)))]
    if len(set(services)) == 1:
        return services[0]
    kinds = {"aws.ecs.task_definition": "aws.ecs.service"}.get(declared.kind, declared.kind)
    mine = [
        r
        for r in own_workloads(case)
        if r.kind == kinds or declared.kind not in ("aws.lambda.function", "aws.ecs.task_definition")
    ]
    named = [r for r in mine if r.name == declared.name]
    if len(named) == 1:
        return named[0].id
    return mine[0].id if len(mine) == 1 and declared.name is None else None


def _use(case: Case, found: MemoryLimit, resource: str) -> _Use | None:
    if found.holds is Holds.DISK:
        return None
    if found.holds is Holds.FUNCTION and (reported := _reported(case, resource)) is not None:
        return reported
    wanted = _HEAP_USED if found.holds is Holds.HEAP else _USED
    uses: list[_Use] = []
    for series in case.production.series_of(resource):
        name = series.metric
        if (
            wanted.fullmatch(name)
            and (found.holds is Holds.HEAP or not _NOT_USED.fullmatch(name))
            and _is_of(found.container, name)
        ):
            case.asked.append(f"metric {name} max of {resource}")
            if (use := _of_series(series, found)) is not None:
                uses.append(use)
    return max(uses, key=lambda u: u.peak_mib, default=None)


def _reported(case: Case, function: str) -> _Use | None:
    peak, usual = (captures(case, function, _REPORT, "mb", s, unit="MB") for s in ("max", "p50"))
    logged = log_count(case, function, _REPORT)
    if peak is None or usual is None or logged is None:
        return None
    return _Use(
        peak.value,
        peak,
        usual.value,
        f"the most of {logged.count} logged runs; half use more than {usual.value:,.0f} MiB",
        logged.count,
        usual,
    )


def _of_series(series: Series, found: MemoryLimit) -> _Use | None:
    """Bytes, mebibytes, or a share of the old limit. More than the old limit can't be one container's: a sum, of no use here."""
    peak, usual = statistic_reading(series, "max"), statistic_reading(series, "p50")
    if peak is None or usual is None:
        return None
    unit = base_unit(series)[1]
    if unit == "%" or (unit.lower() in ("ratio", "none", "") and "ratio" in series.metric.lower()):
        share = 0.01 if unit == "%" else 1.0
        factor, how = share * found.old_mib, f"{peak.value:.3g} {'%' if unit == '%' else ''} of {found.old_mib:,.0f} MiB"
    elif unit == "B":
        factor, how = 1 / MIB, "peak of the window"
    elif series.unit.lower() in ("mb", "mib") or (
        re.search(r"(?i)_mi?b(\.|$|\{)", series.metric) and unit in ("", "count", "None")
    ):
        factor, how = 1.0, "peak of the window"
    else:
        return None
    if peak.value * factor > found.old_mib * 1.05:
        return None
    return _Use(peak.value * factor, peak, usual.value * factor, how, support=usual)


def _is_of(container: str, metric: str) -> bool:
    """A series that names a container counts for that one only."""
    named = re.search(r"container=\"?([\w.-]+)", metric)
    return named is None or not container or named[1] == container
