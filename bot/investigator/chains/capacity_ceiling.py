"""An autoscaler that stops sooner: what the peak needs in copies, against what it may still start."""

from bot.investigator.asking import Reading, config, number, quote_change
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, mechanism, unknown
from bot.investigator.chains.capacity_judged import Judged, cpu_query, metric_of, rate_at
from bot.investigator.facts.consumers import queues_of
from bot.investigator.facts.cores import cores_at_peak, cores_of
from bot.investigator.facts.headroom import OPEN_FROM, copies, cpu_percent, held_against
from bot.investigator.facts.latencies import latencies
from bot.investigator.facts.placing import governor, related
from gonogo.evidence import ConfigEvidence, Evidence, MetricEvidence
from gonogo.resource import Declared, Resource
from gonogo.trajectory import Link, Role
from heuristics.runtime.capacity import CapacityChange
from heuristics.runtime.declared import number_of, setting_number

_LIVE_COPIES = ("desired_count", "replicas", "running_count", "count", "instances", "machines")
_TARGETS = ("target_cpu_percent", "target_memory_percent", "target_value", "target_cpu_utilization", "target_cpu_utilization_percentage", "target_utilization")  # fmt: skip
_MAY_USE = ("cpu_limit_m", "cpu_limit_millicores", "cpu_limit_cores", "cpu_limit", "limits.cpu", "limits_cpu", "resources.limits.cpu", "cpu_cores", "vcpu", "cpu")  # fmt: skip
_ASKS_FOR = ("cpu_request_m", "cpu_request_millicores", "cpu_request_cores", "cpu_request", "requests.cpu", "requests_cpu", "resources.requests.cpu")  # fmt: skip
_AT_ONCE = ("container_concurrency", "max_instance_request_concurrency", "concurrency", "max_concurrency", "target_concurrency", "max_concurrent_requests")  # fmt: skip
_LEAST_TARGET = 50.0
"""Autoscalers that are told nothing else keep copies this busy or busier."""
_LASTING = 0.01
"""A rollout doubles the copies for a moment; what lasts for less than this share of the window is no need of the load."""


def ceiling_judged(case: Case, found: CapacityChange, resource: Resource) -> Judged:
    """An autoscaler that stops sooner: the copies, the cores or the requests in flight of the peak on what it may start."""
    name, new = resource.name, found.new
    scaler = governor(case, found.change.declared, resource)
    ids = [*([scaler.id] if scaler else []), resource.id]
    seen = copies(case, *ids) or number(case, resource.id, *_LIVE_COPIES)
    said = mechanism(
        f"the autoscaler of {name} stops at {new:g} copies instead of {found.old or 0:g}", quote_change(case, found.change)
    )
    if seen is not None and seen.value <= new and not isinstance(seen.evidence, ConfigEvidence):
        claim = f"{name} needs more than {new:g} copies: at most {seen.value:g} ran"
        return Judged(said, harm(claim, seen, comparison=compare(seen.value, ">", new)), metric_of(seen, "replicas"), seen)
    for judge in (_by_cores, _by_percent, _in_flight):
        told = judge(case, found, resource, seen)
        if told is not None:
            link, reading = told
            return Judged(said, link, metric_of(reading, "CPUUtilization"), reading)
    link = _by_copies(case, found, resource, seen, scaler)
    return Judged(said, link, metric_of(seen, "replicas") if seen is not None else "replicas", seen)


