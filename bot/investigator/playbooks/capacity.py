"""Less capacity than before, held against what is used at the peak."""

from collections.abc import Iterator

from bot.investigator.asking import number, quote_change, quote_changes
from bot.investigator.case import Case
from bot.investigator.chain import exposure, mechanism, trigger, unknown
from bot.investigator.chains.capacity_facts import judged
from bot.investigator.chains.capacity_judged import Judged, rate_at
from bot.investigator.facts.placing import governed
from bot.investigator.facts.runners import runners, workloads
from bot.investigator.facts.traffic import upstream
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import ConfigEvidence, LogEvidence, MetricEvidence
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.runtime.capacity import Capacity, CapacityChange, capacity_lowered
from heuristics.runtime.capacity_values import KIND, capacity_of_values
from heuristics.runtime.declared import label, shown

INFO = PlaybookInfo(id="capacity", question="Does what is left carry the load at its peak?")

_NEEDS_FACTS = (Capacity.STORAGE, Capacity.FLOOR)
"""Changes that are everyday savings: without a reading there is nothing concrete to ask about."""


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a setting that takes capacity away."""
    every = [(found, _resource(case, found)) for found in (*capacity_lowered(case.diff), *capacity_of_values(case.diff))]
    placed = {(found.change.place.file, found.change.place.line) for found, resource in every if resource is not None}
    for found, resource in every:
        place = found.change.place
        if resource is None:
            is_asked = found.what not in _NEEDS_FACTS and found.change.declared.kind != KIND
            if is_asked and (place.file, place.line) not in placed:
                yield _unplaced(case, found)
            continue
        ending = judged(case, found, resource)
        if ending is not None:
            yield _chain(case, found, resource, ending)


def _resource(case: Case, found: CapacityChange) -> Resource | None:
    kind = found.change.declared.kind
    resource = governed(case, found.change.declared, about=found.about) if kind != KIND else None
    return resource or (_run_by(case, found) if kind == KIND else None)


def _run_by(case: Case, found: CapacityChange) -> Resource | None:
    """The one live program that a platform's file is of: the path to the value names it, or it runs what lies beside the file."""
    parts = set(found.change.key.split("."))
    named = [r for r in workloads(case) if r.name in parts]
    near = named or runners(case, found.change.declared.file)
    return near[0] if len(near) == 1 else None


def _chain(case: Case, found: CapacityChange, resource: Resource, ending: Judged) -> Trajectory:
    return Trajectory(
        title=_title(found, resource.name),
        impact=Impact.HIGH,
        resource=ResourceId(resource.id),
        metric=ending.metric,
        links=(
            trigger(_said(found, resource.name), *quote_changes(case, found.change)),
            ending.mechanism,
            _exposure(case, resource, ending),
            ending.harm,
        ),
        make_safe=_make_safe(found),
        path=(
            ResourceId(resource.id),
            *(ResourceId(r) for r in _cited(ending) if r != resource.id),
            *map(ResourceId, upstream(case, resource.id)),
        ),
        undo=f"Set `{found.change.key}` back to {shown(found.change.old)} and apply.",
    )


def _unplaced(case: Case, found: CapacityChange) -> Trajectory:
    """The hazard as the diff shows it, when no live resource was read for it."""
    line = quote_change(case, found.change)
    name = found.about or label(found.change.declared)
    if found.what is not Capacity.COPIES:
        question = f"How much of its {found.what.value} does {name} use at the peak in production?"
    else:
        question = f"How busy are the copies of {name} at the peak in production?"
    return Trajectory(
        title=_title(found, name),
        impact=Impact.MEDIUM,
        resource=case.repository,
        metric="CPUUtilization",
        links=(
            trigger(_said(found, name), line),
            mechanism(f"what {name} did with more is left to less", line),
            unknown(
                Role.HARM,
                f"{name} is overrun at its peak",
                question,
                f"kubectl top pods; aws cloudwatch get-metric-statistics  # of {name}",
            ),
        ),
        make_safe=_make_safe(found),
        undo=f"Set `{found.change.key}` back to {shown(found.change.old)} and apply.",
    )


def _exposure(case: Case, resource: Resource, ending: Judged) -> Link:
    rate = rate_at(case, resource.id)
    if rate is not None:
        return exposure(f"{resource.name} takes up to {rate.value:,.3g} requests a second", rate)
    if ending.reading is not None:
        return exposure(f"{resource.name} is in use", ending.reading)
    running = number(case, resource.id, "desired_count", "replicas", "machines", "node_count")
    if running is not None:
        return exposure(f"{running.value:g} of {resource.name} run", running)
    return unknown(
        Role.EXPOSURE,
        f"{resource.name} is in use",
        f"How many requests does {resource.name} take?",
        f"kubectl top pods  # of {resource.name}",
    )


def _cited(ending: Judged) -> Iterator[str]:
    for link in (ending.mechanism, ending.harm):
        for evidence in link.evidence:
            if isinstance(evidence, MetricEvidence | ConfigEvidence | LogEvidence):
                yield evidence.resource


def _title(found: CapacityChange, name: str) -> str:
    match found.what:
        case Capacity.COPIES:
            return f"{found.new:g} copies of {name} can't carry its load"
        case Capacity.CEILING:
            return f"The autoscaler of {name} stops at {found.new:g} copies"
        case Capacity.FLOOR:
            return f"{name} starts its peak with {found.new:g} copies"
        case Capacity.CPU_LIMIT:
            return f"{name} is throttled at {found.new:g} cores"
        case Capacity.EVICTION:
            return f"{name} refuses writes when its memory is full"
        case _:
            return f"{name} runs out of {found.what.value} at {shown(found.change.new)}"


def _said(found: CapacityChange, name: str) -> str:
    old = shown(found.change.old) if found.change.old is not None else "no limit"
    return f"`{found.change.key}` of {name} goes from {old} to {shown(found.change.new) if found.change.new is not None else f'{found.new:g}, the default'}"


def _make_safe(found: CapacityChange) -> str:
    match found.what:
        case Capacity.COPIES:
            return "Lower it one step at a time and watch the CPU at the peak, or add an autoscaler with this as its minimum."
        case Capacity.EVICTION:
            return "Keep `allkeys-lru` for what is a cache, and put data that must not be evicted on a server of its own."
        case Capacity.CPU_LIMIT:
            return "Set the limit above the peak use of one copy, or drop `limits.cpu` and keep `requests.cpu`."
        case _:
            return (
                f"Keep `{found.change.key}` at least 20 % above what is used at the peak ({shown(found.change.old)} was enough)."
            )
