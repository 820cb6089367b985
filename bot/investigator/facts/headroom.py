"""How much of a limit is used at the peak, and the link that says so: harm, no harm, or too near to tell."""

import re
from re import Pattern

from bot.investigator.asking import Reading, metric, number, statistic_reading
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, unknown
from bot.investigator.facts.foreseen import with_the_coming_day
from bot.investigator.facts.rates import CPU
from gonogo.context import Statistic
from gonogo.evidence import Evidence, MetricEvidence
from gonogo.pattern import pattern
from gonogo.trajectory import Link, Role

OPEN_FROM = 0.85
"""Above this share of a limit there is no room left to say that it fits."""

COPIES = (
    pattern(r"(?i)kube_horizontalpodautoscaler_status_(current|desired)_replicas"),
    pattern(r"(?i)kube_(deployment|statefulset)_status_replicas(_available|_ready)?"),
    pattern(r"(?i)(nomad_job_)?running_allocations|(knative_|serving_|autoscaler_)?(revision_)?(pod|actual_pods|requested_pods)s?_count|actual_pods"),
    "RunningTaskCount", "DesiredTaskCount", "GroupInServiceInstances", "GroupDesiredCapacity",
    pattern(r"(?i)(running|current|desired|available|ready)_?(replicas|tasks|pods|instances|machines)(_?count)?"),
    pattern(r"(?i)(replicas|pods|instances|tasks)(_?count|_available|_running)?"),
    pattern(r"(?i)(?:[\w.]+/)?(?:container|active|billable|app|machine|revision)?[/_.]?(?:instance|replica|machine|dyno|worker_?node)s?[_.]?(?:count|available|running|active)?"),
)  # fmt: skip


def held_against(
    observed: float,
    limit: float,
    unit: str,
    *,
    claim: str,
    question: str,
    query: str,
    cited: tuple[Reading | Evidence | None, ...],
    coming: tuple[Case, Reading] | None = None,
) -> Link:
    """The harm link: confirmed from the limit on, refuted below 85 % of it, open between.

    With `coming`, the case and the reading that `observed` was computed from, the forecast of the coming day counts as well.
    """
    link = _held_by_the_window(observed, limit, unit, claim=claim, question=question, query=query, cited=cited)
    if coming is None:
        return link
    case, peak = coming
    return with_the_coming_day(case, link, peak, observed=observed, limit=limit, unit=unit, question=question, query=query)


def _held_by_the_window(
    observed: float,
    limit: float,
    unit: str,
    *,
    claim: str,
    question: str,
    query: str,
    cited: tuple[Reading | Evidence | None, ...],
) -> Link:
    if observed >= limit or observed < OPEN_FROM * limit:
        return harm(claim, *cited, comparison=compare(round(observed, 6), ">=", round(limit, 6), unit))
    return unknown(Role.HARM, f"{claim}, too near the limit of {limit:,.4g} {unit}".rstrip(), question, query, *cited)


def cpu_percent(case: Case, resource: str, statistic: Statistic = "max") -> Reading | None:
    """CPU use in percent at its peak, as a percentage or a ratio was measured; the engine's own thread first."""
    return percent(case, resource, (re.compile(r"EngineCPUUtilization"), *CPU), statistic)


def percent(case: Case, resource: str, names: tuple[str | Pattern[str], ...], statistic: Statistic = "max") -> Reading | None:
    """The first of these metrics that is a share, in percent."""
    for name in names:
        case.asked.append(f"metric {name.pattern if isinstance(name, Pattern) else name} {statistic} of {resource}")
        for series in case.production.series_of(resource):
            matches = name.fullmatch(series.metric) if isinstance(name, Pattern) else name == series.metric
            found = statistic_reading(series, statistic) if matches and "throttl" not in series.metric.lower() else None
            if found is None:
                continue
            if found.unit == "%":
                return found
            is_ratio = found.unit.lower() in ("", "ratio", "none") and re.search(r"(?i)util|ratio|rate", series.metric)
            if is_ratio and 0 <= found.value <= 1.5:
                return Reading(found.value * 100, "%", found.evidence)
    return None


def cpu_of_request(case: Case, resource: str, requested_cores: float | None, statistic: Statistic = "max") -> Reading | None:
    """CPU use of one copy in percent of what it requests, from a level in cores or millicores; None when it cannot be told.

    A level that all copies add up to is too high for one, so it errs to the side of harm: it may only refute.
    """
    requested = requested_cores or _requested_cores(case, resource)
    if requested is None or requested <= 0:
        return None
    for series in case.production.series_of(resource):
        found = statistic_reading(series, statistic) if _CORES.fullmatch(series.metric.partition("{")[0]) else None
        if found is None or not isinstance(found.evidence, MetricEvidence):
            continue
        is_small = re.search(r"(?i)milli", series.metric + series.unit) is not None
        return Reading(found.evidence.value / (1000 if is_small else 1) / requested * 100, "%", found.evidence)
    return None


def cpu_in_all(case: Case, resource: str, requested_cores: float | None) -> Reading | None:
    """CPU use of all copies at the peak in percent of what one copy requests, from a level that says it is a sum of them."""
    requested = requested_cores or _requested_cores(case, resource)
    if requested is None or requested <= 0:
        return None
    for series in case.production.series_of(resource):
        name = series.metric.partition("{")[0]
        named = _SUMMED.fullmatch(name)
        is_sum = named is not None and named["of"] != name and _CORES.fullmatch(named["of"]) is not None
        found = statistic_reading(series, "max") if is_sum else None
        if found is None or not isinstance(found.evidence, MetricEvidence):
            continue
        is_small = re.search(r"(?i)milli", series.metric + series.unit) is not None
        return Reading(found.evidence.value / (1000 if is_small else 1) / requested * 100, "%", found.evidence)
    return None


_SUMMED = pattern(r"(?i)(sum[_:.(])?(?P<of>.+?)([_:.](sum|total|all_pods|all))?\)?")
"""The name of a level, between the words that say that it is of all copies together."""
_CORES = pattern(
    r"(?i).*cpu.*(cores?|millicores?)(_used|_usage|_avg|_max)?|(container|pod|process)_cpu_usage(_seconds)?(_total)?_rate|.*cpu_usage"
)


def _requested_cores(case: Case, resource: str) -> float | None:
    small = number(case, resource, "cpu_request_millicores", "cpu_request_m", "cpu_millicores")
    if small is not None:
        return small.value / 1000
    whole = number(case, resource, "cpu_request_cores", "cpu_request", "requests.cpu")
    return whole.value if whole is not None else None


def copies(case: Case, *resources: str, statistic: Statistic = "max") -> Reading | None:
    """How many copies ran, by the metrics of the workload or its autoscaler."""
    for resource in resources:
        found = metric(case, resource, COPIES, statistic)
        if found is not None and isinstance(found.evidence, MetricEvidence):
            return Reading(found.evidence.value, "", found.evidence)  # a level, whatever its unit is called
    return None