def _by_cores(case: Case, found: CapacityChange, resource: Resource, seen: Reading | None) -> tuple[Link, Reading] | None:
    """The cores of all copies at the peak against those that the allowed copies may use, or ask for when nothing limits them."""
    name, new = resource.name, found.new
    limit, limited = _each(case, found, resource, _MAY_USE)
    asked, request = (None, None) if limit else _each(case, found, resource, _ASKS_FOR)
    each, proof = limit or asked, limited or request
    used = cores_at_peak(case, resource.id, copies=seen.value if seen is not None else 1.0, each=each)
    if each is None or used is None or new <= 0 or (seen is None and not used.is_sum):
        return None
    room, low, high = each * new, used.least, used.most
    at = low if low >= room else high
    cited = (used.reading, proof, None if used.is_sum else seen)
    verb = "may use" if limit else "ask for"
    claim = (
        f"all copies of {name} together use {at:.3g} cores at the peak, and {new:g} copies with {each:g} each {verb} {room:.3g}"
    )
    question, query = f"How many cores do all copies of {name} use on its busiest day?", cpu_query(resource)
    if low < room <= high or (low < OPEN_FROM * room <= high):
        return unknown(Role.HARM, claim, question, query, *cited), used.reading
    link = held_against(
        at, room, "cores", claim=claim, question=question, query=query, cited=cited, coming=(case, used.reading) if used.reading.value else None,
    )  # fmt: skip
    return link, used.reading


def _each(case: Case, found: CapacityChange, resource: Resource, keys: tuple[str, ...]) -> tuple[float | None, Evidence | None]:
    """Cores of one copy: as the change leaves them, else as they are live."""
    declared = (found.change.declared, *related(case, found.change.declared))
    for key in keys[2:-1]:
        for one in declared:
            written = next((s for k, s in one.settings.items() if k == key or k.endswith(f".{key}")), None)
            value = cores_of(written.value) if written is not None else None
            if value is not None:
                return value, None
    for key in keys:
        text = resource.attributes.get(key)
        live = config(case, resource.id, key)
        value = cores_of(text)
        if value is None or value <= 0:
            continue
        if key.endswith(("_m", "millicores")) and not str(text).endswith("m"):
            value /= 1000
        elif key == "cpu" and value >= 64:
            value /= 1024  # a task's units: https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task_definition_parameters.html
        return value, live
    return None, None


def _by_percent(case: Case, found: CapacityChange, resource: Resource, seen: Reading | None) -> tuple[Link, Reading] | None:
    peak = cpu_percent(case, resource.id)
    name, new = resource.name, found.new
    if peak is None or seen is None or seen.value <= new or new <= 0:
        return None
    after = peak.value * seen.value / new
    claim = f"{seen.value:g} copies of {name} ran at up to {peak.value:.3g} % CPU at the peak, which is {after:,.0f} % of {new:g} copies"
    question = f"How high does the CPU of {name} go with {new:g} copies?"
    link = held_against(after, 100, "%", cited=(seen, peak), coming=(case, peak), question=question, query=cpu_query(resource), claim=claim)  # fmt: skip
    return link, peak


def _in_flight(case: Case, found: CapacityChange, resource: Resource, seen: Reading | None) -> tuple[Link, Reading] | None:
    """Requests a second by how long one takes against those that the allowed copies work on at a time."""
    written = next((n for d in (found.change.declared, *related(case, found.change.declared)) if (n := _at_once(d))), None)
    live = number(case, resource.id, *_AT_ONCE) if written is None else None
    each = written if written is not None else live.value if live is not None else 0.0
    rate = rate_at(case, resource.id)
    times = [one for one in latencies(case, resource.id, outgoing=False) if not one.labels]
    usual = [r for one in times if one.rank <= 60 for r in [one.typical()] if r is not None]
    fast = min(usual, key=lambda r: r.value, default=None)
    slow = max((r for one in times if (r := one.peak()) is not None), key=lambda r: r.value, default=None)
    if not each or rate is None or found.new <= 0:
        return None
    room = each * found.new
    saying = f"and {found.new:g} copies take {each:g} each at a time, {room:,.4g} together"
    if fast is not None and rate.value * fast.value >= room:
        busy = rate.value * fast.value
        claim = f"{rate.value:,.4g} requests a second at {fast.value:.3g} s each are {busy:,.4g} at a time at {resource.name}, {saying}"
        return harm(claim, rate, fast, live, seen, comparison=compare(round(busy, 6), ">=", round(room, 6))), rate
    if slow is not None and rate.value * slow.value < OPEN_FROM * room:
        busy = rate.value * slow.value
        claim = f"{rate.value:,.4g} requests a second at no more than {slow.value:.3g} s each are {busy:,.4g} at a time at {resource.name}, {saying}"
        return harm(claim, rate, slow, live, comparison=compare(round(busy, 6), ">=", round(room, 6))), rate
    return None


