"""Which live workloads of a cluster a selector means: by the labels of their pods where they are known, else by name."""

import re

from bot.investigator.case import Case
from bot.investigator.facts.pod_labels import pod_labels
from bot.investigator.facts.runners import is_workload
from gonogo.resource import Resource
from heuristics.access.label_wants import unmet
from heuristics.access.selectors import Selector
from heuristics.limits.changed import words_of


def selects(case: Case, selector: Selector, resource: Resource) -> bool:
    """Whether a workload is among the peers: by the labels of its pods where they are known, else by its name."""
    if selector.namespaces is not None and namespace_at(resource) not in selector.namespaces:
        return False
    known = pod_labels(case, resource) if selector.wants else None
    if known is not None and selector.wants is not None:
        return not unmet(selector.wants, known.labels)
    if not selector.is_exact:
        return False
    who = {*selector.names, *selector.accounts}
    return not who or is_one_of(resource.name, who) or str(resource.attributes.get("service_account", "")) in who


def workloads_of_clusters(case: Case) -> list[Resource]:
    """Every live workload of a cluster that was read."""
    return [r for r in case.production.resources if r.kind.startswith("kubernetes.") and is_workload(r.kind)]


def namespace_at(resource: Resource) -> str:
    """The namespace of a live workload."""
    said = resource.attributes.get("namespace")
    if isinstance(said, str):
        return said
    parts = resource.id.partition(":")[2].split("/")
    return parts[1] if len(parts) >= 4 else "default"


def is_one_of(name: str, wanted: set[str]) -> bool:
    """Whether a workload or pod is one of these by name."""
    return any(
        words_of(name) == words_of(w) or re.match(rf"{re.escape(w)}-[a-z0-9]{{5,10}}-[a-z0-9]{{5}}$", name) for w in wanted
    )
