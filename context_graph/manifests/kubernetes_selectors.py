"""Edges from what selects pods or Services by their labels."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from context_graph.manifests.kubernetes_objects import (
    MAX_COPIES,
    Objects,
    called,
    is_hook_of_tests,
    kind_of,
    link_to,
    nearest_of,
    rank,
    space_of,
)
from context_graph.manifests.node import Draft, Link, Node
from gonogo.resource import Relation

MAX_SELECTED = 50
"""Workloads that one service is drawn to."""
MAX_LABELLED = 500
_POD_SELECTOR = ("spec", "podSelector")
_SELECTOR = ("spec", "selector")
_WORKLOADS = ("spec", "workloadSelector")
_SELECTING: Mapping[str, tuple[tuple[str, ...], Relation]] = {
    "service": (_SELECTOR, Relation.ROUTES_TO),
    "networkpolicy": (_POD_SELECTOR, Relation.DEPENDS_ON),
    "ciliumnetworkpolicy": (("spec", "endpointSelector"), Relation.DEPENDS_ON),
    "securitygrouppolicy": (_POD_SELECTOR, Relation.DEPENDS_ON),
    "poddisruptionbudget": (_SELECTOR, Relation.DEPENDS_ON),
    "podmonitor": (_SELECTOR, Relation.DEPENDS_ON),
    "podmonitoring": (_SELECTOR, Relation.DEPENDS_ON),
    "servicemonitor": (_SELECTOR, Relation.DEPENDS_ON),
    "authorizationpolicy": (_SELECTOR, Relation.DEPENDS_ON),
    "peerauthentication": (_SELECTOR, Relation.DEPENDS_ON),
    "requestauthentication": (_SELECTOR, Relation.DEPENDS_ON),
    "telemetry": (_SELECTOR, Relation.DEPENDS_ON),
    "wasmplugin": (_SELECTOR, Relation.DEPENDS_ON),
    "gateway": (_SELECTOR, Relation.DEPENDS_ON),
    "sidecar": (_WORKLOADS, Relation.DEPENDS_ON),
    "envoyfilter": (_WORKLOADS, Relation.DEPENDS_ON),
    "serviceentry": (_WORKLOADS, Relation.ROUTES_TO),
}
_SELECTS_SERVICES = ("servicemonitor",)
Pair = tuple[str, str]
Labelled = Mapping[Pair, list[tuple[Draft, Mapping[str, str], Pair]]]
"""Label → the objects that have it, each with all of its labels, its kind and its name."""


def labels_of(node: Node | None) -> dict[str, str]:
    """The labels; an open one is its expression."""
    return {key: value.string() or value.text for key, value in (node.entries() if node is not None else {}).items()}


def pod_labels(draft: Draft) -> dict[str, str]:
    """The labels of a workload's pods."""
    return {} if is_hook_of_tests(draft) else labels_of(draft.extra.get("pod_labels"))


def selector_links(objects: Objects) -> Iterator[Link]:
    """Services to their pods, policies and budgets to what they are for, monitors to what they read."""
    pods: dict[str, Labelled] = defaultdict(lambda: defaultdict(list))
    services: dict[str, Labelled] = defaultdict(lambda: defaultdict(list))
    for draft in objects.members:
        is_service = kind_of(draft) == "service"
        labels = labels_of(draft.node.get("metadata", "labels")) if is_service else pod_labels(draft)
        there = (services if is_service else pods)[space_of(draft)]
        for pair in labels.items():
            if len(there[pair]) < MAX_LABELLED:
                there[pair].append((draft, labels, (kind_of(draft), called(draft))))
    for draft in objects.members:
        kind = kind_of(draft)
        if kind in _SELECTING:
            path, relation = _SELECTING[kind]
            yield from _selected(draft, path, relation, (services if kind in _SELECTS_SERVICES else pods)[space_of(draft)])


def _selected(draft: Draft, path: tuple[str, ...], relation: Relation, labelled: Labelled) -> Iterator[Link]:
    known = draft.extra.get("selector") or draft.extra.get("pod_selector")
    written = draft.node.get(*path)
    matched = written.get("matchLabels") or written.get("labels") if written is not None else None
    selector = known or matched or _plain(written)
    expressions = written.get("matchExpressions") if written is not None else None
    wanted = labels_of(selector)
    demands = expressions.items() if expressions is not None else []
    shown = selector or expressions
    if shown is None or not (wanted or demands):
        return
    copies: dict[Pair, list[tuple[int, Draft]]] = defaultdict(list)
    for other, labels, key in _candidates(wanted, demands, labelled):
        nearness = rank(draft, other)
        fits = wanted.items() <= labels.items() and all(_holds(demand, labels) for demand in demands)
        if fits and nearness is not None and len(copies[key]) < MAX_COPIES:
            copies[key].append((nearness, other))
    for same in [found for found in copies.values() if found][:MAX_SELECTED]:
        for target in nearest_of(draft, same):
            yield link_to(draft, target, relation, shown, f"selector {shown.json()}")


def _plain(written: Node | None) -> Node | None:
    """A selector that is just labels, as a Service's."""
    is_plain = written is not None and not any(isinstance(below.value, dict | list) for below in written.entries().values())
    return written if is_plain else None


def _candidates(
    wanted: Mapping[str, str], demands: Sequence[Node], labelled: Labelled
) -> list[tuple[Draft, Mapping[str, str], Pair]]:
    if wanted:
        return min((labelled.get(pair, []) for pair in wanted.items()), key=len)
    for demand in demands:
        key, values = demand.get("key"), demand.get("values")
        if values is not None and key is not None and _operator(demand) == "In":
            return [found for value in values.items() for found in labelled.get((key.string() or "", value.string() or ""), [])]
    return []


def _holds(demand: Node, labels: Mapping[str, str]) -> bool:
    key, values = demand.get("key"), demand.get("values")
    label = labels.get((key.string() if key is not None else None) or "")
    listed = {value.string() for value in (values.items() if values is not None else [])}
    return {
        "In": label in listed,
        "NotIn": label not in listed,
        "Exists": label is not None,
        "DoesNotExist": label is None,
    }.get(_operator(demand), False)


def _operator(demand: Node) -> str:
    found = demand.get("operator")
    return (found.string() if found is not None else None) or ""