def _at_once(declared: Declared) -> float | None:
    wanted = (s for key, s in declared.settings.items() if key.rpartition(".")[2] in _AT_ONCE)
    return next((n for s in wanted if (n := number_of(s))), None)


def _by_copies(case: Case, found: CapacityChange, resource: Resource, seen: Reading | None, scaler: Resource | None) -> Link:
    """The copies that ran, as busy as their autoscaler keeps them, on those that are allowed."""
    name, new = resource.name, found.new
    need = f"{name} needs more than {new:g} copies at its peak"
    if seen is None:
        query = f'max_over_time(kube_horizontalpodautoscaler_status_current_replicas{{horizontalpodautoscaler="{name}"}}[7d])'
        return unknown(Role.HARM, need, f"How many copies of {name} run at the peak?", query)
    if isinstance(seen.evidence, ConfigEvidence):
        question = f"How many copies of {name} run at the peak, {seen.value:g} run now?"
        return unknown(Role.HARM, need, question, cpu_query(resource), seen)
    target, live = _target(case, found, scaler)
    busy = (target or _LEAST_TARGET) * (seen.value - 1) / new if new > 0 else float("inf")
    days = _days_over(case, seen, new)
    lasting = f", on {days} days" if days > 1 else ""
    if target is not None:
        claim = (
            f"{seen.value:g} copies of {name} were needed at the peak to stay at {target:g} %{lasting}, and {new:g} are allowed"
        )
    else:
        claim = f"{seen.value:g} copies of {name} were needed at the peak{lasting}, and {new:g} are allowed"
    if busy >= 100 and not queues_of(case, resource.id) and (target is not None or _lasts(case, seen, 2 * new)):
        return harm(claim, seen, live, comparison=compare(seen.value, ">", new))
    return unknown(Role.HARM, claim, f"How busy would {new:g} copies of {name} be at the peak?", cpu_query(resource), seen, live)


def _target(case: Case, found: CapacityChange, scaler: Resource | None) -> tuple[float | None, Reading | None]:
    """How busy the autoscaler keeps a copy in percent, as declared or live."""
    declared = found.change.declared
    written = setting_number(declared, *_TARGETS)
    if written is None:
        near = (
            s
            for key, s in declared.settings.items()
            if "target" in key.lower() and ("cpu" in key.lower() or "util" in key.lower())
        )
        written = next((n for s in near if (n := number_of(s)) is not None), None)
    live = number(case, scaler.id, *_TARGETS) if scaler is not None and written is None else None
    value = written if written is not None else live.value if live is not None else None
    return (value, live) if value is not None and 0 < value <= 100 else (None, None)


def _values(case: Case, seen: Reading) -> tuple[list[float], float]:
    cited = seen.evidence
    if not isinstance(cited, MetricEvidence):
        return [], 0.0
    series = next(iter(case.production.series_of(cited.resource, cited.metric)), None)
    return ([v for v in series.values if v is not None], series.step_s) if series is not None else ([], 0.0)


def _lasts(case: Case, seen: Reading, level: float) -> bool:
    """Whether the load brought the copies over the level: a count that never moved may be the fewest that somebody set."""
    values, _ = _values(case, seen)
    return bool(values) and min(values) < max(values) and sum(v > level for v in values) >= _LASTING * len(values)


def _days_over(case: Case, seen: Reading, level: float) -> int:
    values, step = _values(case, seen)
    a_day = max(1, round(86_400 / step)) if step else 1
    return len({at // a_day for at, value in enumerate(values) if value > level})
