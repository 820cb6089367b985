"""Kubernetes objects, several to a file, with the settings of their pods; the namespace is part of the address."""

from dataclasses import replace

from context_graph.manifests.node import Draft, Node, Reading
from context_graph.manifests.pods import pod_settings

_WORKLOADS = {
    "deployment": ("spec", "template", "spec"),
    "statefulset": ("spec", "template", "spec"),
    "daemonset": ("spec", "template", "spec"),
    "replicaset": ("spec", "template", "spec"),
    "replicationcontroller": ("spec", "template", "spec"),
    "rollout": ("spec", "template", "spec"),
    "job": ("spec", "template", "spec"),
    "cronjob": ("spec", "jobTemplate", "spec", "template", "spec"),
    "pod": ("spec",),
}
_SHORT: dict[str, dict[str, str]] = {
    "deployment": {
        "spec.replicas": "replicas",
        "spec.strategy.type": "strategy",
        "spec.strategy.rollingUpdate.maxSurge": "max_surge",
        "spec.strategy.rollingUpdate.maxUnavailable": "max_unavailable",
        "spec.minReadySeconds": "min_ready_s",
        "spec.progressDeadlineSeconds": "progress_deadline_s",
        "spec.selector.matchLabels": "selector",
    },
    "statefulset": {
        "spec.replicas": "replicas",
        "spec.updateStrategy.type": "strategy",
        "spec.serviceName": "service_name",
        "spec.podManagementPolicy": "pod_management_policy",
    },
    "daemonset": {
        "spec.updateStrategy.type": "strategy",
        "spec.updateStrategy.rollingUpdate.maxUnavailable": "max_unavailable",
        "spec.updateStrategy.rollingUpdate.maxSurge": "max_surge",
    },
    "cronjob": {
        "spec.schedule": "schedule",
        "spec.concurrencyPolicy": "concurrency_policy",
        "spec.suspend": "suspend",
        "spec.timeZone": "timezone",
        "spec.startingDeadlineSeconds": "starting_deadline_s",
        "spec.jobTemplate.spec.backoffLimit": "backoff_limit",
        "spec.jobTemplate.spec.activeDeadlineSeconds": "active_deadline_s",
        "spec.jobTemplate.spec.parallelism": "parallelism",
    },
    "job": {
        "spec.backoffLimit": "backoff_limit",
        "spec.activeDeadlineSeconds": "active_deadline_s",
        "spec.parallelism": "parallelism",
        "spec.completions": "completions",
    },
    "horizontalpodautoscaler": {
        "spec.minReplicas": "min_replicas",
        "spec.maxReplicas": "max_replicas",
        "spec.targetCPUUtilizationPercentage": "target_cpu_percent",
        "spec.behavior.scaleDown.stabilizationWindowSeconds": "scale_down_window_s",
        "spec.scaleTargetRef.name": "target",
        "spec.scaleTargetRef.kind": "target_kind",
    },
    "scaledobject": {
        "spec.minReplicaCount": "min_replicas",
        "spec.maxReplicaCount": "max_replicas",
        "spec.cooldownPeriod": "cooldown_s",
        "spec.pollingInterval": "polling_interval_s",
        "spec.scaleTargetRef.name": "target",
    },
    "networkpolicy": {"spec.podSelector.matchLabels": "pod_selector"},
    "poddisruptionbudget": {
        "spec.selector.matchLabels": "pod_selector",
        "spec.minAvailable": "min_available",
        "spec.maxUnavailable": "max_unavailable",
    },
    "service": {"spec.type": "type", "spec.sessionAffinity": "session_affinity"},
    "persistentvolumeclaim": {
        "spec.storageClassName": "storage_class",
        "spec.resources.requests.storage": "storage",
        "spec.accessModes": "access_modes",
    },
    "persistentvolume": {"spec.persistentVolumeReclaimPolicy": "reclaim_policy", "spec.capacity.storage": "storage"},
    "storageclass": {"reclaimPolicy": "reclaim_policy"},
    "resourcequota": {},
    "certificate": {"spec.duration": "duration_s", "spec.renewBefore": "renew_before_s"},
}
_PRUNED = {
    "networkpolicy": ("spec.ingress", "spec.egress"),
    "service": ("spec.selector",),
    "role": ("rules",),
    "clusterrole": ("rules",),
}
_SHORT["rollout"] = _SHORT["replicaset"] = _SHORT["deployment"]


def is_object(node: Node) -> bool:
    """True when the document is a Kubernetes object (kustomize and chart files are not)."""
    entries = node.entries()
    if not {"apiVersion", "kind"} <= entries.keys():
        return False
    kind = entries["kind"].string()
    return kind is not None and kind not in ("Kustomization", "Component") and ("metadata" in entries or kind.endswith("List"))


def read_object(node: Node, file: str, *, environment: str | None = None, namespace: str | None = None) -> Reading:
    """The object of a document; a List gives each of its items."""
    reading = Reading()
    kind = (node.entries()["kind"].string() or "").lower()
    listed = node.get("items")
    if kind.endswith("list") and listed is not None:
        for item in listed.items():
            if is_object(item) and not (item.entries()["kind"].string() or "").endswith("List"):
                reading.drafts.append(_draft(item, file, environment, namespace))
        return reading
    reading.drafts.append(_draft(node, file, environment, namespace))
    return reading


