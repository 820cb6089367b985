"""What a judge of lowered capacity hands over, and what all of them read."""

import re

from bot.investigator.asking import Reading
from bot.investigator.case import Case
from bot.investigator.facts.rates import request_rate
from bot.investigator.facts.traffic import traffic_of, upstream
from gonogo.record import Record
from gonogo.resource import Declared, Resource
from gonogo.trajectory import Link
from heuristics.runtime.capacity import autoscalers
from heuristics.runtime.declared import setting_number


class Judged(Record):
    """How the chain ends: the links that say what degrades, and the metric that would show it."""

    mechanism: Link
    harm: Link
    metric: str
    reading: Reading | None = None


def rate_at(case: Case, resource: str) -> Reading | None:
    """Requests a second at their peak, at the resource or at what routes to it."""
    own = traffic_of(case, resource)
    if own is not None:
        return own
    return next((r for other in upstream(case, resource) if (r := request_rate(case, other)) is not None), None)


def autoscaler_of(case: Case, declared: Declared) -> Declared | None:
    """The autoscaler that head declares for this workload."""
    ends = {(e.source, e.target) for e in case.diff.declared["head"].edges}
    for one in autoscalers(case.diff):
        target = one.settings.get("target") or one.settings.get("resource_id")
        text = f"{target.value if target is not None and target.value is not None else ''} {target.text if target is not None else ''}"
        names = [n for n in (declared.name, declared.address.rpartition("//")[2]) if n]
        is_named = any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) for name in names)
        if (one.address, declared.address) in ends or is_named:
            return one
    if (
        setting_number(declared, "max_replicas") is not None
        and (flag := declared.settings.get("autoscaling.enabled")) is not None
    ):
        return declared if flag.value is True else None
    return None


def metric_of(reading: Reading, otherwise: str) -> str:
    """The metric that a reading comes from, else the usual one."""
    return reading.evidence.metric if reading.evidence.kind == "metric" else otherwise


def cpu_query(resource: Resource) -> str:
    """The read-only query that tells CPU at the peak."""
    if resource.kind.startswith("aws."):
        return f"aws cloudwatch get-metric-statistics --metric-name CPUUtilization --statistics Maximum  # of {resource.name}, 7 days"
    return f'max_over_time(sum(rate(container_cpu_usage_seconds_total{{pod=~"{resource.name}-.*"}}[5m]))[7d:5m])'
