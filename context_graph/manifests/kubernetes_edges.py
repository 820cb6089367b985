"""Edges between Kubernetes objects: selectors, back ends, scale targets, configuration, and host names in variables."""

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from context_graph.manifests.hosts import hosts_in, hosts_of
from context_graph.manifests.node import Draft, Link, Node
from context_graph.normal_form import canonical
from gonogo.resource import Relation

MAX_SELECTED = 50
"""Workloads that one service is drawn to."""
MAX_LABELLED = 500
MAX_COPIES = 100
"""Objects of one kind and name that the nearest one is chosen from."""
_PODS = {"deployment", "statefulset", "daemonset", "replicaset", "rollout", "job", "cronjob", "pod"}
_SELECTING = {"service": Relation.ROUTES_TO, "networkpolicy": Relation.DEPENDS_ON, "poddisruptionbudget": Relation.DEPENDS_ON}
_ROUTES = {"ingress", "httproute", "grpcroute", "tcproute", "virtualservice", "ingressroute", "route"}
_MENTIONS: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]] = {
    # kind: (end of the path, kind of what is named there)
    "rolebinding": ((("roleref", "name"), "role"), (("subjects", "name"), "serviceaccount")),
    "clusterrolebinding": ((("roleref", "name"), "clusterrole"), (("subjects", "name"), "serviceaccount")),
    "ingress": ((("tls", "secretname"), "secret"),),
    "statefulset": ((("spec", "servicename"), "service"),),
    "persistentvolumeclaim": ((("spec", "storageclassname"), "storageclass"), (("spec", "volumename"), "persistentvolume")),
    "servicemonitor": (),
}
Labelled = Mapping[tuple[str, str], list[tuple[Draft, frozenset[tuple[str, str]], tuple[str, str]]]]
"""Label → the workloads that have it, each with all of its labels, its kind and its name."""
Named = Mapping[tuple[str, str], Sequence[Draft]]


def kubernetes_links(drafts: Iterable[Draft]) -> list[Link]:
    """Objects are joined inside their namespace, whichever files they stand in; of copies the nearest file's counts."""
    spaces: dict[tuple[str, str | None], list[Draft]] = defaultdict(list)
    everywhere: dict[str, list[Draft]] = defaultdict(list)
    for draft in drafts:
        if draft.kind.startswith("kubernetes.") and draft.address.count("/") == 2 and not draft.part_of:
            space = draft.address.split("/")[1]
            spaces[space, draft.environment].append(draft)
            if draft.kind == "kubernetes.service" and draft.name:
                everywhere[f"{draft.name}.{space}"].append(draft)
    return [link for members in spaces.values() for link in _of_namespace(members, everywhere)]


def _of_namespace(members: list[Draft], everywhere: Mapping[str, Sequence[Draft]]) -> Iterator[Link]:
    named: dict[tuple[str, str], list[Draft]] = defaultdict(list)
    labelled: Labelled = defaultdict(list)
    for draft in members:
        key = (_kind(draft), _called(draft))
        same = named[key]
        if len(same) < MAX_COPIES:
            same.append(draft)
        pairs = frozenset(_labels(draft.extra.get("pod_labels")).items())
        for pair in pairs:
            if len(labelled[pair]) < MAX_LABELLED:
                labelled[pair].append((draft, pairs, key))
    for draft in members:
        kind = _kind(draft)
        if kind in _SELECTING:
            yield from _selected(draft, labelled, _SELECTING[kind])
        if kind in _ROUTES:
            yield from _back_ends(draft, named)
        if kind in ("horizontalpodautoscaler", "scaledobject"):
            yield from _scaled(draft, named)
        if kind in _PODS:
            yield from _used(draft, named, everywhere)
        yield from _mentioned(draft, named, _MENTIONS.get(kind, ()))


def _kind(draft: Draft) -> str:
    return draft.kind.rpartition(".")[2]


def _called(draft: Draft) -> str:
    """The name, or the expression that stands for it in a template."""
    if draft.name is not None:
        return draft.name
    written = draft.node.get("metadata", "name") or draft.extra.get("name")
    return written.text if written is not None and written.text else draft.address