def _draft(node: Node, file: str, environment: str | None, namespace: str | None) -> Draft:
    kind = (node.entries()["kind"].string() or "").lower()
    name_node = node.get("metadata", "name") or node.get("metadata", "generateName")
    name = name_node.string() if name_node is not None else None
    space_node = node.get("metadata", "namespace")
    space = namespace or (space_node.string() if space_node is not None else None) or "default"
    draft = Draft(
        kind=f"kubernetes.{kind}",
        address=f"{kind}/{space}/{name or '?'}",
        file=file,
        line=node.line,
        end_line=max([node.end_line, *(n.end_line for n in node.entries().values())]),
        node=node.without("apiVersion", "kind", "status"),
        name=name,
        environment=environment,
        scope=file,
    )
    if space_node is not None or namespace is not None:
        draft.extra["namespace"] = space_node or Node(space, node.line, text=space)
    for path, key in _SHORT.get(kind, {}).items():
        found = node.get(*path.split("."))
        if found is not None:
            draft.extra[key] = found
    pod = node.get(*_WORKLOADS[kind]) if kind in _WORKLOADS else None
    if pod is not None:
        draft.extra |= pod_settings(pod, main=name)
        labels = node.get(*_WORKLOADS[kind][:-1], "metadata", "labels")
        if labels is not None:
            draft.extra["pod_labels"] = labels
    draft.extra |= _special(kind, node)
    if name is None and name_node is not None:
        draft.extra["name"] = name_node
    draft.node = _rest(kind, draft.node, path=_WORKLOADS.get(kind))
    return draft


def _special(kind: str, node: Node) -> dict[str, Node]:
    if kind == "horizontalpodautoscaler":
        return _autoscaler(node)
    if kind == "networkpolicy":
        return _network_policy(node)
    if kind == "ingress":
        return _ingress(node)
    if kind == "service":
        return _service(node)
    if kind in ("role", "clusterrole"):
        rules = node.get("rules")
        return {f"statement.{i}": rule for i, rule in enumerate(rules.items() if rules is not None else [])}
    if kind in ("configmap", "secret"):
        data = [(name, value) for key in ("data", "stringData") for name, value in _entries(node, key).items()]
        hidden = Node("(withheld)", node.line, text="(withheld)")
        values = {f"data.{name}": replace(hidden, line=value.line) if kind == "secret" else value for name, value in data}
        block = node.get("data") or node.get("stringData")
        if block is None:
            return {}
        return {"environment_keys": Node([Node(n, v.line) for n, v in sorted(data)], block.line)} | values
    return {}


def _autoscaler(node: Node) -> dict[str, Node]:
    settings: dict[str, Node] = {}
    metrics = node.get("spec", "metrics")
    for metric in metrics.items() if metrics is not None else []:
        name = metric.get("resource", "name") or metric.get("containerResource", "name")
        target = metric.get("resource", "target") or metric.get("containerResource", "target")
        value = target.get("averageUtilization") if target is not None else metric.get("resource", "targetAverageUtilization")
        if name is not None and value is not None:
            settings[f"target_{name.string()}_percent"] = value
    return settings


def _network_policy(node: Node) -> dict[str, Node]:
    settings: dict[str, Node] = {}
    for side in ("ingress", "egress"):
        rules = node.get("spec", side)
        if rules is not None:
            settings |= {f"{side}.{number}": rule for number, rule in enumerate(rules.items())}
            settings[f"{side}_rules"] = Node(len(rules.items()), rules.line)
    return settings


def _ingress(node: Node) -> dict[str, Node]:
    routes: list[Node] = []
    rules = node.get("spec", "rules")
    for rule in rules.items() if rules is not None else []:
        host_node = rule.get("host")
        host = (host_node.string() if host_node is not None else None) or "*"
        paths = rule.get("http", "paths")
        for path in paths.items() if paths is not None else []:
            where = path.get("path")
            written = host + ((where.string() if where is not None else None) or "/")
            routes.append(Node(written, path.line, text=written))
        if paths is None:
            routes.append(Node(host, rule.line, text=host))
    settings = {"routes": Node(routes, rules.line)} if routes and rules is not None else {}
    for name, value in _entries(node, "metadata", "annotations").items():
        if name.endswith(("proxy-read-timeout", "proxy-send-timeout", "proxy-connect-timeout")):
            settings[name.rpartition("/")[2].replace("-", "_") + "_s"] = value
        elif name.endswith("proxy-body-size"):
            settings["proxy_body_size"] = value
    return settings


def _service(node: Node) -> dict[str, Node]:
    settings: dict[str, Node] = {}
    ports = node.get("spec", "ports")
    for number, port in enumerate(ports.items() if ports is not None else []):
        for key, ours in (("port", "port"), ("targetPort", "target_port"), ("nodePort", "node_port")):
            found = port.get(key)
            if found is not None:
                settings[ours if number == 0 else f"{ours}.{number}"] = found
    selector = node.get("spec", "selector")
    return settings | ({"selector": selector} if selector is not None else {})


def _rest(kind: str, node: Node, path: tuple[str, ...] | None) -> Node:
    """What is left to be flattened: no pod template, no parts that became settings."""
    for short in (*_SHORT.get(kind, {}), "metadata.name", "metadata.namespace", *_PRUNED.get(kind, ())):
        node = node.without_path(tuple(short.split(".")))
    if kind in ("configmap", "secret"):
        return node.without("data", "stringData", "binaryData")
    if path is None:
        return node
    spec = node.entries().get("spec")
    if spec is None or kind == "pod":
        return node.without("spec")
    return replace(node, value={**node.entries(), "spec": spec.without("template", "jobTemplate")})


def _entries(node: Node, *path: str) -> dict[str, Node]:
    found = node.get(*path)
    return found.entries() if found is not None else {}
