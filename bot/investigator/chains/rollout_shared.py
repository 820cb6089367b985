"""What chains about probes and roll-outs have in common: whose they are, that it is in use, where the line stands."""

from bot.investigator.asking import Reading, number
from bot.investigator.case import Case
from bot.investigator.chain import Cited, exposure, unknown
from bot.investigator.chains.capacity_judged import rate_at
from bot.investigator.facts.placing import governed
from bot.investigator.facts.rates import request_rate
from bot.investigator.facts.traffic import upstream
from gonogo.resource import Resource, SettingChange
from gonogo.trajectory import Link, Role
from gonogo.word import ResourceId
from heuristics.runtime.declared import label, shown

MATERIAL = 50
"""Requests lost in one roll-out from which on it is worth stopping for."""


# -- shared ------------------------------------------------------------------------------------


def who(case: Case, change: SettingChange) -> tuple[Resource | None, str]:
    """The live resource of a changed declaration, and what to call it."""
    resource = governed(case, change.declared)
    return resource, resource.name if resource is not None else label(change.declared)


def in_use(case: Case, resource: Resource | None, name: str, otherwise: Cited) -> Link:
    """The exposure link: what it takes, else that it runs."""
    rate = rate_at(case, resource.id) if resource is not None else None
    if rate is not None:
        return exposure(f"{name} takes up to {rate.value:,.3g} requests a second", rate)
    running = number(case, resource.id, "replicas", "desired_count") if resource is not None else None
    if running is not None:
        return exposure(f"{running.value:g} copies of {name} run", running)
    if otherwise is not None:
        return exposure(f"{name} works in production", otherwise)
    return unknown(
        Role.EXPOSURE,
        f"{name} works in production",
        f"Which resource in production is {name}, and what does it take?",
        f"kubectl get deploy {name}",
    )


def usual_rate(case: Case, resource: Resource | None) -> Reading | None:
    """Requests a second on average: a roll-out may come at any hour."""
    if resource is None:
        return None
    own = request_rate(case, resource.id, "mean")
    return own or next((r for other in upstream(case, resource.id) if (r := request_rate(case, other, "mean")) is not None), None)


def said(change: SettingChange, name: str) -> str:
    """The change in words."""
    return f"`{change.key}` of {name} goes from {shown(change.old)} to {shown(change.new)}"


def id_of(case: Case, resource: Resource | None) -> ResourceId:
    """The resource that degrades, else the repository."""
    return resource.id if resource is not None else case.repository


def path_of(case: Case, resource: Resource | None) -> tuple[ResourceId, ...]:
    """The resource and what routes to it."""
    return () if resource is None else (resource.id, *(ResourceId(r) for r in upstream(case, resource.id)))
