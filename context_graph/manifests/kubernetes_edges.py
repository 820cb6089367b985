"""Edges between Kubernetes objects: selectors, back ends, scale targets, configuration, and host names in variables."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from context_graph.manifests.hosts import host_of
from context_graph.manifests.node import Draft, Link, Node
from gonogo.resource import Relation

MAX_SELECTED = 50
"""Workloads that one service is drawn to."""
MAX_LABELLED = 500
_PODS = {"deployment", "statefulset", "daemonset", "replicaset", "rollout", "job", "cronjob", "pod"}


def kubernetes_links(drafts: Iterable[Draft]) -> list[Link]:
    """Objects are joined inside their namespace, whichever files they stand in."""
    spaces: dict[tuple[str, str | None], list[Draft]] = defaultdict(list)
    for draft in drafts:
        if draft.kind.startswith("kubernetes.") and draft.address.count("/") == 2:
            spaces[draft.address.split("/")[1], draft.environment].append(draft)
    return [link for members in spaces.values() for link in _of_namespace(members)]


def _of_namespace(members: list[Draft]) -> list[Link]:
    named = {(draft.kind.rpartition(".")[2], draft.name): draft for draft in members}
    labelled: dict[tuple[str, str], list[Draft]] = defaultdict(list)
    for draft in members:
        for pair in _labels(draft.extra.get("pod_labels")).items():
            if len(labelled[pair]) < MAX_LABELLED:
                labelled[pair].append(draft)
    links: list[Link] = []
    for draft in members:
        kind = draft.kind.rpartition(".")[2]
        if kind == "service":
            links += _selected(draft, labelled)
        elif kind == "ingress":
            links += _back_ends(draft, named)
        elif kind in ("horizontalpodautoscaler", "scaledobject"):
            target, target_kind = draft.extra.get("target"), draft.extra.get("target_kind")
            wanted = ((target_kind.string() if target_kind is not None else None) or "deployment").lower()
            found = named.get((wanted, target.string() if target is not None else None))
            if found is not None and target is not None:
                links.append(_link(draft, found, Relation.DEPENDS_ON, target.line, f"scales {found.name}"))
        elif kind in _PODS:
            links += _used(draft, named)
    return links


def _link(source: Draft, target: Draft, relation: Relation, line: int, evidence: str) -> Link:
    return Link(
        source.address, target.address, relation, source.file, line, evidence[:200], source.scope, target_scope=target.scope
    )


def _selected(service: Draft, labelled: Mapping[tuple[str, str], list[Draft]]) -> list[Link]:
    selector = service.extra.get("selector")
    wanted = _labels(selector)
    if not wanted or selector is None:
        return []
    found: list[Link] = []
    for other in min((labelled.get(pair, []) for pair in wanted.items()), key=len):
        if len(found) < MAX_SELECTED and wanted.items() <= _labels(other.extra.get("pod_labels")).items():
            found.append(_link(service, other, Relation.ROUTES_TO, selector.line, f"selector {selector.json()}"))
    return found


def _labels(node: Node | None) -> dict[str, str]:
    return {key: value.string() or "" for key, value in (node.entries() if node is not None else {}).items()}


def _back_ends(ingress: Draft, named: dict[tuple[str, str | None], Draft]) -> list[Link]:
    found: list[Link] = []
    for path, node in ingress.node.walk():
        is_service = path[-2:] == ("service", "name") or path[-1:] == ("serviceName",)
        target = named.get(("service", node.string())) if is_service else None
        if target is not None:
            found.append(_link(ingress, target, Relation.ROUTES_TO, node.line, f"back end {target.name}"))
    return found


def _used(workload: Draft, named: dict[tuple[str, str | None], Draft]) -> list[Link]:
    found: list[Link] = []
    for key, node in workload.extra.items():
        label, _, name = key.rpartition("environment_from.")[2].partition("/")
        if "environment_from." in key:
            target = named.get(("secret" if label.startswith("secret") else "configmap", name))
            if target is not None:
                found.append(_link(workload, target, Relation.DEPENDS_ON, node.line, node.text))
        elif key.startswith("environment."):
            found += _called(workload, key, node, named)
    return found


def _called(workload: Draft, key: str, node: Node, named: dict[tuple[str, str | None], Draft]) -> list[Link]:
    written = node.string() or ""
    target = named.get(("service", host_of(written).partition(".")[0])) if written else None
    if target is not None and ("://" in written or ":" in written or host_of(written) == written):
        return [_link(workload, target, Relation.CONNECTS_TO, node.line, f"{key.partition('.')[2]} names {target.name}")]
    if not node.is_known and node.text.startswith(("configMapKeyRef", "secretKeyRef")):
        kind = "secret" if node.text.startswith("secret") else "configmap"
        names = node.text.partition(": ")[2].split()
        found = next((named[kind, name] for name in names if (kind, name) in named), None)
        return [_link(workload, found, Relation.DEPENDS_ON, node.line, node.text)] if found is not None else []
    return []
