"""Edges between Kubernetes objects: back ends, scale targets, configuration, and host names in variables."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from context_graph.manifests.helm_templates import RELEASE
from context_graph.manifests.hosts import hosts_in, hosts_of
from context_graph.manifests.kubernetes_objects import CLUSTER_WIDE, Objects, kind_of, link_to
from context_graph.manifests.kubernetes_selectors import labels_of, pod_labels, selector_links
from context_graph.manifests.node import Draft, Link, Node
from context_graph.normal_form import canonical
from gonogo.resource import Relation

_PODS = {"deployment", "statefulset", "daemonset", "replicaset", "replicationcontroller", "rollout", "job", "cronjob", "pod"}
_ROUTES = {
    "ingress", "httproute", "grpcroute", "tcproute", "tlsroute", "udproute", "virtualservice", "ingressroute", "ingressroutetcp",
    "route", "httpproxy",
}  # fmt: skip
_CERTIFICATE = (("spec", "secretname"), "secret")
_MENTIONS: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]] = {
    # kind: (end of the path, kind of what is named there)
    "rolebinding": ((("roleref", "name"), "role"), (("subjects", "name"), "serviceaccount")),
    "clusterrolebinding": ((("roleref", "name"), "clusterrole"), (("subjects", "name"), "serviceaccount")),
    "ingress": ((("tls", "secretname"), "secret"), (("spec", "ingressclassname"), "ingressclass")),
    "gateway": ((("certificaterefs", "name"), "secret"), (("spec", "gatewayclassname"), "gatewayclass")),
    "statefulset": ((("spec", "servicename"), "service"),),
    "persistentvolumeclaim": ((("spec", "storageclass"), "storageclass"), (("spec", "volumename"), "persistentvolume")),
    "certificate": (_CERTIFICATE, (("issuerref", "name"), "issuer")),
    "externalsecret": ((("secretstoreref", "name"), "secretstore"), (("target", "name"), "secret")),
    "sealedsecret": ((("template", "metadata", "name"), "secret"),),
    "destinationrule": ((("spec", "host"), "service"),),
    "servicemonitor": (),
    "verticalpodautoscaler": ((("targetref", "name"), "deployment"),),
    "validatingwebhookconfiguration": ((("clientconfig", "service", "name"), "service"),),
    "mutatingwebhookconfiguration": ((("clientconfig", "service", "name"), "service"),),
    "apiservice": ((("spec", "service", "name"), "service"),),
}
_SAID_KIND = {"roleref", "subjects", "issuerref", "secretstoreref", "targetref"}
"""References that say the kind of what they name beside the name."""


def kubernetes_links(drafts: Iterable[Draft]) -> list[Link]:
    """Objects are joined inside their namespace, whichever files they stand in; of copies the nearest file's counts."""
    members = list(drafts)
    objects = Objects(members)
    found = list(selector_links(objects))
    for draft in objects.members:
        kind = kind_of(draft)
        if kind in _ROUTES:
            found += _back_ends(draft, objects)
        if kind in ("horizontalpodautoscaler", "scaledobject"):
            found += _scaled(draft, objects)
        if kind in _PODS:
            found += _used(draft, objects)
        if kind == "service":
            found += _elsewhere(draft, objects)
        found += _mentioned(draft, objects, _MENTIONS.get(kind, ()))
    for patch in members:
        if patch.part_of and patch.kind.startswith("kubernetes.") and kind_of(patch) in _PODS:
            found += _patched(patch, objects)
    return found


def _patched(patch: Draft, objects: Objects) -> Iterator[Link]:
    """What a patch adds to a workload is the workload's, and is said by the patch."""
    for workload in objects.meant(patch, kind_of(patch), patch.name or "") if patch.name else ():
        labels = workload.extra.get("pod_labels")
        whole = replace(patch, extra={**patch.extra, **({"pod_labels": labels} if labels is not None else {})})
        for link in _used(whole, objects):
            yield replace(link, source=workload.address, scope=workload.scope)