def _nearest(draft: Draft, found: Sequence[Draft]) -> Draft | None:
    """Of several objects of one name the one in the same file, else in the nearest folder."""
    if not found:
        return None
    if len(found) == 1:
        return found[0]
    folder = posixpath.dirname(draft.file).split("/")

    def distance(other: Draft) -> tuple[int, int, str]:
        if other.file == draft.file:
            return (-1, abs(other.line - draft.line), "")
        there = posixpath.dirname(other.file).split("/")
        shared = next(
            (i for i, pair in enumerate(zip(folder, there, strict=False)) if pair[0] != pair[1]), min(len(folder), len(there))
        )
        return (len(folder) + len(there) - 2 * shared, 0, other.file)

    return min(found, key=distance)


def _link(source: Draft, target: Draft, relation: Relation, line: int, evidence: str) -> Link:
    return Link(
        source.address, target.address, relation, source.file, line, evidence[:200], source.scope, target_scope=target.scope
    )


def _selected(selecting: Draft, labelled: Labelled, relation: Relation) -> Iterator[Link]:
    selector = selecting.extra.get("selector") or selecting.extra.get("pod_selector")
    wanted = frozenset(_labels(selector).items())
    if not wanted or selector is None:
        return
    copies: dict[tuple[str, str], list[Draft]] = defaultdict(list)
    for other, labels, key in min((labelled.get(pair, []) for pair in wanted), key=len):
        if wanted <= labels and len(copies[key]) < MAX_COPIES:
            copies[key].append(other)
    evidence = f"selector {selector.json()}"
    for same in list(copies.values())[:MAX_SELECTED]:
        target = _nearest(selecting, same)
        if target is not None:
            yield _link(selecting, target, relation, selector.line, evidence)


def _labels(node: Node | None) -> dict[str, str]:
    return {key: value.string() or value.text for key, value in (node.entries() if node is not None else {}).items()}


def _scaled(draft: Draft, named: Named) -> Iterator[Link]:
    target, target_kind = draft.extra.get("target"), draft.extra.get("target_kind")
    if target is None:
        return
    wanted = ((target_kind.string() if target_kind is not None else None) or "deployment").lower()
    found = _nearest(draft, named.get((wanted, target.string() or target.text), ()))
    if found is not None:
        yield _link(draft, found, Relation.DEPENDS_ON, target.line, f"scales {found.name or target.text}")


def _back_ends(route: Draft, named: Named) -> Iterator[Link]:
    """Ingress back ends, routes of the Gateway API, destinations of a mesh; and the gateway that a route hangs on."""
    for path, node in route.node.walk():
        written = node.string() or node.text
        if not written or isinstance(node.value, dict | list):
            continue
        end = tuple(canonical(part) for part in path[-2:])
        if end in (("service", "name"), ("backendrefs", "name"), ("services", "name"), ("to", "name")) or end[-1:] == (
            "servicename",
        ):
            target = _nearest(route, named.get(("service", written), ()))
        elif end == ("destination", "host"):
            target = _nearest(route, named.get(("service", written.partition(".")[0]), ()))
        elif end == ("parentrefs", "name") or end[-1:] == ("gateways",):
            gateway = _nearest(route, named.get(("gateway", written.rpartition("/")[2]), ()))
            if gateway is not None:
                link = _link(gateway, route, Relation.ROUTES_TO, node.line, f"parent of {route.name}")
                yield Link(
                    link.source, link.target, link.relation, route.file, node.line, link.evidence, link.scope, link.target_scope
                )
            continue
        else:
            continue
        if target is not None:
            yield _link(route, target, Relation.ROUTES_TO, node.line, f"back end {written}")


def _mentioned(draft: Draft, named: Named, ends: Sequence[tuple[tuple[str, ...], str]]) -> Iterator[Link]:
    if not ends:
        return
    trees = (draft.node, Node({"spec": Node(dict(draft.extra), draft.line)}, draft.line))
    for path, node in (pair for tree in trees for pair in tree.walk()):
        written = node.string()
        if written is None:
            continue
        whole = tuple(canonical(part) for part in path)
        for end, kind in ends:
            target = _nearest(draft, named.get((kind, written), ())) if whole[-len(end) :] == end else None
            if target is not None and target is not draft:
                yield _link(draft, target, Relation.DEPENDS_ON, node.line, f"{path[-1]}: {written}")


