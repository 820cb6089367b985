"""Which labels the running pods of a workload have: as production says, else as the manifest of what is deployed gives them."""

from collections.abc import Mapping
from typing import cast

from bot.investigator.asking import config, quote
from bot.investigator.case import Case
from bot.investigator.facts.runners import declarations_of
from gonogo.change import Side
from gonogo.evidence import Evidence
from gonogo.record import Record
from gonogo.resource import Declared, Resource
from heuristics.access.selected_pods import labels_of

LIVE_KEYS = ("pod_labels", "template_labels", "pod_template_labels", "template.metadata.labels", "spec.template.metadata.labels")


class PodLabels(Record):
    """Labels, and the citation that says so."""

    labels: Mapping[str, str]
    cited: Evidence
    is_live: bool


def pod_labels(case: Case, resource: Resource) -> PodLabels | None:
    """The labels of the pods that run; None when neither production nor a plain manifest tells them."""
    cited = config(case, resource.id, *LIVE_KEYS)
    if cited is not None and isinstance(cited.value, Mapping):
        value = cast("Mapping[object, object]", cited.value)
        return PodLabels({str(k): str(v) for k, v in value.items()}, cited, is_live=True)
    return declared_labels(case, resource, "base")


def declared_labels(case: Case, resource: Resource, side: Side) -> PodLabels | None:
    """The labels that the manifests of one side give to the pods of a workload, overlays included."""
    declared = [d for d in declarations_of(case, resource.id, side) if "pod_labels" in d.settings]
    found = [labels_of(d, "pod_labels") for d in declared]
    if not found or None in found:
        return None
    at: Declared = declared[-1]
    place = at.place(at.settings["pod_labels"], side)
    labels = {k: v for one in found for k, v in (one or {}).items()}
    return PodLabels(labels, quote(case, place.file, place.line, side=side), is_live=False)