def _scaled(draft: Draft, objects: Objects) -> Iterator[Link]:
    target, target_kind = draft.extra.get("target"), draft.extra.get("target_kind")
    if target is None:
        return
    wanted = ((target_kind.string() if target_kind is not None else None) or "deployment").lower()
    for found in objects.meant(draft, wanted, target.string() or target.text):
        yield link_to(draft, found, Relation.DEPENDS_ON, target, f"scales {found.name or target.text}")


def _back_ends(route: Draft, objects: Objects) -> Iterator[Link]:
    """Ingress back ends, routes of the Gateway API, destinations of a mesh; and the gateway that a route hangs on."""
    for path, node in route.node.walk():
        written = node.string() or node.text
        if not written or isinstance(node.value, dict | list):
            continue
        end = tuple(canonical(part) for part in path[-2:])
        if end in (("service", "name"), ("backendrefs", "name"), ("services", "name"), ("to", "name")) or end[-1:] == (
            "servicename",
        ):
            targets = objects.meant(route, "service", written)
        elif end in (("destination", "host"), ("mirror", "host")):
            name, _, rest = written.partition(".")
            targets = objects.meant(route, "service", name, rest.partition(".")[0] or None)
        elif end == ("parentrefs", "name") or end[-1:] == ("gateways",):
            space, _, name = written.rpartition("/")
            for gateway in objects.meant(route, "gateway", name, space or None):
                link = link_to(gateway, route, Relation.ROUTES_TO, node, f"parent of {route.name}")
                yield replace(link, file=node.file or route.file)
            continue
        else:
            continue
        for target in targets:
            yield link_to(route, target, Relation.ROUTES_TO, node, f"back end {written}")


def _elsewhere(service: Draft, objects: Objects) -> Iterator[Link]:
    """A Service that is only another name for one of another namespace."""
    named = service.node.get("spec", "externalName")
    name, _, rest = ((named.string() if named is not None else None) or "").partition(".")
    space, _, domain = rest.partition(".")
    if named is not None and name and domain.startswith("svc"):
        for target in objects.meant(service, "service", name, space):
            yield link_to(service, target, Relation.ROUTES_TO, named, f"externalName {named.string()}")


def _mentioned(draft: Draft, objects: Objects, ends: Sequence[tuple[tuple[str, ...], str]]) -> Iterator[Link]:
    if not ends:
        return
    trees = (draft.node, Node({"spec": Node(dict(draft.extra), draft.line)}, draft.line))
    for tree in trees:
        for path, node in tree.walk():
            if node.entries() and path and canonical(path[-1]) in _SAID_KIND:
                yield from _said(draft, objects, canonical(path[-1]), node, ends)
                continue
            written = node.string() or (node.text if not node.is_known else "")
            whole = tuple(canonical(part) for part in path)
            for end, kind in ends if written else ():
                if whole[-len(end) :] != end or set(whole) & _SAID_KIND:
                    continue
                name, _, rest = written.partition(".") if kind == "service" else (written, "", "")
                for target in objects.meant(draft, kind, name, rest.partition(".")[0] or None):
                    if target is not draft:
                        yield link_to(draft, target, Relation.DEPENDS_ON, node, f"{path[-1]}: {written}")


def _said(draft: Draft, objects: Objects, where: str, node: Node, ends: Sequence[tuple[tuple[str, ...], str]]) -> Iterator[Link]:
    """A reference that says the kind, and maybe the namespace, of what it names."""
    name, kind, space = node.get("name"), node.get("kind"), node.get("namespace")
    usual = next((k for end, k in ends if end[0] == where), None)
    if name is None or usual is None:
        return
    wanted = ((kind.string() if kind is not None else None) or usual).lower()
    written = name.string() or name.text
    there = space.string() if space is not None and wanted not in CLUSTER_WIDE else None
    for target in objects.meant(draft, wanted, written, there):
        if target is not draft:
            yield link_to(draft, target, Relation.DEPENDS_ON, name, f"{where}: {written}")


