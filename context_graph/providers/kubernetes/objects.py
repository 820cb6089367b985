"""Objects of the API as manifests would declare them, so that a live setting and a declared one are read by the same words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from context_graph.manifests.kubernetes import read_object
from context_graph.manifests.node import Draft, Node
from context_graph.manifests.settings import settings_of
from context_graph.providers.kubernetes.api import Object
from context_graph.providers.kubernetes.kinds import Kind
from context_graph.redaction import redact
from gonogo.pattern import pattern
from gonogo.word import Json

_STATUS = {
    "readyReplicas": "ready_replicas",
    "availableReplicas": "available_replicas",
    "numberReady": "ready_replicas",
    "desiredNumberScheduled": "replicas",
    "currentReplicas": "current_replicas",
    "desiredReplicas": "desired_replicas",
    "lastScheduleTime": "last_scheduled_at",
    "lastSuccessfulTime": "last_succeeded_at",
    "disruptionsAllowed": "disruptions_allowed",
    "phase": "phase",
}
_KEPT_ANNOTATIONS = ("proxy-read-timeout", "proxy-send-timeout", "proxy-connect-timeout", "proxy-body-size")
_VALUE = pattern(r"(?:(?:init_)?container\.[^.]+\.)?(?:environment|environment_from|data)\.")
"""Settings that hold the value of a variable or of a key of a ConfigMap."""

_MAX_DEPTH = 40


def draft_of(item: Object, kind: Kind) -> Draft:
    """A listed object, which says neither its kind nor its version. Raises ODD_DATA for one of a shape that we do not know."""
    metadata = cast("Object", item["metadata"])
    annotations = cast("Object", metadata.get("annotations") or {})
    kept = {name: value for name, value in annotations.items() if name.endswith(_KEPT_ANNOTATIONS)}
    slim = {key: metadata[key] for key in ("name", "namespace", "labels") if metadata.get(key)}
    rest = {key: value for key, value in item.items() if key not in ("metadata", "status", "apiVersion", "kind")}
    whole = {"apiVersion": kind.version, "kind": kind.name, "metadata": slim | ({"annotations": kept} if kept else {}), **rest}
    [draft] = read_object(_node(whole, 0), "live").drafts
    return draft


def attributes_of(draft: Draft, status: Object) -> dict[str, Json]:
    """Its settings in normal form: names of variables and keys, none of their values, and how it is now."""
    settings = settings_of(draft, name_of=str)
    found: dict[str, Json] = {
        key: setting.value
        for key, setting in settings.items()
        if setting.value is not None and not _VALUE.match(key) and not key.startswith("metadata.annotations")
    }
    found |= {ours: status[theirs] for theirs, ours in _STATUS.items() if status.get(theirs) is not None}
    return {key: _without_secrets(key, value) for key, value in found.items()}


def _without_secrets(key: str, value: Json) -> Json:
    """As anywhere, and what follows a flag that says it is one: `--password`, `hunter2`."""
    if not isinstance(value, list):
        return redact(value, key.rpartition(".")[2])
    clean: list[Any] = []
    flag = ""
    for item in cast("list[Any]", value):
        clean.append(redact(item, flag or key.rpartition(".")[2]))
        flag = item.lstrip("-") if isinstance(item, str) and item.startswith("-") and "=" not in item else ""
    return clean


def _node(value: Any, depth: int) -> Node:
    if depth > _MAX_DEPTH:
        return Node(None, 0, is_known=False)
    if isinstance(value, Mapping):
        return Node({str(k): _node(v, depth + 1) for k, v in cast("Mapping[Any, Any]", value).items()}, 0)
    if isinstance(value, list):
        return Node([_node(v, depth + 1) for v in cast("list[Any]", value)], 0)
    text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    return Node(value, 0, text=text)


def secrets_of(draft: Draft) -> Iterator[str]:
    """Names of the Secrets that its pods take, or that its certificate lies in."""
    for key, node in draft.extra.items():
        inner = key.partition(".")[2].partition(".")[2] if key.startswith(("container.", "init_container.")) else key
        if inner.startswith("environment_from.secret"):
            yield node.string() or ""
        elif inner.startswith("environment.") and node.text.startswith("secretKeyRef: "):
            yield node.text.split()[1]
        elif key.startswith("volume."):
            for path, below in node.walk():
                if path[-1:] == ("secretName",) or path[-2:] == ("secret", "name"):
                    yield below.string() or ""
    for path, below in draft.node.walk():
        if path[-2:] == ("tls", "secretName"):
            yield below.string() or ""


def hosts_of_ingress(draft: Draft) -> set[str]:
    """Hosts that an Ingress or a route of the Gateway API answers to; none with a wildcard."""
    rules = draft.node.get("spec", "rules") if draft.kind == "kubernetes.ingress" else None
    found = [rule.get("host") for rule in (rules.items() if rules is not None else ())]
    names = draft.node.get("spec", "hostnames") if draft.kind == "kubernetes.httproute" else None
    found += names.items() if names is not None else []
    hosts = {(node.string() or "").lower() for node in found if node is not None}
    return {host for host in hosts if host and "*" not in host}


def balancers_of(status: Object) -> list[str]:
    """The hosts of the balancer that the cloud put before a Service, an Ingress or a Gateway."""
    balancer: Object = status.get("loadBalancer") or {}
    entries: Sequence[Object] = balancer.get("ingress") or ()
    addresses: Sequence[Object] = status.get("addresses") or ()
    found = [entry.get("hostname") for entry in entries]
    found += [entry.get("value") for entry in addresses if entry.get("type") == "Hostname"]
    return [str(host) for host in found if host]
