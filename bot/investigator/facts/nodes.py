"""The nodes that production has: their labels and taints, what is free on them, and whether a pod may be placed there."""

import re
from collections.abc import Mapping, Sequence
from typing import cast

from bot.investigator.asking import config, lists_name
from bot.investigator.case import Case
from context_graph.normal_form import cores, mebibytes
from gonogo.evidence import ConfigEvidence
from gonogo.record import Record
from gonogo.resource import Resource
from gonogo.word import Json
from heuristics.runtime.scheduling import Wanted

_NODE = re.compile(r"(kubernetes|aws\.eks|google\.gke|azure\.aks|k8s)\.(node|worker_?node)")
_POOL = re.compile(r"(?i).*(node_?group|node_?pool|karpenter|machine_?(set|deployment|pool)).*")
_MAKER = re.compile(r"(?i)karpenter|cluster-?autoscaler|node-?provisioner|autopilot|fargate")
_KEPT_OFF = ("NoSchedule", "NoExecute")


class Node(Record):
    """A node, or a pool that makes nodes. CPU in cores and memory in MiB; None: not read."""

    resource: Resource
    labels: Mapping[str, str]
    labels_key: str
    taints: Sequence[Mapping[str, str]]
    is_pool: bool
    is_open: bool
    """Ready and not cordoned."""
    size: tuple[float | None, float | None]
    free: tuple[float | None, float | None]
    free_pods: float | None

    def slots(self, wanted: Wanted) -> float | None:
        """How many such pods have room on it; None when that is not known."""
        parts = [self.free_pods] if self.free_pods is not None else []
        for free, asked in zip(self.free, (wanted.cpu, wanted.memory_mib), strict=True):
            if asked and free is None:
                return None
            if asked and free is not None:
                parts.append(max(0.0, (free + 1e-9) // asked))
        return min(parts) if parts else None

    def is_too_small(self, wanted: Wanted) -> bool:
        """Whether even an empty one has no room for one pod."""
        return any(
            a is not None and s is not None and a > s for s, a in zip(self.size, (wanted.cpu, wanted.memory_mib), strict=True)
        )


def nodes_of(case: Case, workload: Resource) -> tuple[Node, ...]:
    """The nodes and pools whose labels were read, of the workload's cluster where both name one."""
    cluster = workload.attributes.get("cluster")
    found = [n for r in case.production.resources if (n := _node(r)) is not None]
    return tuple(n for n in found if cluster is None or n.resource.attributes.get("cluster", cluster) == cluster)


def makes_nodes(case: Case) -> bool:
    """Whether production has something that makes nodes on demand: then a label on none of them may still come to be."""
    return any(_MAKER.search(f"{r.kind} {r.name}") for r in case.production.resources)


def is_listed(nodes: Sequence[Node], before: Wanted) -> bool:
    """Whether what was read goes beyond the nodes that the pods run on today, so that a label on none of them is on no node."""
    return bool(nodes) and (any(refusal(n, before) for n in nodes) or not (before.labels or before.terms))


def refusal(node: Node, wanted: Wanted) -> str:
    """Why the pod may not be placed there; empty when it may."""
    for name, value in wanted.labels.items():
        if node.labels.get(name) != value:
            return name
    if wanted.terms and not any(_matches(node, term) for term in wanted.terms):
        return next((str(e.get("key")) for t in wanted.terms for e in _expressions(t)), "affinity")
    for taint in node.taints:
        if taint.get("effect") in _KEPT_OFF and not any(_tolerates(t, taint) for t in wanted.tolerations):
            return f"taint {taint.get('key')}"
    return "" if node.is_open else "not ready"


def cited_refusal(case: Case, node: Node, reason: str) -> ConfigEvidence | None:
    """The live setting that keeps the pod off the node."""
    if reason.startswith("taint "):
        return config(case, node.resource.id, "taints", "node_taints")
    if reason == "not ready":
        return config(case, node.resource.id, "unschedulable", "ready")
    found = config(case, node.resource.id, f"{node.labels_key}.{reason}")
    return found or lists_name(case, node.resource.id, node.labels_key, reason)


def _node(resource: Resource) -> Node | None:
    is_pool = _POOL.fullmatch(resource.kind) is not None
    if not is_pool and _NODE.fullmatch(resource.kind) is None:
        return None
    key = next((k for k in ("labels", "node_labels", "metadata.labels") if isinstance(resource.attributes.get(k), Mapping)), None)
    if key is None:
        return None
    labels = {str(k): str(v) for k, v in cast("Mapping[str, Json]", resource.attributes[key]).items()}
    size, used = _map(resource, "allocatable", "capacity"), _map(resource, "requested", "requests", "allocated")
    whole = (_cpu(size), _memory(size))
    free = tuple(
        w - u if w is not None and u is not None else None for w, u in zip(whole, (_cpu(used), _memory(used)), strict=True)
    )
    pods = [_number(m.get("pods")) for m in (size, used)]
    return Node(
        resource, labels, key, _taints(resource), is_pool, _is_open(resource), whole, (free[0], free[1]),
        pods[0] - pods[1] if pods[0] is not None and pods[1] is not None else None,
    )  # fmt: skip


def _is_open(resource: Resource) -> bool:
    ready = resource.attributes.get("ready", resource.attributes.get("status", True))
    return resource.attributes.get("unschedulable") is not True and str(ready).lower() not in ("false", "notready", "unknown")


def _taints(resource: Resource) -> tuple[Mapping[str, str], ...]:
    read = [resource.attributes[k] for k in ("taints", "node_taints") if k in resource.attributes]
    listed = [one for value in read if isinstance(value, list | tuple) for one in cast("Sequence[object]", value)]
    found: list[Mapping[str, str]] = []
    for one in listed:
        if isinstance(one, Mapping):
            found.append({str(k).lower(): str(v) for k, v in cast("Mapping[str, Json]", one).items()})
        elif (text := re.fullmatch(r"(?P<key>[^=:]+)(?:=(?P<value>[^:]*))?:(?P<effect>\w+)", str(one))) is not None:
            found.append({k: v for k, v in text.groupdict().items() if v is not None})
    return tuple({**t, "effect": _EFFECTS.get(t.get("effect", ""), t.get("effect", ""))} for t in found)


_EFFECTS = {"NO_SCHEDULE": "NoSchedule", "NO_EXECUTE": "NoExecute", "PREFER_NO_SCHEDULE": "PreferNoSchedule"}


def _tolerates(toleration: Mapping[str, Json], taint: Mapping[str, str]) -> bool:
    key, effect = toleration.get("key"), toleration.get("effect")
    if effect not in (None, "", taint.get("effect")):
        return False
    if toleration.get("operator") == "Exists":
        return key in (None, "", taint.get("key"))
    return key == taint.get("key") and str(toleration.get("value", "")) == taint.get("value", "")


def _expressions(term: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    listed = term.get("matchExpressions")
    return [cast("Mapping[str, Json]", e) for e in cast("Sequence[object]", listed if isinstance(listed, list | tuple) else ()) if isinstance(e, Mapping)]  # fmt: skip


def _matches(node: Node, term: Mapping[str, Json]) -> bool:
    return all(_holds(node.labels, one) for one in _expressions(term))


def _holds(labels: Mapping[str, str], one: Mapping[str, Json]) -> bool:
    key, operator, listed = str(one.get("key")), one.get("operator"), one.get("values")
    values = [str(v) for v in cast("Sequence[object]", listed)] if isinstance(listed, list | tuple) else []
    match operator:
        case "In":
            return labels.get(key) in values
        case "NotIn":
            return labels.get(key) not in values
        case "Exists":
            return key in labels
        case "DoesNotExist":
            return key not in labels
        case _:
            return True


def _map(resource: Resource, *keys: str) -> Mapping[str, Json]:
    read = [resource.attributes[k] for k in keys if k in resource.attributes]
    maps = [cast("Mapping[str, Json]", value) for value in read if isinstance(value, Mapping)]
    return maps[0] if maps else {}


def _cpu(of: Mapping[str, Json]) -> float | None:
    for key, factor in (("cpu_m", 0.001), ("cpu_millicores", 0.001), ("cpu_cores", 1.0), ("cpu", 1.0)):
        number = _number(cores(of.get(key)))
        if number is not None:
            return number * factor
    return None


def _memory(of: Mapping[str, Json]) -> float | None:
    for key, factor in (("memory_mib", 1.0), ("memory_mb", 1.0), ("memory_gib", 1024.0), ("memory_bytes", 1 / 1048576)):
        number = _number(of.get(key))
        if number is not None:
            return number * factor
    written = of.get("memory")
    return _number(mebibytes(written)) if isinstance(written, str) else None


def _number(value: Json) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