def _used(workload: Draft, objects: Objects) -> Iterator[Link]:
    for key, node in workload.extra.items():
        inner = key.partition(".")[2].partition(".")[2] if key.startswith(("container.", "init_container.")) else key
        if inner.startswith("environment_from."):
            yield from _from_object(workload, inner.removeprefix("environment_from."), node, objects)
        elif inner.startswith("environment."):
            yield from _variable(workload, inner.partition(".")[2], node, objects)
        elif inner in ("command", "args"):
            for item in node.items():
                yield from _hosts(workload, inner, item, objects, only_addresses=True)
        elif key in _NAMED_BY_PODS:
            for item in node.items():
                written = item.get("name") if item.entries() else item
                if written is not None:
                    yield from _plain(workload, _NAMED_BY_PODS[key], written, objects, key)
        elif key.startswith("volume."):
            yield from _volume(workload, node, objects)


_NAMED_BY_PODS = {"service_account": "serviceaccount", "priority_class": "priorityclass", "image_pull_secrets": "secret"}


def _plain(workload: Draft, kind: str, node: Node, objects: Objects, key: str) -> Iterator[Link]:
    for target in objects.meant(workload, kind, node.string() or node.text):
        evidence = f"{'serviceAccountName' if kind == 'serviceaccount' else key}: {target.name or node.text}"
        yield link_to(workload, target, Relation.DEPENDS_ON, node, evidence)


def _from_object(workload: Draft, label: str, node: Node, objects: Objects) -> Iterator[Link]:
    kind, _, name = label.partition("/")
    for target in objects.meant(workload, "secret" if kind.startswith("secret") else "configmap", name):
        yield link_to(workload, target, Relation.DEPENDS_ON, node, node.text)
        yield from _through(workload, target, None, node, objects)


def _through(workload: Draft, source: Draft, only: str | None, said: Node, objects: Objects) -> Iterator[Link]:
    """Hosts in a ConfigMap's values are hosts of whoever takes its variables."""
    for key, node in source.extra.items():
        name = key.removeprefix("data.")
        if key.startswith("data.") and source.kind == "kubernetes.configmap" and only in (None, name):
            for link in _hosts(workload, name, node, objects):
                yield replace(link, file=said.file or workload.file, line=said.line)


def _variable(workload: Draft, variable: str, node: Node, objects: Objects) -> Iterator[Link]:
    if not node.is_known and node.text.startswith(("configMapKeyRef", "secretKeyRef")):
        kind = "secret" if node.text.startswith("secret") else "configmap"
        words = node.text.partition(": ")[2].split()
        name = next((word for word in words if objects.has(workload, kind, word)), None)
        for found in objects.meant(workload, kind, name or ""):
            yield link_to(workload, found, Relation.DEPENDS_ON, node, node.text)
            key = next((word for word in words if word != name), variable)
            yield from _through(workload, found, key, node, objects)
        return
    yield from _hosts(workload, variable, node, objects)


def _hosts(workload: Draft, variable: str, node: Node, objects: Objects, *, only_addresses: bool = False) -> Iterator[Link]:
    written = node.string() or (node.text if RELEASE in node.text else "")
    for host in hosts_of(written, only_addresses=True) if only_addresses else hosts_in(variable, written):
        name, _, rest = host.partition(".")
        space = rest.partition(".")[0]
        if rest and rest not in (space, f"{space}.svc", f"{space}.svc.cluster.local"):
            continue
        for target in objects.meant(workload, "service", name, space or None):
            if not _is_own(workload, target):
                yield link_to(workload, target, Relation.CONNECTS_TO, node, f"{variable} names {host}")


def _is_own(workload: Draft, service: Draft) -> bool:
    """True when the service stands before this very workload: what it tells others of itself is no connection."""
    wanted = labels_of(service.extra.get("selector"))
    return bool(wanted) and wanted.items() <= pod_labels(workload).items()


def _volume(workload: Draft, volume: Node, objects: Objects) -> Iterator[Link]:
    kinds = {"secretname": "secret", "claimname": "persistentvolumeclaim", "secretproviderclass": "secretproviderclass"}
    for path, node in volume.walk():
        end = canonical(path[-1]) if path else ""
        above = canonical(path[-2]) if len(path) > 1 else ""
        kind = kinds.get(end) or ({"configmap": "configmap", "secret": "secret"}.get(above) if end == "name" else None)
        for target in objects.meant(workload, kind, node.string() or node.text) if kind is not None else ():
            yield link_to(workload, target, Relation.DEPENDS_ON, node, f"volume {target.name}")