def _used(workload: Draft, named: Named, everywhere: Mapping[str, Sequence[Draft]]) -> Iterator[Link]:
    for key, node in workload.extra.items():
        inner = key.partition(".")[2].partition(".")[2] if key.startswith(("container.", "init_container.")) else key
        if inner.startswith("environment_from."):
            yield from _from_object(workload, inner.removeprefix("environment_from."), node, named, everywhere)
        elif inner.startswith("environment."):
            yield from _variable(workload, inner.partition(".")[2], node, named, everywhere)
        elif inner in ("command", "args"):
            for item in node.items():
                yield from _hosts(workload, inner, item, named, everywhere, only_addresses=True)
        elif key == "service_account":
            account = _nearest(workload, named.get(("serviceaccount", node.string() or node.text), ()))
            if account is not None:
                yield _link(workload, account, Relation.DEPENDS_ON, node.line, f"serviceAccountName: {account.name}")
        elif key.startswith("volume."):
            yield from _volume(workload, node, named)


def _from_object(
    workload: Draft, label: str, node: Node, named: Named, everywhere: Mapping[str, Sequence[Draft]]
) -> Iterator[Link]:
    kind, _, name = label.partition("/")
    target = _nearest(workload, named.get(("secret" if kind.startswith("secret") else "configmap", name), ()))
    if target is not None:
        yield _link(workload, target, Relation.DEPENDS_ON, node.line, node.text)
        yield from _through(workload, target, None, node.line, named, everywhere)


def _through(
    workload: Draft, source: Draft, only: str | None, line: int, named: Named, everywhere: Mapping[str, Sequence[Draft]]
) -> Iterator[Link]:
    """Hosts in a ConfigMap's values are hosts of whoever takes its variables."""
    for key, node in source.extra.items():
        name = key.removeprefix("data.")
        if key.startswith("data.") and source.kind == "kubernetes.configmap" and only in (None, name):
            for link in _hosts(workload, name, node, named, everywhere):
                yield Link(
                    link.source, link.target, link.relation, workload.file, line, link.evidence, link.scope, link.target_scope
                )


def _variable(
    workload: Draft, variable: str, node: Node, named: Named, everywhere: Mapping[str, Sequence[Draft]]
) -> Iterator[Link]:
    if not node.is_known and node.text.startswith(("configMapKeyRef", "secretKeyRef")):
        kind = "secret" if node.text.startswith("secret") else "configmap"
        words = node.text.partition(": ")[2].split()
        name = next((word for word in words if (kind, word) in named), None)
        found = _nearest(workload, named.get((kind, name or ""), ()))
        if found is not None:
            yield _link(workload, found, Relation.DEPENDS_ON, node.line, node.text)
            key = next((word for word in words if word != name), variable)
            yield from _through(workload, found, key, node.line, named, everywhere)
        return
    yield from _hosts(workload, variable, node, named, everywhere)


def _hosts(
    workload: Draft,
    variable: str,
    node: Node,
    named: Named,
    everywhere: Mapping[str, Sequence[Draft]],
    *,
    only_addresses: bool = False,
) -> Iterator[Link]:
    written = node.string() or ""
    for host in hosts_of(written, only_addresses=True) if only_addresses else hosts_in(variable, written):
        name, _, rest = host.partition(".")
        space = rest.partition(".")[0]
        found = everywhere.get(f"{name}.{space}", ()) if space else named.get(("service", name), ())
        if rest and rest not in (space, f"{space}.svc", f"{space}.svc.cluster.local"):
            continue
        target = _nearest(workload, found)
        if target is not None and not _is_own(workload, target):
            yield _link(workload, target, Relation.CONNECTS_TO, node.line, f"{variable} names {host}")


def _is_own(workload: Draft, service: Draft) -> bool:
    """True when the service stands before this very workload: what it tells others of itself is no connection."""
    wanted = _labels(service.extra.get("selector"))
    return bool(wanted) and wanted.items() <= _labels(workload.extra.get("pod_labels")).items()


def _volume(workload: Draft, volume: Node, named: Named) -> Iterator[Link]:
    kinds = {"secretname": "secret", "claimname": "persistentvolumeclaim"}
    for path, node in volume.walk():
        end = canonical(path[-1]) if path else ""
        above = canonical(path[-2]) if len(path) > 1 else ""
        kind = kinds.get(end) or ({"configmap": "configmap", "secret": "secret"}.get(above) if end == "name" else None)
        target = _nearest(workload, named.get((kind, node.string() or node.text), ())) if kind is not None else None
        if target is not None:
            yield _link(workload, target, Relation.DEPENDS_ON, node.line, f"volume {target.name}")
